"""Say how a group has done over time: rates, time lag and verdict of each partition, events, and when it is drained under each assignor.

Reads snapshots of `evenkeel collect`, or listings that were ingested with times; starts no Spark and asks no cluster.
Without --group: all groups of the cluster, worst first, over the same time. That runs on Spark, and stores the tables GROUP_VERDICT and
MEMBER_VERDICT in the lake.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from evenkeel.assignors.history.draws import Draws, draws_of
from evenkeel.assignors.history.forecast import current_drain
from evenkeel.assignors.history.now import Now, now
from evenkeel.assignors.history.verdicts import VERDICTS
from evenkeel.data import clock
from evenkeel.data.commands.options.group_condition import FIGURES, GroupCondition, figures_of, judged_when_old
from evenkeel.data.commands.options.instants import add_instants, chosen_cluster, chosen_instants
from evenkeel.data.commands.options.lake import lake_of
from evenkeel.data.commands.printing.group_verdicts import group_rows, verdict_lines
from evenkeel.data.commands.printing.history import history_lines
from evenkeel.data.commands.printing.history_document import Report, history_json
from evenkeel.data.commands.printing.terminal_text import json_line, printable
from evenkeel.data.errors import SnapshotError
from evenkeel.data.words.formats import first_of
from evenkeel.data.words.history import OLD_STEPS, SnapshotAge, snapshot_age

if TYPE_CHECKING:
    from evenkeel.data.columns.observed import ObservedGroup
    from evenkeel.data.lake.history.instants import Instants
    from evenkeel.data.lake.place import Place

EXAMPLES = f"""\
examples:
  evenkeel history --group payments
  evenkeel history --group payments --cluster production --from 2026-11-10T08:00:00Z --json
  evenkeel history --group payments --fail-if 'verdict == "STOP"' --fail-if 'lag_seconds > 300' --quiet
  evenkeel history --cluster production --fail-if 'verdict >= STALL' --quiet
  evenkeel history --cluster production --json --master spark://spark-1:7077

figures of --fail-if:
  {", ".join(FIGURES)}
  verdict is that of the worst partition: {" < ".join(VERDICTS)}; SLOW counts once it has lasted 10 snapshots, and partitions
  without any observation count as OK. lag_seconds is that of the partition farthest behind, drain_seconds the middle of the band under the
  current assignment, age_seconds how long ago the last snapshot was. Without --group each group is judged.

exit codes:
  0  done
  1  a condition of --fail-if holds; a line for each group names the figure
  2  a wrong call, no snapshot, or a --fail-if whose result depends on unknown values, or without --to on a snapshot that is old: older than
     10 intervals between snapshots, and than 3 minutes; conditions on age_seconds are judged all the same
"""

_MOST_LINES = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_instants(parser)
    parser.add_argument("--master", metavar="URL", default="local[*]", help="where Spark runs, for all groups: local[*] (default)")
    parser.add_argument("--json", action="store_true", help="write JSON in place of text")
    parser.add_argument(
        "--fail-if",
        metavar="EXPR",
        type=GroupCondition.parse,
        action="append",
        default=[],
        help='exit with 1 if FIGURE < <= > >= == != VALUE holds, such as verdict == "STOP"; exit with 2 if that depends on unknown values; '
        "may be given several times",
    )
    parser.add_argument("--quiet", action="store_true", help="write nothing but what --fail-if finds, and errors: for schedules")


def run(options: argparse.Namespace) -> int:
    """Write the history to standard output and check the conditions."""
    from evenkeel.data.lake.history.instants import instants, with_lead

    if options.group is None:
        return _run_all(options)
    lake = lake_of(options)
    cluster = chosen_cluster(lake, options.cluster)
    found = chosen_instants(lake, cluster, options.since, options.until, options.group)
    age = snapshot_age(found.axis.time, clock.seconds())
    found = with_lead(found, instants(lake, cluster, None, options.until, options.group))
    if not options.quiet:
        one = _report(options, lake, cluster, found)
        sys.stdout.write(json_line(history_json(one, age)) if options.json else history_lines(one, age))
    return _judge(options, _rows(options.group, lake, cluster, found, age), age) if options.fail_if else 0


def _run_all(options: argparse.Namespace) -> int:
    from evenkeel.data.pipeline.history.verdicts import Span, write_verdicts
    from evenkeel.data.pipeline.spark.session import session, stopped_after

    lake = lake_of(options)
    cluster = chosen_cluster(lake, options.cluster)
    found = chosen_instants(lake, cluster, options.since, options.until)
    with stopped_after(session(options.master)) as spark:
        groups = write_verdicts(spark, lake, cluster, Span(options.since, options.until)).groups
    age = snapshot_age(found.axis.time, clock.seconds())
    rows = group_rows(groups, age.now)
    if not options.quiet:
        sys.stdout.writelines(map(json_line, rows) if options.json else [*verdict_lines(rows), f"({age})\n"])
    return _judge(options, rows, age)


def _judge(options: argparse.Namespace, rows: Sequence[dict], age: SnapshotAge) -> int:
    """Say for which groups a condition holds, and for which that is unknown; return the exit code."""
    conditions = options.fail_if if options.until or not age.is_old else judged_when_old(options.fail_if)
    judged = [(condition, group, condition.holds_for(group)) for group in map(figures_of, rows) for condition in conditions]
    lines = [f"{condition} holds for {group.group_id}: {condition.reason(group)}" for condition, group, holds in judged if holds]
    unknown = [condition.unknown(group) for condition, group, holds in judged if holds is None]
    if len(conditions) < len(options.fail_if):
        unknown = [
            f"--fail-if cannot be judged: {age}, more than {OLD_STEPS} of its intervals; with --to it is judged all the same",
            *unknown,
        ]
    for line in (*first_of(lines, _MOST_LINES), *first_of(unknown, _MOST_LINES)):
        print(printable(f"evenkeel history: {line}"), file=sys.stderr)
    return 1 if lines else 2 if unknown else 0


def _rows(group_id: str, lake: "Place", cluster: str | None, found: "Instants", age: SnapshotAge) -> list[dict]:
    """Return the group's row of GROUP_VERDICT with its age."""
    from evenkeel.data.lake.history.recent import group_verdicts
    from evenkeel.data.lake.history.verdict_ages import with_older_since

    groups = with_older_since(lake, cluster, group_verdicts(lake, found, cluster, [group_id]).groups, found)
    if not groups.num_rows:
        at = datetime.fromtimestamp(found.axis.time[-1], UTC)
        raise SnapshotError(f"--fail-if cannot be judged for {group_id}: the last snapshot, of {at:%Y-%m-%dT%H:%M:%SZ}, does not have it")
    return group_rows(groups, age.now)


def _report(options: argparse.Namespace, lake: "Place", cluster: str | None, chosen: "Instants") -> Report:
    from evenkeel.data.lake.history.history import history_in
    from evenkeel.data.lake.history.instants import no_group
    from evenkeel.data.lake.history.verdict_ages import verdict_since
    from evenkeel.data.scenarios.stored_groups import group_at

    history = history_in(lake, options.group, chosen, cluster).by_lineage
    there = np.flatnonzero(history.series.is_there)
    if not there.size or there[-1] < history.lead:
        raise no_group(lake, options.group, chosen)
    found = now(history.series.until(int(there[-1])))
    since = verdict_since(lake, cluster, options.group, found, chosen)
    # The same history gives the same bands.
    drawn = draws_of(found.series, np.random.default_rng(0))
    observed = group_at(lake, history.batch[there[-1]], options.group)
    drains = _drains(observed, found, drawn) if found.tps.size else {}
    return Report(history, found, since, current_drain(found, drawn), observed, drains)


def _drains(observed: "ObservedGroup", found: Now, drawn: Draws) -> dict:
    from evenkeel.data.scenarios.answers import comparison_of
    from evenkeel.data.scenarios.drains import Drains

    drains = Drains(observed.snapshot, found.series, drawn)
    return drains.of_all((row.name, row.assignment) for row in comparison_of(observed).rows)
