"""How long the Timeline needs for the whole range of a group: its figures, the strip above it, the
replay, the drawing.

python -m tests.benchmarks.timeline --groups 4 --partitions 100 --days 7
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from evenkeel.dashboard.groups.verdicts import last_batch
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.readings import whole_range
from evenkeel.dashboard.timeline.figures.figure import Areas, Marks, Owners, Span, timeline
from evenkeel.dashboard.timeline.loading import overviews, timelines
from evenkeel.dashboard.timeline.loading.timelines import Timeline
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import place_of
from evenkeel.data.timeline.regret import regret
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan, plan_with_trouble

_TIMES = 3


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--groups", type=int, default=4)
    parser.add_argument("--partitions", type=int, default=100)
    parser.add_argument("--days", type=float, default=7)
    parser.add_argument(
        "--rebalances",
        type=int,
        default=0,
        help="of group 0, one every 20 slots, up to the last slot",
    )
    options = parser.parse_args()
    plan = plan_with_trouble(
        groups=options.groups, partitions=options.partitions, days=options.days
    )
    slots = range(plan.slot_count - 1, 0, -20)[: options.rebalances]
    with tempfile.TemporaryDirectory(prefix="evenkeel-timeline-") as folder:
        os.environ["EVENKEEL_LAKE"] = folder
        write_lake(
            place_of(folder),
            replace(plan, rebalances=plan.rebalances | ({0: tuple(slots)} if slots else {})),
        )
        _measure(folder, plan)


def _measure(folder: str, plan: Plan) -> None:
    lake = place_of(folder)
    _timed("the list of snapshots", lambda: instants(lake, CLUSTER))
    group = OpenGroup(batch=last_batch(CLUSTER), group_id=plan.group_names[0])
    ends = whole_range(group)
    _timed("the strip of a week", lambda: overviews.overview(group, *ends))
    shown = _timed(
        "all that the page shows, but the replay", lambda: timelines.timeline(group, *ends)
    )
    print(
        f"{shown.slot_count:,} snapshots, {len(shown.events):,} events,"
        f" {sum(len(one.rows) for one in shown.bursts):,} rebalances"
    )
    _timed("the replay", lambda: regret(lake, shown.sample))
    _timed("the figure", lambda: _drawn(shown))


def _drawn(shown: Timeline) -> str:
    rows, partitions, topics = shown.owned[0]
    owners = Owners(
        rows, shown.owner_names, partitions, shown.partition_count, topics, shown.topic_names
    )
    span = Span(shown.since, shown.until, shown.ahead)
    return timeline(Areas(shown.lags, shown.names), owners, Marks(shown.bursts), span).to_json()


def _timed(what: str, work: Callable[[], Any]) -> Any:
    """Print how long the fastest and the slowest of three runs took, and processor time of the
    fastest; nothing is kept between them.
    """
    runs = []
    for _ in range(_TIMES):
        ALL.clear()
        began, used = time.perf_counter(), time.process_time()
        result = work()
        runs.append((time.perf_counter() - began, time.process_time() - used))
    print(
        f"{what}: {min(runs)[0]:.2f} to {max(runs)[0]:.2f} s, processor"
        f" {min(used for _, used in runs):.2f} s",
        flush=True,
    )
    return result


if __name__ == "__main__":
    main()
