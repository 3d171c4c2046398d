"""Run a scenario: every step with every assignor, one JSON line for each step and assignor.

The first line has the hashes of the scenario and its answers.

With --group instead of a scenario: each assignor's answer at every snapshot of a group. Spark
replays the snapshots and stores the lake's table REPLAY. The printed table has one line for each
group and assignor.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from evenkeel.assignors import ASSIGNORS, JAVA, TASK_ASSIGNORS
from evenkeel.assignors.protocol import CURRENT
from evenkeel.data.commands.options.files import STANDARD_INPUT, inputs_of
from evenkeel.data.commands.options.lake import (
    add_range,
    chosen_cluster,
    chosen_instants,
    lake_of,
    with_past_of,
)
from evenkeel.data.commands.options.scenarios import scenario_in
from evenkeel.data.commands.text import aligned_lines, json_line, printable
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.client_words import answers_of
from evenkeel.data.scenarios.leaders import client_of, comparison_of
from evenkeel.data.scenarios.scenario.scenario import FORMAT, ApplicationScenario
from evenkeel.data.scenarios.stored_groups import group_at
from evenkeel.data.text.formats import UNKNOWN
from evenkeel.data.whatif.answer import replay_lines

if TYPE_CHECKING:
    from evenkeel.data.lake.history.instants import Instants

EXAMPLES = """\
examples:
  evenkeel replay scenario.json
  evenkeel replay scenario.json --assignor sticky uniform | jq -c '[.step, .assignor]'
  evenkeel compare scenario.json --step 1
  evenkeel replay --group payments --from 2026-11-02 --to 2026-11-09
  evenkeel replay --group payments billing --json --lake s3://bucket/lake --master spark://spark-1:7077

The first line has the hashes of the scenario and of its answers, and Evenkeel's version. Each
further line has the answer of one assignor to one step. Step 0 is the group as listed, with the
answers of `evenkeel compare`. Step 1 starts from the group as listed. Each later step starts from
the end of the previous step under the same assignor. If the scenario is of a Streams application,
task assignors answer it.

If `advance` has no rates, the rates come from the group's snapshots in the lake, up to the
scenario's `taken_at`. The first line then contains `steps` with the rates: a scenario with these
steps gives the same answers without the lake.

columns of a history:
  the lag of the worst member over the snapshots, mean and largest
  partitions moved from each answer to the next
  regret: the mean worst lag under the actual owners minus the mean worst lag under the assignor
  snapshots at which the worst lag under the assignor is lower than under the actual owners
If an assignor has no answer, its error is below the table.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "scenario",
        metavar="SCENARIO",
        nargs="?",
        help=f"a scenario document, {FORMAT}; - reads standard input",
    )
    parser.add_argument(
        "--assignor",
        metavar="NAME",
        nargs="+",
        action="extend",
        help=(
            f"only these of {', '.join([*ASSIGNORS, *TASK_ASSIGNORS])} and the plug-ins of the"
            " configuration (default: the scenario's assignors)"
        ),
    )
    parser.add_argument(
        "--group",
        metavar="G",
        nargs="+",
        action="extend",
        help="replay the history of these groups instead of a scenario",
    )
    add_range(parser)
    parser.add_argument(
        "--json",
        action="store_true",
        help="write a history as JSON, not as a table; a scenario is always JSON",
    )
    parser.add_argument(
        "--master",
        metavar="URL",
        default="local[*]",
        help="where Spark runs: local[*] (default), spark://host:port",
    )


def run(options: argparse.Namespace) -> int:
    """Write the lines to standard output."""
    if options.group:
        return _run_history(options)
    if options.scenario is None:
        raise SnapshotError("no scenario and no --group, expected one of the two")
    scenario = scenario_in(inputs_of([options.scenario]))
    if scenario is None:
        named = "standard input" if options.scenario == STANDARD_INPUT else options.scenario
        raise SnapshotError(f"{named}: no scenario, expected a JSON document with format {FORMAT}")
    lines = replay_lines(
        scenario, options.assignor, configuration(), lake_of(options), options.cluster
    )
    client = (
        JAVA
        if isinstance(scenario, ApplicationScenario)
        else client_of(scenario.group.leader, scenario.settings.client)
    )
    if client != JAVA:
        print(f"evenkeel: {answers_of(client)}", file=sys.stderr)
    sys.stdout.writelines(map(json_line, lines))
    return 0


def _run_history(options: argparse.Namespace) -> int:
    from evenkeel.data.lake.history.change_store import stored_history
    from evenkeel.data.pipeline.session import session, stopped_after
    from evenkeel.data.pipeline.timeline import Range, replay_groups

    if options.scenario is not None:
        raise SnapshotError(f"{options.scenario} and --group, expected one of the two")
    unknown = [name for name in options.assignor or () if name not in ASSIGNORS]
    if unknown:
        raise SnapshotError(
            f'--assignor: found "{unknown[0]}", expected one of {", ".join(ASSIGNORS)}'
        )
    one_group = options.group[0] if len(options.group) == 1 else None
    lake, past = with_past_of(
        lake_of(options), options.cluster, one_group, options.since, options.until
    )
    cluster = chosen_cluster(lake, options.cluster)
    chosen_instants(lake, cluster, options.since, options.until)
    with stopped_after(session(options.master)) as spark:
        replays = replay_groups(
            spark,
            lake,
            options.group,
            Range(cluster, options.since, options.until),
            options.assignor or (),
        )
    for replay in replays:
        if replay.problem:
            print(printable(f"evenkeel replay: {replay.problem}"), file=sys.stderr)
    if past is not None:
        assumed = f"present members are assumed in slots {past.words}"
        print(printable(f"evenkeel replay: {assumed}"), file=sys.stderr)
    groups = [replay.group_id for replay in replays if replay.file]
    tables = {name: stored_history(lake, "REPLAY", cluster, name) for name in groups}
    rows = [row for name, table in tables.items() for row in regret_rows(name, table)]
    sys.stdout.writelines(map(json_line, rows) if options.json else regret_lines(rows))
    for name, table in tables.items():
        silent = [
            row["assignor"]
            for row in rows
            if row["group_id"] == name and row["max_max_lag"] is row["moved_partitions"] is None
        ]
        if silent:
            instants = chosen_instants(lake, cluster, options.since, options.until, name)
            _say_why(group_at(lake, _last_moment(instants, table), name), silent)
    return 0 if groups else 2


def _last_moment(snapshots: "Instants", replay: pa.Table) -> str:
    place = np.argmin(np.abs(snapshots.axis.time - replay["taken_at"][-1].as_py().timestamp()))
    return snapshots.axis.batch[place]


def _say_why(group: ObservedGroup, names: Sequence[str]) -> None:
    for row in comparison_of(group).rows:
        if row.error and row.name in names:
            why = f"{group.group_id}: {row.error.java_class}: {row.error}"
            print(
                printable(f"evenkeel replay: {row.name} has no answer for {why}"), file=sys.stderr
            )


# A replayed history, one line for each assignor: the lag of its worst member, and the moves.


_COLUMNS = {
    "snapshots": "snapshots",
    "mean_max_lag": "mean max lag",
    "max_max_lag": "largest",
    "moved_partitions": "moved",
    "regret": "regret",
    "better_share": "better at",
}


def regret_rows(group_id: str, table: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield one row for each assignor, from the REPLAY of one group.

    `regret`: mean worst lag under the actual owners, minus mean worst lag under the assignor.
    `better_share`: the share of snapshots at which the assignor's worst lag is lower. Both use only
    the snapshots at which both lags are known.
    """
    names = table["assignor"].combine_chunks().flatten().to_pylist()
    lag, moves = (
        np.array(table[name].combine_chunks().flatten().to_pylist(), dtype=np.float64)
        for name in ("max_lag", "moved_partitions")
    )
    slot = np.repeat(np.arange(table.num_rows), [len(row) for row in table["assignor"].to_pylist()])
    current = np.full(table.num_rows, np.nan)
    is_current = np.array(names) == CURRENT
    current[slot[is_current]] = lag[is_current]
    for name in dict.fromkeys(names):
        mine = np.array(names) == name
        difference = current[slot[mine]] - lag[mine]
        known = difference[~np.isnan(difference)]
        yield {
            "group_id": group_id,
            "assignor": name,
            "snapshots": int(np.count_nonzero(~np.isnan(lag[mine]))),
            "mean_max_lag": _mean(lag[mine]),
            "max_max_lag": None if np.isnan(lag[mine]).all() else int(np.nanmax(lag[mine])),
            "moved_partitions": None
            if np.isnan(moves[mine]).all()
            else int(np.nansum(moves[mine])),
            "regret": _mean(difference),
            "better_share": float((known > 0).mean()) if known.size else None,
        }


def regret_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return `regret_rows` of some groups as lines of a table; empty if there are no rows."""
    if not rows:
        return []
    cells = [["group", "assignor", *_COLUMNS.values()]]
    cells += [
        [row["group_id"], row["assignor"], *(_cell(row[column], column) for column in _COLUMNS)]
        for row in rows
    ]
    return [printable(line) + "\n" for line in aligned_lines(cells, 2)]


def _cell(value: float | None, column: str) -> str:
    if value is None:
        return UNKNOWN
    return f"{value:.1%}" if column == "better_share" else f"{value:,.0f}"


def _mean(values: np.ndarray) -> float | None:
    return None if np.isnan(values).all() else round(float(np.nanmean(values)), 3)
