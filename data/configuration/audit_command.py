"""Print the lines of the audit, oldest first.

A line is a login, a refusal, an opened group, an upload, a share, an export or an access key. The
command reads the [audit] file of evenkeel.toml and the rotated files. If the server writes the
audit to standard output, there is no file to read.
"""

import argparse
import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from evenkeel.data import audit
from evenkeel.data.clock import now
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import count

EXAMPLES = """\
examples:
  evenkeel audit --group payments --since 7d
  evenkeel audit --event refusal --since 1h
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--group", help="only lines about this group")
    parser.add_argument("--cluster", help="only lines about this cluster")
    parser.add_argument(
        "--event", help="only lines with this event, such as login, refusal or open"
    )
    parser.add_argument("--who", help="only lines about this reader: a name or an id")
    parser.add_argument(
        "--since",
        metavar="TIME",
        type=_duration,
        help='only lines that are newer than this duration, such as "7d"',
    )


def run(options: argparse.Namespace) -> int:
    """Print the lines that match the options."""
    settings = configuration().audit
    if settings is None or settings.path == audit.STDOUT:
        is_silent = settings is None and not configuration().is_closed
        where = (
            "this server is open and writes no audit"
            if is_silent
            else "the audit goes to standard output"
        )
        raise SnapshotError(
            f'{where}, expected [audit] with path = "/var/log/evenkeel/audit.jsonl"'
        )
    if not Path(settings.path).exists():
        print(
            f"no lines: {settings.path} does not exist; a server creates this file with its first"
            " line",
            file=sys.stderr,
        )
        return 0
    damaged_count = 0
    for line in audit.lines(settings.path):
        if line is None:
            damaged_count += 1
        elif _is_asked(line, options):
            print(json.dumps(line))
    if damaged_count:
        print(f"{count(damaged_count, 'line')} of {settings.path} cannot be read", file=sys.stderr)
    return 0


def _is_asked(line: dict[str, Any], options: argparse.Namespace) -> bool:
    named = all(
        getattr(options, key) in (None, line.get(key)) for key in ("group", "cluster", "event")
    )
    is_who = options.who in (None, line.get("who"), line.get("name"))
    return (
        named and is_who and (options.since is None or audit.time_of(line) > now() - options.since)
    )


def _duration(text: str) -> timedelta:
    try:
        return Duration.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
