"""How long What-if needs to say when each step of a group is drained: 200 draws, every assignor,
three steps.

python -m tests.benchmarks.step_times --partitions 10000 --members 100
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from typing import Any

from evenkeel.dashboard.shell.loading.speeds import speeds
from evenkeel.dashboard.shell.loading.views import view
from evenkeel.dashboard.shell.loading.walks import walked
from evenkeel.dashboard.view import OpenGroup
from evenkeel.dashboard.whatif.loading import step_times
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.store import batches
from evenkeel.data.scenarios.edits.add_members import AddMembers
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.edits.set_partition_count import SetPartitionCount
from evenkeel.data.scenarios.run.step_drains import StepDrains, former_ids
from evenkeel.data.scenarios.scenario.scenario import Step
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import Plan

_SLOTS = 50
_LIKE = "member-0-4b1e"


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--partitions", type=int, default=10_000)
    parser.add_argument("--members", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evenkeel-steps-") as folder:
        os.environ["EVENKEEL_LAKE"] = folder
        days = _SLOTS * 30 / 86_400
        write_lake(
            place_of(folder),
            Plan(1, options.partitions, options.members, days, stalled={0: (3, 10, 30)}),
        )
        _measure(
            OpenGroup(
                batch=max(one.batch for one in batches(place_of(folder))), group_id="group-0000"
            ),
            options.partitions,
        )


def _measure(group: OpenGroup, partitions: int) -> None:
    steps = [
        Step(edits=[RemoveMembers(member_ids=["member-3-4b1e"])]),
        Step(edits=[AddMembers(count=5, like=_LIKE)]),
        Step(edits=[SetPartitionCount(topic="topic-0000", count=partitions * 6 // 5)]),
    ]
    seen = _timed("the group and every answer", lambda: view(group))
    walks = _timed(
        "the steps",
        lambda: {row.name: walked(group, steps, row.name) for row in seen.comparison.rows[1:]},
    )
    first = _timed(
        "the page's first look at the times", lambda: step_times(group, seen, steps, walks)
    )
    begun, looks = time.perf_counter(), first
    while looks.waiting:
        looks = step_times(group, seen, steps, walks)
    print(
        f"all {sum(map(len, looks.drains))} times, behind the page:"
        f" {time.perf_counter() - begun:.2f} s later"
    )
    drains, walk = StepDrains(seen.observed, *speeds(group)), next(iter(walks.values())).answers
    _timed("one of them", lambda: drains.of_answer(walk[2], former_ids(walk[:3])))
    _timed("one of a topic that grew", lambda: drains.of_answer(walk[3], former_ids(walk)))


def _timed(what: str, work: Callable[[], Any]) -> Any:
    begin, processor = time.perf_counter(), time.process_time()
    result = work()
    print(
        f"{what}: {time.perf_counter() - begin:.2f} s, {time.process_time() - processor:.2f} s of"
        " processor time"
    )
    return result


if __name__ == "__main__":
    main()
