"""Print one table: the current assignment beside what each assignor would do with the same group."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from assignors import ASSIGNORS
from assignors.comparison import CURRENT, Row, compare
from assignors.facts import Facts
from assignors.quirk import REMAINDER
from assignors.serving import serving
from data.available import available
from data.columns import assumed_paths, observed_from_document
from data.commands.columns import add_columns
from data.commands.condition import FIGURES, Condition
from data.commands.group_files import add_paths, listed, split_paths, wanted_groups
from data.commands.live import add_cluster, live_documents
from data.commands.remarks import facts_by_row, figures_of_way, remarks
from data.commands.tables import comparison_table, in_short
from data.configuration import configuration
from data.errors import SnapshotError
from data.observed import ObservedGroup

EXAMPLES = f"""\
examples:
  kafka-consumer-groups.sh --bootstrap-server broker:9092 --describe --group payments | evenkeel compare -
  evenkeel compare offsets.txt members.txt --group payments --json
  evenkeel compare --cluster production --group payments
  evenkeel compare payments.json --assignor lag --assignor range --fail-if 'max_lag_share > 1.3'
  evenkeel compare export.csv --columns topic="Kafka Topic",partition=Part.

exit codes:
  0  done, also where lines are rejected
  1  the condition of --fail-if holds
  2  a wrong call, nothing readable, or a --fail-if whose figure is not known

figures of --json and --fail-if:
  {", ".join(FIGURES[:5])},
  {", ".join(FIGURES[5:])}
"""


def add_arguments(parser: argparse.ArgumentParser):
    """Declare the command's options."""
    add_paths(parser)
    add_cluster(parser)
    add_columns(parser)
    parser.add_argument("--group", metavar="G", help="the group to compare, where the files have several")
    parser.add_argument("--assignor", metavar="NAME", nargs="+", action="extend", help=f"only these of {', '.join(ASSIGNORS)} and the plug-ins of the configuration (default: all that can serve the group)")
    parser.add_argument("--json", action="store_true", help="write JSON in place of a table")
    parser.add_argument("--fail-if", metavar="EXPR", type=Condition.parse, help="exit with 1 where FIGURE < <= > >= == != NUMBER holds, for the named assignors, else for current; with 2 where the figure is not known, and nothing can be judged")


def run(options: argparse.Namespace) -> int:
    """Write the comparison to standard output and check the condition."""
    split_paths(options, "assignor")
    assignors = available(configuration().plugins)
    unknown = [name for name in options.assignor or () if name not in assignors]
    if unknown:
        raise SnapshotError(f'--assignor: found "{unknown[0]}", expected one of {", ".join(assignors)}')
    observed = _one_group(options)
    names = options.assignor or serving(observed.group_type, assignors)
    comparison = compare(observed.snapshot, observed.current, [assignors[name]() for name in dict.fromkeys(names)])
    facts = facts_by_row(observed, comparison.rows)
    rows = [_figures(observed, row, facts.get(row.name)) for row in comparison.rows]
    if options.json:
        sys.stdout.write(msgspec.json.encode({"group_id": observed.group_id, "rows": rows}).decode() + "\n")
    else:
        sys.stdout.write(comparison_table(observed, rows))
    return _checked(options, rows, [row.name for row in comparison.rows if _nobody_lags(row)])


def _one_group(options: argparse.Namespace) -> ObservedGroup:
    if options.cluster is not None:
        return _live_group(options)
    groups = wanted_groups(options.paths, [] if options.group is None else [options.group], options.columns)
    if len(groups.keys) > 1:
        raise SnapshotError(f"{len(groups.keys):,} groups, expected one; choose with --group: {listed(groups.keys)}")
    return groups.observed(groups.keys[0])


def _live_group(options: argparse.Namespace) -> ObservedGroup:
    if options.group is None:
        raise SnapshotError(f"--cluster {options.cluster} without --group; evenkeel groups --cluster {options.cluster} lists them")
    (document,) = live_documents(options.cluster, [options.group], options.paths)
    return observed_from_document(document)


def _figures(observed: ObservedGroup, row: Row, facts: Facts | None) -> dict[str, Any]:
    """Return one row of `--json`; the figures of an assignor that throws are null."""
    figures = {name: getattr(row if name.startswith("moved") else row.balance, name, None) for name in FIGURES}
    assumed = [] if row.error else assumed_paths(observed, None if row.name == CURRENT else row.assignment)
    error = {"type": row.error.java_class, "message": str(row.error)} if row.error else None
    said = {"quirks": [quirk.name for quirk in facts.quirks if quirk.name != REMAINDER] if facts else [], "remarks": remarks(observed, row, facts, in_short(assumed))}
    return {"assignor": row.name, **figures, **figures_of_way(row, facts), "assumed": assumed, **said, "error": error}


def _nobody_lags(row: Row) -> bool:
    return row.balance is not None and row.balance.total_lag == 0 and not row.balance.lag_is_partial


def _checked(options: argparse.Namespace, rows: Sequence[Mapping[str, Any]], without_lag: Sequence[str]) -> int:
    """Return 1 and say why where the condition holds for an assignor that was named, or else for the current assignment; 2 where it does not and a figure is not known.

    Of those in `without_lag` nothing is behind: they have no ratio of lag, which is known, and nothing holds of it.
    """
    if options.fail_if is None:
        return 0
    checked = [row for row in rows if row["assignor"] in (options.assignor or [CURRENT])]
    failed = [row["assignor"] for row in checked if options.fail_if.holds(row)]
    if failed:
        print(f"evenkeel compare: {options.fail_if} holds for {', '.join(failed)}", file=sys.stderr)
        return 1
    unknown = [row["assignor"] for row in checked if row[options.fail_if.figure] is None and row["assignor"] not in without_lag]
    if unknown:
        raise SnapshotError(f"{options.fail_if.figure} of {', '.join(unknown)} is not known: {options.fail_if} cannot be judged")
    return 0
