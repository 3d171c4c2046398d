"""Say how a group has done over time: rates, time lag and verdict of each partition, events, and when it is drained under each assignor.

Reads snapshots of `evenkeel collect`, or listings that were ingested with times; starts no Spark and asks no cluster.
Without --group: all groups of the cluster, worst first, from its last snapshots. That runs on Spark, and stores the tables GROUP_VERDICT
and MEMBER_VERDICT in the lake.
"""

import argparse
import sys

import numpy as np

from assignors.history.now import Now, now
from data.commands.options.fail_if import GroupCondition
from data.commands.options.instants import add_instants, chosen_cluster, chosen_instants
from data.commands.options.lake import lake_of
from data.commands.printing.group_verdicts import group_rows, verdict_lines
from data.commands.printing.history import Report, history_json, history_lines
from data.commands.printing.terminal_text import json_line
from data.errors import SnapshotError

EXAMPLES = f"""\
examples:
  evenkeel history --group payments
  evenkeel history --group payments --cluster production --from 2026-11-10T08:00:00Z --json
  evenkeel history --group payments --fail-if 'verdict == "STOP"'
  evenkeel history --cluster production --json --master spark://spark-1:7077
  evenkeel history --group payments --fail-if 'lag_seconds > 300' --lake s3://bucket/lake

figures of --fail-if:
  {", ".join(GroupCondition.FIGURES)}
  verdict is that of the worst partition: OK < SLOW < STALL < STOP < REWIND. lag_seconds is that of the partition farthest behind.
  drain_seconds is the middle of the band under the current assignment.

exit codes:
  0  done
  1  the condition of --fail-if holds
  2  a wrong call, no snapshot, or a --fail-if whose result depends on unknown values
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_instants(parser)
    parser.add_argument("--master", metavar="URL", default="local[*]", help="where Spark runs, for all groups: local[*] (default)")
    parser.add_argument("--json", action="store_true", help="write JSON in place of text")
    parser.add_argument(
        "--fail-if",
        metavar="EXPR",
        type=GroupCondition.parse,
        help='exit with 1 if FIGURE < <= > >= == != VALUE holds, such as verdict == "STOP"; exit with 2 if that depends on unknown values',
    )


def run(options: argparse.Namespace) -> int:
    """Write the history to standard output and check the condition."""
    if options.group is None:
        return _run_all(options)
    one = _report(options)
    sys.stdout.write(json_line(history_json(one)) if options.json else history_lines(one))
    if options.fail_if is None:
        return 0
    holds = options.fail_if.holds_for(one.now, one.drains)
    if holds is None:
        raise SnapshotError(f"{options.fail_if.figure} of {options.group} is not known well enough: {options.fail_if} cannot be judged")
    if holds:
        print(f"evenkeel history: {options.fail_if} holds for {options.group}", file=sys.stderr)
    return int(holds)


def _run_all(options: argparse.Namespace) -> int:
    from data.lake.history.recent import SLOTS, last_of
    from data.pipeline.history.verdicts import write_verdicts
    from data.pipeline.spark.session import session

    if options.fail_if is not None:
        raise SnapshotError("--fail-if without --group, expected the group that it is about")
    lake = lake_of(options)
    cluster = chosen_cluster(lake, options.cluster)
    found = chosen_instants(lake, cluster, options.since, options.until)
    with session(options.master) as spark:
        tables = write_verdicts(spark, lake, cluster, found if options.since else last_of(found, SLOTS))
    sys.stdout.writelines(map(json_line, group_rows(tables.groups)) if options.json else verdict_lines(tables.groups))
    return 0


def _report(options: argparse.Namespace) -> Report:
    from data.lake.history.history import history_in

    lake = lake_of(options)
    cluster = chosen_cluster(lake, options.cluster)
    history = history_in(lake, options.group, chosen_instants(lake, cluster, options.since, options.until, options.group), cluster)
    listed = np.flatnonzero(history.series.is_listed.any(axis=1))
    if not listed.size:
        raise SnapshotError(f"{lake} has no group {options.group!r} in this range")
    found = now(history.series)
    return Report(history, found, _drains(options.group, history.batch[listed[-1]], found, options))


def _drains(group_id: str, moment: str, found: Now, options: argparse.Namespace) -> dict:
    from assignors.history.speed.draws import draws
    from data.scenarios.answers import comparison_of
    from data.scenarios.drains import Drains
    from data.scenarios.stored_group import group_at

    observed = group_at(lake_of(options), moment, group_id)
    # The same history gives the same bands.
    drains = Drains(observed.snapshot, found.series, draws(found.series, np.random.default_rng(0)))
    return drains.of_all((row.name, row.assignment) for row in comparison_of(observed).rows)
