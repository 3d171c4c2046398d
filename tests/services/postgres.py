"""A PostgreSQL for tests: Debian's, as a process of its own on a free port of loopback, its files
in a temporary folder.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import pytest

from tests.ending import WITH_US
from tests.services.ports import free_port
from tests.waiting import until

_USER = "evenkeel"
# What a test has written need not survive the machine.
_SETTINGS = (
    "-c",
    "fsync=off",
    "-c",
    "max_connections=50",
    "-c",
    "unix_socket_directories=",
    "-c",
    "listen_addresses=127.0.0.1",
)


class Postgres:
    """The service; a context manager. Without PostgreSQL on this machine, the tests that ask for it
    are skipped and say so.
    """

    def __init__(self):
        self._port = free_port()
        self._numbers = count()

    def database(self) -> str:
        """Make an empty database and return its URL."""
        name = f"tests_{next(self._numbers)}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self._port), "-U", _USER, name)
        return f"postgresql://{_USER}@127.0.0.1:{self._port}/{name}"

    def __enter__(self) -> "Postgres":
        if not _program("postgres"):
            pytest.skip("PostgreSQL is not installed: make postgresql")
        self._folder = Path(tempfile.mkdtemp(prefix="evenkeel-postgres-"))
        if os.getuid() == 0:
            shutil.chown(self._folder, "postgres")
        data = str(self._folder / "data")
        self._run(
            "initdb",
            "-D",
            data,
            "-U",
            _USER,
            "--auth=trust",
            "--no-sync",
            "--encoding=UTF8",
            "--locale=C",
        )
        self.start()
        return self

    def start(self) -> None:
        """Start it, again after it was stopped."""
        command = [
            *_as_user(),
            *WITH_US,
            _program("postgres"),
            "-D",
            str(self._folder / "data"),
            "-p",
            str(self._port),
            *_SETTINGS,
        ]
        with open(self._folder / "log", "ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        until(self._answers)

    def stop_at_once(self) -> None:
        """Stop it as `pg_ctl stop --mode=immediate` does: open transactions are broken off, and it
        recovers at its next start.
        """
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(240)

    def __exit__(self, *error: object) -> None:
        # SIGINT: PostgreSQL's fast shutdown, which ends open connections.
        self._process.send_signal(signal.SIGINT)
        self._process.wait(240)
        shutil.rmtree(self._folder)

    def _answers(self) -> bool:
        assert self._process.poll() is None, (self._folder / "log").read_text()
        ready = [_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self._port)]
        return subprocess.run(ready, check=False).returncode == 0

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*_as_user(), _program(program), *arguments],
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
        )
        assert done.returncode == 0, done.stderr


def _program(name: str) -> str | None:
    """Debian puts most of PostgreSQL's programs into a folder of the release."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        key=lambda folder: int(folder.parent.name),
        reverse=True,
    )
    return next(
        (found for folder in folders if (found := shutil.which(name, path=folder))),
        shutil.which(name),
    )


def _as_user() -> list[str]:
    """PostgreSQL refuses to run as root; Debian's package makes a user for it."""
    return (
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        if os.getuid() == 0
        else []
    )
