"""How long histories take: a lake of a simulated collector, one group of it read and looked at,
groups replayed by Spark.

python -m tests.benchmarks.history --groups 200 --partitions 100 --days 7
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pyspark.sql import SparkSession

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.timeline.events import events
from evenkeel.assignors.timeline.now import Now, now
from evenkeel.assignors.timeline.replay import Offsets, answers, worst_lag
from evenkeel.data.lake.history.history import History
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.totals import totals_in
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.pipeline.session import session
from evenkeel.data.pipeline.timeline import Range, replay_groups
from tests.benchmarks.assignors.shapes import columns
from tests.benchmarks.ingest import Processes
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import BEGIN, CLUSTER, Plan, plan_with_trouble
from tests.generated.stored import read_history, recent_verdicts

_TIMES = 3


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--groups", type=int, default=200)
    parser.add_argument("--partitions", type=int, default=100)
    parser.add_argument("--days", type=float, default=7)
    parser.add_argument("--replayed", type=int, default=8, help="groups that Spark replays")
    parser.add_argument(
        "--gap", action="store_true", help="three of the last 40 slots have no snapshot"
    )
    parser.add_argument("--lake", help="a folder that has this lake already, or gets it")
    parser.add_argument(
        "--cores", type=int, help="only replay the groups of this lake, on so many cores"
    )
    options = parser.parse_args()
    if options.cores:
        print(_replay_seconds(place_of(options.lake), options.replayed, options.cores))
        return
    plan = plan_with_trouble(
        groups=options.groups, partitions=options.partitions, days=options.days
    )
    if options.gap:
        plan = replace(plan, missed=((plan.slot_count - 20, plan.slot_count - 18),))
    with tempfile.TemporaryDirectory(prefix="evenkeel-history-") as folder:
        lake = place_of(options.lake or f"{folder}/lake")
        if not (lake.folder / "manifests").exists():
            _timed("written", lambda: write_lake(lake, plan))
        _print_sizes(lake, plan)
        _print_reading(lake, plan)
        _print_replay(lake, min(options.replayed, plan.groups))


def _print_sizes(lake: Place, plan: Plan) -> None:
    samples = (
        plan.groups
        * plan.partitions
        * (plan.slot_count - sum(last - first + 1 for first, last in plan.missed))
    )
    sizes = {
        one.name: [file.stat().st_size for file in one.rglob("*") if file.is_file()]
        for one in lake.folder.iterdir()
        if one.is_dir()
    }
    for name, of_files in sizes.items():
        print(
            f"{name}: {len(of_files)} files, {sum(of_files) / samples:.2f} bytes a partition sample"
        )
    print(
        f"all: {sum(map(len, sizes.values()))} files, {sum(map(sum, sizes.values())) / samples:.2f}"
        f" bytes for {samples:,} partition samples"
    )


def _print_reading(lake: Place, plan: Plan) -> None:
    end = plan.time(plan.slot_count - 1) + timedelta(seconds=1)
    for name, since in (("24 hours", end - timedelta(hours=24)), ("the whole range", None)):
        history = _timed(
            f"one group, {name}: read",
            lambda: read_history(lake, "group-0000", CLUSTER, since, end),
        )
        found = _timed(
            f"one group, {name}: rates, time lag, verdicts of every slot, capacities",
            lambda: _looked(history),
        )
        _timed(f"one group, {name}: events", lambda: events(history.series, found.verdicts))
    _timed(
        "one group, the whole range: total lag alone",
        lambda: totals_in(lake, "group-0000", instants(lake, CLUSTER)),
    )
    _timed(
        f"{plan.groups:,} groups, last 40 slots: verdicts and drains of all",
        lambda: recent_verdicts(lake, CLUSTER),
    )


def _looked(history: History) -> Now:
    return now(history.series)


def _print_replay(lake: Place, groups: int) -> None:
    """Print the fastest of some runs on one core and on two, each in a process of its own that has
    no other core.
    """
    fastest = []
    for cores in (1, 2):
        options = ["--lake", str(lake.folder), "--replayed", str(groups), "--cores", str(cores)]
        command = [sys.executable, "-m", "tests.benchmarks.history", *options]
        cells, taken, used = map(
            float,
            subprocess.run(command, check=True, capture_output=True, text=True).stdout.split(),
        )
        fastest.append(taken)
        print(
            f"replay on {cores} core{'s' * (cores > 1)}: {cells:,.0f} owner cells, {taken:.2f} s,"
            f" {cells / taken:,.0f} a second,",
            end=" ",
        )
        print(f"processor {used:.2f} s, {cells / used:,.0f} for each second of it", flush=True)
    print(f"2 cores ÷ 1 core: {fastest[0] / fastest[1]:.2f}")
    _print_assignors(read_history(lake, "group-0000", CLUSTER))


def _replay_seconds(lake: Place, groups: int, cores: int) -> str:
    """Return owner cells, the seconds of the fastest run, and the least processor time of one; it
    tells what a busy machine hides.
    """
    names, runs = [f"group-{number:04d}" for number in range(groups)], []
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    processes = Processes(pause=5)
    with session(f"local[{cores}]") as spark:
        _replay(spark, lake, names[:cores])
        for _ in range(_TIMES):
            began, used = time.perf_counter(), processes.seconds()
            cells = _replay(spark, lake, names)
            runs.append((time.perf_counter() - began, processes.seconds() - used))
    return f"{cells} {min(runs)[0]} {min(used for _, used in runs)}"


def _print_assignors(history: History) -> None:
    """Print how fast each assignor alone is, without reading."""
    series = history.series
    offsets = Offsets(series.begin_offset, series.committed_offset, series.end_offset, series.lag)
    group = columns(1, series.tp_count, len(series.member_id))
    for name, assignor in ASSIGNORS.items():
        runs = []
        for _ in range(_TIMES):
            used = time.process_time()
            owner = answers(group, offsets, assignor(), None)
            worst_lag(owner, series.lag, group.member_count)
            runs.append(time.process_time() - used)
        print(
            f"{name}: {owner.size / min(runs):,.0f} owner cells for each second of processor time"
        )


def _replay(spark: SparkSession, lake: Place, names: list[str]) -> int:
    return sum(one.cells for one in replay_groups(spark, lake, names, Range(CLUSTER, BEGIN)))


def _timed(name: str, work: Callable[[], Any]) -> Any:
    """Print how long the fastest and the slowest run took, and processor time of the fastest."""
    runs = []
    for _ in range(1 if name == "written" else _TIMES):
        began, used = time.perf_counter(), time.process_time()
        result = work()
        runs.append((time.perf_counter() - began, time.process_time() - used))
    print(
        f"{name}: {min(runs)[0]:.2f} to {max(runs)[0]:.2f} s, processor"
        f" {min(used for _, used in runs):.2f} s",
        flush=True,
    )
    return result


if __name__ == "__main__":
    main()
