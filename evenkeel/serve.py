"""Start the dashboard on this machine, with the settings of `make run`. Ctrl-C or SIGTERM stops the
dashboard.
"""

import argparse
import os
import socket
import sys
from importlib.util import find_spec
from pathlib import Path

from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.reading import configuration_at_start
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required

EXAMPLES = """\
examples:
  evenkeel serve
  evenkeel serve --port 8600 --config /etc/evenkeel.toml --no-browser

Without [login] in evenkeel.toml, everyone who can reach the address sees every page.
docs/security.md describes how to restrict access.
"""


def add_arguments(parser: argparse.ArgumentParser):
    """Declare the command's options."""
    parser.add_argument(
        "--port",
        metavar="NUMBER",
        type=_port,
        default=8501,
        help="port to listen on (default: 8501)",
    )
    parser.add_argument(
        "--address",
        metavar="HOST",
        help="address to listen on (default: localhost, reachable only from this machine)",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="configuration file in place of evenkeel.toml and EVENKEEL_CONFIG",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


@required("dashboard")
def run(options: argparse.Namespace) -> int:
    """Start Streamlit's server in place of this process, so that signals reach the server."""
    if options.config:
        os.environ["EVENKEEL_CONFIG"] = str(Path(options.config).absolute())
        configuration()
    configuration_at_start()
    _listen_once(options.address or "localhost", options.port)
    # uvicorn reads this variable. Empty: the client is the peer of the connection, whatever the
    # header X-Forwarded-For says.
    os.environ.setdefault("FORWARDED_ALLOW_IPS", "")
    sys.stdout.flush()
    # -P: files in the current folder cannot hide packages.
    os.execv(
        sys.executable,
        [sys.executable, "-P", "-m", "streamlit", "run", _page(), *_settings(options)],
    )


def _listen_once(host: str, port: int) -> None:
    """Raise SnapshotError if the server cannot listen on the address.

    Without this check Streamlit would end with exit code 1, the code of a failed `--fail-if`.
    """
    try:
        socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        ).close()
    except OSError as error:
        cause = (error.strerror or "").partition(" (")[0]
        raise SnapshotError(
            f"{host}, port {port}: {cause}, expected an address of this machine and a free port"
        ) from None


def _page() -> str:
    return str(Path(find_spec("evenkeel.dashboard").origin).with_name("app.py"))


def _settings(options: argparse.Namespace) -> list[str]:
    """Return Streamlit's command-line options; the file next to the page has the other settings.

    Streamlit does not watch files, because nobody edits an installed package.
    """
    address = [f"--server.address={options.address}"] if options.address else []
    headless = ["--server.headless=true"] if options.no_browser else []
    return [f"--server.port={options.port}", "--server.fileWatcherType=none", *address, *headless]


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**16):
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number from 1 to 65535")
    return int(text)
