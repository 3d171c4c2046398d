"""The command line `evenkeel`; each command is a module."""

import argparse
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, TextIO, cast

from evenkeel.data.commands.text import printable
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required

_COMMANDS = {
    "assign": (
        "read requests in JSON Lines and write an assignor's assignment for each",
        "evenkeel.data.compare.assign_command",
    ),
    "compare": (
        "one table: the current assignment next to each assignor's answer",
        "evenkeel.data.compare.command",
    ),
    "diagnose": (
        "say what is wrong with a group, which members are affected and what to do",
        "evenkeel.data.diagnosis.command",
    ),
    "findings": (
        "list what is wrong in a cluster, with start and end, from its stored snapshots",
        "evenkeel.data.episodes.command",
    ),
    "alerts": (
        "list alerts that rules would have sent; write rules for Prometheus and Grafana",
        "evenkeel.data.alerts.command",
    ),
    "best": (
        "find the best assignment under an objective and limits, with a proof",
        "evenkeel.data.best.command",
    ),
    "readiness": (
        "list the groups that can move to the consumer protocol (KIP-848), in their best order",
        "evenkeel.data.readiness.command",
    ),
    "replay": (
        "run a scenario: every step with every assignor",
        "evenkeel.data.whatif.command",
    ),
    "snapshot": (
        "turn any supported file into group documents",
        "evenkeel.data.sources.snapshot_command",
    ),
    "groups": (
        "list the groups of a live cluster, worst first",
        "evenkeel.data.live.groups_command",
    ),
    "rebalances": (
        "say why groups rebalanced: from a broker's log, or from __consumer_offsets",
        "evenkeel.data.rebalances.command",
    ),
    "history": (
        "say how a group has done over time, and when it is drained",
        "evenkeel.data.timeline.command",
    ),
    "collect": (
        "append snapshots of a live cluster to the lake, one for each time slot",
        "evenkeel.data.pipeline.collect_command",
    ),
    "weights": (
        "write the weights that the assignor evenkeel-weighted reads on brokers",
        "evenkeel.data.best.weights_command",
    ),
    "nudge": (
        "make a broker compute a new assignment; off unless [live] nudge = true",
        "evenkeel.data.live.nudge_command",
    ),
    "ingest": (
        "store files in the lake, with Spark",
        "evenkeel.data.pipeline.ingest_command",
    ),
    "mark": (
        "mark a moment of a cluster or a group, such as a deploy",
        "evenkeel.data.marks.command",
    ),
    "audit": (
        "print the audit: logins, refusals, opened groups, uploads, shares and exports",
        "evenkeel.data.configuration.audit_command",
    ),
    "keys": (
        "make, list and revoke keys for programs that read a closed server",
        "evenkeel.data.shares.keys_command",
    ),
    "tidy": (
        "store old snapshots by the hour and the day, thin them and delete the oldest",
        "evenkeel.data.lake.tidy_command",
    ),
}
"""Summary and module of each command. Only the module of the chosen command is imported."""

_DESCRIPTION = """\
Show who owns each partition of a consumer group, how far behind each member is, and what every
Kafka assignor would do.
Evenkeel never changes Kafka, with one exception: `nudge` joins a group and leaves it. It is off by
default.
"""
_EXAMPLES = """\
examples:
  kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --group payments |
    evenkeel compare -
  evenkeel compare payments.txt --assignor lag --fail-if 'max_lag_share > 1.3'
  evenkeel snapshot payments.txt > payments.json
  evenkeel COMMAND --help
"""

DONE, BAD_INPUT = 0, 2
# A shell's exit code for a process that a signal ended.
_INTERRUPTED = 128 + signal.SIGINT


class _Parser(argparse.ArgumentParser):
    """A parser that reports a wrong call in one line."""

    def error(self, message: str):
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see {self.prog} --help\n")


class _Version(argparse.Action):
    """Print the installed version. Other commands do not look the version up."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object):
        from importlib.metadata import version

        print(f"evenkeel {version('evenkeel')}")
        parser.exit(DONE)


def main(
    arguments: Sequence[str] | None = None,
    above: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> int:
    """Run one command and return its exit code.

    `above`: further commands, from the dashboard. Key: name of the command. Value: summary and
    module.

    Exit code 0: done. 1: a `--fail-if` holds, or all requests of `assign` failed. 2: wrong usage,
    nothing readable, a figure of `--fail-if` is unknown, or a bug.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    options, code = argparse.Namespace(command=""), DONE
    errors = sys.stderr
    sys.stderr = cast(TextIO, _Lasting(errors))
    try:
        with required():
            code = _run(arguments, options, above)
        sys.stdout.flush()
        return code
    except SnapshotError as error:
        print(printable(f"evenkeel {options.command}: {error}"), file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        _discard(sys.stdout)
        return code
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        # Python's own exit code would be 1, which has another meaning.
        print(
            printable(f"evenkeel {options.command}: failed, {type(error).__name__}: {error}"),
            file=sys.stderr,
        )
        return BAD_INPUT
    finally:
        sys.stderr = errors


def _run(
    arguments: Sequence[str], options: argparse.Namespace, above: Mapping[str, tuple[str, str]]
) -> int:
    _, unknown = _parser(arguments, above).parse_known_args(arguments, options)
    if unknown:
        # argparse's message would not contain the command's name.
        _Parser(prog=f"evenkeel {options.command}").error(
            f"unrecognized arguments: {' '.join(unknown)}"
            if unknown[0].startswith("-")
            else f"{unknown[0]} is an argument too many, expected {_example(options, above)}"
        )
    if not getattr(options, "fail_if", None):
        return options.run(options)
    output = sys.stdout
    sys.stdout = cast(TextIO, _Lasting(output))
    try:
        return options.run(options)
    finally:
        sys.stdout = output


def _example(options: argparse.Namespace, above: Mapping[str, tuple[str, str]]) -> str:
    _, place = {**above, **_COMMANDS}[options.command]
    lines = map(str.strip, import_module(place).EXAMPLES.splitlines())
    return next(line for line in lines if f"evenkeel {options.command}" in line)


class _Lasting:
    """An output stream that ignores a closed pipe, so that the command continues and returns its
    exit code.
    """

    def __init__(self, output: TextIO):
        self._output, self._has_reader = output, True

    def write(self, text: str) -> int:
        """Write the text, unless the pipe is closed."""
        try:
            return self._output.write(text) if self._has_reader else len(text)
        except BrokenPipeError:
            self._end()
            return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Flush, unless the pipe is closed."""
        try:
            self._output.flush()
        except BrokenPipeError:
            self._end()

    def _end(self) -> None:
        self._has_reader = False
        _discard(self._output)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._output, name)


def _discard(output: TextIO) -> None:
    """Redirect an output to the null device after its pipe was closed. Otherwise Python's flush at
    exit would fail.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())


def _parser(
    arguments: Sequence[str], above: Mapping[str, tuple[str, str]]
) -> argparse.ArgumentParser:
    """Build the parser. Only the module of the chosen command is imported."""
    parser = _Parser(
        prog="evenkeel",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (summary, place) in {**above, **_COMMANDS}.items():
        command = commands.add_parser(
            name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == next(iter(arguments), None):
            module = import_module(place)
            command.description, command.epilog = _paragraphs(module.__doc__ or ""), module.EXAMPLES
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def _paragraphs(text: str) -> str:
    """Return the text with each paragraph as one line, because the terminal wraps lines."""
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))
