"""Report a group over time: rates, time lag and verdict of each partition, events, and the drain
time under each assignor.

The sources are snapshots of `evenkeel collect`, or ingested listings with times. The command does
not contact a cluster. Without --group, it reports all groups of the cluster, worst first. The
report of all groups needs Spark, and stores the tables GROUP_VERDICT and MEMBER_VERDICT in the
lake.
"""

import argparse
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from evenkeel.assignors.timeline.draws import Draws, draws_of
from evenkeel.assignors.timeline.forecast import current_drain
from evenkeel.assignors.timeline.now import Now, now
from evenkeel.assignors.timeline.verdicts import VERDICTS
from evenkeel.data import clock
from evenkeel.data.commands.options.fail_if import Condition
from evenkeel.data.commands.options.lake import (
    add_instants,
    chosen_cluster,
    chosen_instants,
    lake_of,
    with_past_of,
)
from evenkeel.data.commands.text import json_line, printable
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import UNKNOWN, counted, first_of
from evenkeel.data.timeline.answer import Report, group_rows, history_json
from evenkeel.data.timeline.lines import history_lines, since_of, verdict_lines
from evenkeel.data.timeline.words import OLD_STEPS, WORDS, SnapshotAge, snapshot_age

if TYPE_CHECKING:
    from evenkeel.data.group.columns.observed import ObservedGroup
    from evenkeel.data.lake.history.instants import Instants
    from evenkeel.data.lake.place import Place

AGE = "age_seconds"
FIGURES = ("verdict", "lag", "lag_seconds", "drain_seconds", "members", "unknown_partitions", AGE)
EXAMPLES = f"""\
examples:
  evenkeel history --group payments
  evenkeel history --group payments --cluster production --from 2026-11-10T08:00:00Z --json
  evenkeel history --group payments --fail-if 'lag_seconds > 300' --quiet
  evenkeel history --cluster production --fail-if 'verdict >= STALL' --quiet
  evenkeel history --cluster production --json --master spark://spark-1:7077

figures of --fail-if:
  {", ".join(FIGURES)}
  verdict: of the worst partition, {" < ".join(VERDICTS)}
    SLOW counts only after 10 snapshots; partitions without observations count as OK
  lag_seconds: the time lag of the most delayed partition
  drain_seconds: the median drain time under the current assignment
  age_seconds: the age of the last snapshot
  Without --group, the condition is checked for each group.

exit codes:
  0  done
  1  a condition of --fail-if holds; a line for each group names the figure
  2  a wrong call, no snapshot, or a --fail-if whose result depends on unknown values; without --to
     also if the last snapshot is older than 3 minutes and older than 10 intervals between
     snapshots. Conditions on age_seconds are always checked
"""

_MOST_LINES = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_instants(parser)
    parser.add_argument(
        "--master",
        metavar="URL",
        default="local[*]",
        help="where Spark runs, for all groups: local[*] (default)",
    )
    parser.add_argument("--json", action="store_true", help="write JSON in place of text")
    parser.add_argument(
        "--fail-if",
        metavar="EXPR",
        type=GroupCondition.parse,
        action="append",
        default=[],
        help=(
            'exit with 1 if FIGURE < <= > >= == != VALUE holds, such as verdict == "STOP"; exit'
            " with 2 if the result is unknown; may be given several times"
        ),
    )
    parser.add_argument(
        "--quiet",
        action="store_true",
        help="write only errors and conditions that hold, for scheduled runs",
    )


def run(options: argparse.Namespace) -> int:
    """Print the history and check the conditions."""
    from evenkeel.data.lake.history.instants import instants, with_lead
    from evenkeel.data.prometheus.facts import facts_of_copy

    if options.group is None:
        return _run_all(options)
    lake, past = with_past_of(
        lake_of(options), options.cluster, options.group, options.since, options.until
    )
    cluster = chosen_cluster(lake, options.cluster)
    snapshots = chosen_instants(lake, cluster, options.since, options.until, options.group)
    age = snapshot_age(snapshots.axis.time, clock.seconds())
    snapshots = with_lead(snapshots, instants(lake, cluster, None, options.until, options.group))
    if not options.quiet:
        report = _report(options, lake, cluster, snapshots)
        report = report._replace(past=past or facts_of_copy(report.history))
        sys.stdout.write(
            json_line(history_json(report, age)) if options.json else history_lines(report, age)
        )
    return (
        _judge(options, _rows(options.group, lake, cluster, snapshots, age), age)
        if options.fail_if
        else 0
    )


def _run_all(options: argparse.Namespace) -> int:
    from evenkeel.data.pipeline.session import session, stopped_after
    from evenkeel.data.pipeline.timeline import Span, write_verdicts

    lake, _ = with_past_of(lake_of(options), options.cluster, None, options.since, options.until)
    cluster = chosen_cluster(lake, options.cluster)
    snapshots = chosen_instants(lake, cluster, options.since, options.until)
    with stopped_after(session(options.master)) as spark:
        groups = write_verdicts(spark, lake, cluster, Span(options.since, options.until)).groups
    age = snapshot_age(snapshots.axis.time, clock.seconds())
    rows = group_rows(groups, age.now)
    if not options.quiet:
        sys.stdout.writelines(
            map(json_line, rows) if options.json else [*verdict_lines(rows), f"({age})\n"]
        )
    return _judge(options, rows, age)


def _judge(options: argparse.Namespace, rows: Sequence[dict], age: SnapshotAge) -> int:
    """Print the conditions that hold, then the conditions with an unknown result, with the groups.

    Return the exit code.
    """
    conditions = (
        options.fail_if if options.until or not age.is_old else judged_when_old(options.fail_if)
    )
    judged = [
        (condition, group, condition.holds_for(group))
        for group in map(figures_of, rows)
        for condition in conditions
    ]
    lines = [
        f"{condition} holds for {group.group_id}: {condition.reason(group)}"
        for condition, group, holds in judged
        if holds
    ]
    unknown = [condition.unknown(group) for condition, group, holds in judged if holds is None]
    if len(conditions) < len(options.fail_if):
        unknown = [
            (
                f"--fail-if cannot be judged: {age}, more than {OLD_STEPS} intervals between"
                " snapshots; with --to it is judged anyway"
            ),
            *unknown,
        ]
    for line in (*first_of(lines, _MOST_LINES), *first_of(unknown, _MOST_LINES)):
        print(printable(f"evenkeel history: {line}"), file=sys.stderr)
    if lines:
        return 1
    return 2 if unknown else 0


def _rows(
    group_id: str, lake: "Place", cluster: str | None, snapshots: "Instants", age: SnapshotAge
) -> list[dict]:
    """Return the group's row of GROUP_VERDICT, with its age."""
    from evenkeel.data.lake.history.recent import group_verdicts
    from evenkeel.data.lake.history.verdict_ages import with_older_since

    groups = with_older_since(
        lake, cluster, group_verdicts(lake, snapshots, cluster, [group_id]).groups, snapshots
    )
    if not groups.num_rows:
        at = datetime.fromtimestamp(snapshots.axis.time[-1], UTC)
        raise SnapshotError(
            f"--fail-if cannot be judged for {group_id}: the last snapshot, of"
            f" {at:%Y-%m-%dT%H:%M:%SZ}, does not have the group"
        )
    return group_rows(groups, age.now)


def _report(
    options: argparse.Namespace, lake: "Place", cluster: str | None, chosen: "Instants"
) -> Report:
    from evenkeel.data.diagnosis.stored import diagnosed_slots
    from evenkeel.data.lake.history.history import history_in
    from evenkeel.data.lake.history.instants import no_group
    from evenkeel.data.lake.history.verdict_ages import verdict_since

    history = history_in(lake, options.group, chosen, cluster).by_lineage
    there = np.flatnonzero(history.series.is_there)
    if not there.size or there[-1] < history.lead:
        raise no_group(lake, options.group, chosen)
    present = now(history.series.until(int(there[-1])))
    since = verdict_since(lake, cluster, options.group, present, chosen)
    # A fixed seed, so that the same history gives the same bands.
    drawn = draws_of(present.series, np.random.default_rng(0))
    diagnosis = diagnosed_slots(lake, history, there, configuration())
    observed = diagnosis.observed
    drains = _drains(observed, present, drawn) if present.tps.size and present.has_owners else {}
    return Report(
        history, present, since, current_drain(present, drawn), observed, diagnosis, drains
    )


def _drains(observed: "ObservedGroup", present: Now, drawn: Draws) -> dict:
    from evenkeel.data.scenarios.drains import Drains
    from evenkeel.data.scenarios.leaders import comparison_of

    drains = Drains(observed.snapshot, present.series, drawn)
    return drains.of_all((row.name, row.assignment) for row in comparison_of(observed).rows)


# A condition of `--fail-if`: it compares a figure of a group with a number, or its verdict with a
# name.


class GroupFigures(NamedTuple):
    """The figures of a group.

    `low`, `high`: least and greatest possible value of each figure. `why`: what is unknown.
    """

    group_id: str
    verdict: str | None
    since: str
    low: dict[str, float]
    high: dict[str, float]
    why: str


class GroupCondition(Condition):
    """FIGURE OPERATOR VALUE, about a group's history.

    VALUE is the name of a verdict, with or without quotation marks, or a number.
    """

    @classmethod
    def parse(
        cls,
        text: str,
        figures: Sequence[str] = FIGURES,
        example: str = 'verdict == "STOP" or lag_seconds > 300',
        words: Mapping[str, Sequence[str]] = {"verdict": VERDICTS},
    ) -> Self:
        """Parse a condition such as `verdict == "STOP"`.

        Raises
        ------
        argparse.ArgumentTypeError
            If the text is not a condition. The message says why.
        """
        return super().parse(text, figures, example, words)

    def holds_for(self, group: GroupFigures) -> bool | None:
        """Return whether the condition holds for a group; None if it depends on unknown values."""
        if self.figure != "verdict":
            return self.holds(group.low[self.figure], group.high[self.figure])
        if group.verdict is None:
            return None
        rank = VERDICTS.index(group.verdict)
        return self.holds(rank, rank)

    def reason(self, group: GroupFigures) -> str:
        """Return the group's value of the figure in words."""
        if self.figure == "verdict":
            return f"{group.verdict} since {group.since}, {WORDS[group.verdict].reason}"
        low, high = group.low[self.figure], group.high[self.figure]
        if low == math.inf:
            return f"{self.figure} is infinite"
        return f"{self.figure} is {'' if low == high else 'at least '}{_rounded(low)}"

    def unknown(self, group: GroupFigures) -> str:
        """Return why the condition cannot be judged for a group."""
        return (
            f"{self} cannot be judged for {group.group_id}:"
            f" {group.why or f'{self.figure} is unknown'}"
        )


def figures_of(row: dict[str, Any]) -> GroupFigures:
    """Return the figures of a row of GROUP_VERDICT with its age."""
    unknown, count = row["unknown_lag_count"], row["partition_count"]
    drain = math.inf if row["drain_is_never"] else row["drain_seconds"]
    low = {
        "lag": row["lag"] or 0,
        "lag_seconds": row["lag_seconds"] or 0.0,
        "drain_seconds": drain or 0.0,
        "members": row["member_count"] or 0,
        "unknown_partitions": unknown,
        AGE: row[AGE],
    }
    high = dict(low)
    if unknown or not count:
        high |= {"lag": math.inf, "drain_seconds": math.inf}
    if row["unknown_seconds_count"] or not count:
        high["lag_seconds"] = math.inf
    if drain is None:
        high["drain_seconds"] = math.inf
    if row["member_count"] is None:
        high["members"] = math.inf
    is_unobserved = row["unobserved_count"] == count
    # A group without observations has no verdict here, because OK would be a guess.
    return GroupFigures(
        row["group_id"],
        None if is_unobserved else row["lasting_verdict"],
        since_of(row) or UNKNOWN,
        low,
        high,
        _why(row),
    )


def judged_when_old(conditions: Iterable[GroupCondition]) -> list[GroupCondition]:
    """Return the conditions on the age of the last snapshot.

    They can be checked even if the snapshot is old.
    """
    return [condition for condition in conditions if condition.figure == AGE]


def _rounded(number: float) -> str:
    """Return a number as text, such as `1,380` or `527.6`."""
    return f"{round(number, 1):,}".removesuffix(".0")


def _why(row: dict[str, Any]) -> str:
    count, unknown, seconds = (
        row["partition_count"],
        row["unknown_lag_count"],
        row["unknown_seconds_count"],
    )
    if not count:
        return "its last snapshot names no partition"
    if unknown:
        return f"the lag of {unknown:,} of {counted(count, 'partition')} is unknown"
    if not seconds:
        return ""
    return (
        f"the time lag of {seconds:,} of {counted(count, 'partition')} is unknown, because"
        " their end offsets did not change"
    )
