"""Say why groups rebalanced, when, for how long, and which members caused it.

The input is brokers' logs, the records of __consumer_offsets, or both. All files together are one
history; repeated lines count once.

To read a log, no Kafka right is needed. The lines of the logger org.apache.kafka.coordinator.group
(kafka.coordinator.group up to 3.x) at INFO, Kafka's default, are used. --cluster reads the topic
__consumer_offsets and needs the right READ on this topic; Evenkeel joins no group and commits
nothing.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO

from evenkeel.data.commands.options.fail_if import Condition
from evenkeel.data.commands.options.files import STANDARD_INPUT
from evenkeel.data.commands.text import json_line, printable
from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.chains import GAP_MS
from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.history import (
    History,
    HistoryRequest,
    longest_seconds,
    most_in_an_hour,
    read_history,
)
from evenkeel.data.rebalances.lines import history_text
from evenkeel.data.rebalances.live import read_cluster
from evenkeel.data.rebalances.reading.from_clients import document_of, whose_view
from evenkeel.data.sources.inputs import files_of
from evenkeel.data.text.formats import at_least, listed

FIGURES = ("rebalances_per_hour", "rebalances", "longest_seconds", "unknown_causes")
EXAMPLES = f"""\
examples:
  evenkeel rebalances server.log
  evenkeel rebalances server.log.2026-11-23-* --group payments --zone Europe/Berlin
  kubectl logs kafka-0 | evenkeel rebalances - --json | jq -c 'select(.cause == "poll_timeout")'
  evenkeel rebalances --cluster production --group payments --since 2026-11-23T12:00:00Z
  evenkeel rebalances server.log --offsets-dump dump.jsonl
  evenkeel rebalances --cluster production --check
  evenkeel rebalances server.log --fail-if 'rebalances_per_hour > 4'

a line of a dump, whose key and value are base64:
  {{"partition": 0, "offset": 12, "timestamp": 1795448107587, "key": "AAIAA3BheQ==", "value": null}}

figures of --fail-if; the condition is checked for each group:
  {", ".join(FIGURES)}
  rebalances_per_hour: rebalances that begin within the busiest hour
  longest_seconds: the length of the longest rebalance

exit codes:
  0  done
  1  a condition of --fail-if holds; with --check, Kafka's answer differs from the replayed answer
  2  a wrong call, nothing readable, no message of a group coordinator, a missing right, or a
     --fail-if whose result depends on rebalances of unknown length
"""

FAILED = 1
"""Exit code."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "paths",
        metavar="LOG",
        nargs="*",
        help="a broker's log (also .gz), a folder of logs, or - for standard input",
    )
    parser.add_argument(
        "--offsets-dump",
        metavar="DUMP",
        nargs="+",
        action="extend",
        default=[],
        help="records of __consumer_offsets, JSON Lines",
    )
    parser.add_argument(
        "--cluster",
        metavar="NAME",
        help="read __consumer_offsets of a cluster of the configuration",
    )
    parser.add_argument("--group", metavar="G", help="only this group")
    parser.add_argument(
        "--zone",
        metavar="ZONE",
        help="time zone of times without a zone, such as Europe/Berlin (default: UTC, with a note)",
    )
    parser.add_argument(
        "--since", metavar="ISO", type=_moment, help="only rebalances from this moment on"
    )
    parser.add_argument(
        "--gap",
        metavar="SECONDS",
        type=float,
        default=GAP_MS / 1000,
        help="longest time between consecutive rebalances of a chain, in seconds (default: 30)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="write one JSON line for each rebalance, then one line about the input",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help=(
            "replay every generation of a classic group with its leader's assignor, and report each"
            " answer that differs from Kafka's"
        ),
    )
    parser.add_argument(
        "--fail-if",
        metavar="EXPR",
        type=partial(Condition.parse, figures=FIGURES, example="rebalances_per_hour > 4"),
        help=(
            "exit with 1 if FIGURE < <= > >= == != NUMBER holds for a group, such as"
            " rebalances_per_hour > 4"
        ),
    )


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f'found "{text}", expected a time such as 2026-11-23T12:00:00Z'
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def run(options: argparse.Namespace) -> int:
    """Write the rebalances, or the result of --check, to standard output; return the exit code."""
    history = history_of(options)
    for line in _notes(history):
        print(printable(f"evenkeel rebalances: {line}"), file=sys.stderr)
    if options.check:
        return _check(history, options.json)
    if options.json:
        of_chain = history.verdicts()
        sys.stdout.writelines(
            json_line(event.document() | {"verdict": of_chain.get(event.chain or "")})
            for event in history.events
        )
        sys.stdout.writelines(json_line(document_of(event)) for event in history.client_events)
        sys.stdout.write(json_line(history.summary()))
    else:
        sys.stdout.writelines(f"{printable(line)}\n" for line in history_text(history))
    return _judge(options.fail_if, history)


def history_of(options: argparse.Namespace) -> History:
    """Return the history from logs, dumps and the cluster.

    Raises
    ------
    SnapshotError
        If the call is wrong, or nothing can be read.
    """
    if not 0 <= options.gap < math.inf:
        raise SnapshotError(f"--gap {options.gap:g}, expected 0 or more seconds")
    logs, dumps = _files(options.paths), [Path(name) for name in options.offsets_dump]
    if not logs and not dumps and options.cluster is None:
        raise SnapshotError(
            "no LOG, --offsets-dump or --cluster, expected a broker's log, or - for standard input"
        )
    if options.check and not dumps and options.cluster is None:
        raise SnapshotError(
            "--check without --offsets-dump or --cluster: a log does not contain subscriptions and"
            " assignments"
        )
    request = HistoryRequest(options.group, options.zone, round(options.gap * 1000))
    if options.cluster is None:
        history = read_history(
            request, logs, dumps, keeps_generations=options.check, keeps_texts=False, packs=True
        )
    else:
        history = read_cluster(options.cluster, request, logs, dumps, options.check)
    if options.since is not None:
        history.leave_out_before(math.ceil(options.since.timestamp() * 1000))
    if options.group is not None and not history.events:
        raise SnapshotError(f'no rebalance of group "{options.group}" in the input')
    return history


def _files(paths: Sequence[str]) -> list:
    standard: list[tuple[str, IO[bytes]]] = (
        [("standard input", sys.stdin.buffer)] if STANDARD_INPUT in paths else []
    )
    files = [path for path in paths if path != STANDARD_INPUT]
    return [*standard, *(files_of(files) if files else ())]


def _notes(history: History) -> Iterable[str]:
    if history.lines is not None and history.lines.undated:
        yield f"{history.lines.undated:,} messages without a time, not used"
    if history.lines is not None and history.lines.cut:
        yield f"{history.lines.cut:,} messages that are cut off, not used"
    if history.records is not None and history.records.refused:
        yield (
            f"{history.records.refused:,} records cannot be decoded, the first:"
            f" {history.records.named[0]}"
        )
    if history.client_events:
        yield whose_view(history.client_events)
    if history.zone_assumed:
        yield "times without a zone are read as UTC; --zone names another zone"


def _check(history: History, as_json: bool) -> int:
    # Imported late, because loading the module takes half a second.
    from evenkeel.data.rebalances.checked import agreement, checked

    results = list(checked(history.generations))
    differ = [result for result in results if result.agrees is False]
    if as_json:
        sys.stdout.writelines(json_line(result.document()) for result in results)
    else:
        sys.stdout.write(f"{agreement(results)}\n")
        for difference in differ:
            text = (
                f"{difference.group} generation {difference.generation:,}, {difference.assignor}:"
                f" {difference.differences:,} partitions differ; {difference.reason}"
            )
            sys.stdout.write(f"{printable(text)}\n")
    return FAILED if differ else 0


def _judge(condition: Condition | None, history: History) -> int:
    if condition is None:
        return 0
    within = {name: _figure(condition.figure, events) for name, events in history.groups()}
    verdicts = {name: condition.holds(*bounds) for name, bounds in within.items()}
    for name, (low, high) in within.items():
        if verdicts[name]:
            value = at_least(f"{low:g}", low < high)
            print(
                printable(f"evenkeel rebalances: {condition} holds for {name}: {value}"),
                file=sys.stderr,
            )
    if any(verdicts.values()):
        return FAILED
    unjudged = [name for name, holds in verdicts.items() if holds is None]
    if unjudged:
        raise SnapshotError(
            f"{condition.figure} of {listed(unjudged)} is unknown: {condition} cannot be judged"
        )
    return 0


def _figure(figure: str, events: Sequence[Rebalance]) -> tuple[float, float]:
    """Return the lower and the upper bound of a figure of --fail-if, such as `longest_seconds`."""
    if figure == "longest_seconds":
        return longest_seconds(events)
    counts: dict[str, Callable[[Sequence[Rebalance]], int]] = {
        "rebalances_per_hour": most_in_an_hour,
        "rebalances": len,
        "unknown_causes": lambda of: sum(event.cause == "unknown" for event in of),
    }
    count = counts[figure](events)
    return count, count
