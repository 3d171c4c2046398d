"""Task assignors of Kafka Streams beside Kafka's own classes: `python -m
tests.benchmarks.assignors.streams [--assignor NAME] [--case PART]`.

The sizes of Kafka's StreamsAssignmentScaleTest and of its rack-aware tests: one rebalance of an
application whose clients have no state, and one in which every task runs where the first put it.
Ours is measured from snapshot to answer, with threads and the revocation step; of Kafka only the
assignor's own call counts. Both take turns in one run on one core.
"""

import argparse
import os
from collections.abc import Iterator
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import msgspec

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.data.group.columns import application_from_document
from evenkeel.data.group.document import decode_application
from tests.benchmarks.assignors.timing import Calls, Times, side_by_side
from tests.judge.judge import Judge

RACKS = "abc"
LEADERS = ("high-availability", "legacy-sticky")


class Case(NamedTuple):
    """One size; `least`: how many times as long Kafka's class has to take."""

    tasks: int
    clients: int
    threads: int
    standbys: int
    strategy: str = "none"
    least: int = 10


CASES = {
    "6,000 tasks x 2": Case(6000, 2, 1, 1),
    "1,000 tasks x 1,000": Case(1000, 1000, 1, 1),
    "1,000 tasks x 100, 50 standbys": Case(1000, 100, 1, 50),
    "1,000 tasks x 10 with 1,000 threads": Case(1000, 10, 1000, 1),
    "100 tasks x 20, min_traffic": Case(100, 20, 1, 1, "min_traffic", 20),
    "200 tasks x 30, min_traffic": Case(200, 30, 1, 1, "min_traffic", 20),
    "300 tasks x 30, balance_subtopology": Case(300, 30, 1, 1, "balance_subtopology", 20),
}


def request(assignor: str, case: Case, answered: dict | None = None) -> dict:
    """Return the question; `answered`: Kafka's answer to the first rebalance, after which every
    task runs.
    """
    threads = answered["threads"] if answered else {}
    processes = [
        {
            "process_id": f"00000000-0000-0000-0000-{number:012x}",
            "rack": RACKS[number % len(RACKS)],
            "consumers": [
                _consumer(f"c{number:05}-{thread:05}", threads) for thread in range(case.threads)
            ],
        }
        for number in range(1, case.clients + 1)
    ]
    settings = {
        "num.standby.replicas": case.standbys,
        "rack.aware.assignment.strategy": case.strategy,
    }
    return {
        "assignor": assignor,
        "settings": settings,
        "group": {
            "format": "evenkeel.streams/1",
            "tasks": _tasks(case.tasks),
            "processes": processes,
        },
    }


def _tasks(count: int) -> list[dict]:
    racks = [[RACKS[number % 3], RACKS[(number + 1) % 3]] for number in range(3)]
    return [
        {
            "task_id": f"{number % 3}_{number // 3}",
            "stateful": True,
            "end_offset_sum": 100_000,
            "source_racks": [racks[number * 7 % 3]],
            "changelog_racks": [racks[number * 5 % 3]],
        }
        for number in range(count)
    ]


def _consumer(member_id: str, threads: dict) -> dict:
    got = threads.get(member_id, {"active": [], "standby": []})
    sums = dict.fromkeys(got["active"], -2) | dict.fromkeys(got["standby"], 100_000)
    return {"member_id": member_id, "owned": got["active"], "task_offset_sums": sums}


def ours(question: dict):
    """Return what makes so many calls of our assignor on a snapshot that was just read."""
    chosen = {key.replace(".", "_"): value for key, value in question["settings"].items()}
    assignor = TASK_ASSIGNORS[question["assignor"]](**chosen)
    document = decode_application(msgspec.json.encode(question["group"]))

    def calls(runs: int) -> Times:
        times = Times([], [])
        for _ in range(runs):
            snapshot = application_from_document(document)
            started, used = perf_counter(), process_time()
            assignor.assign(snapshot)
            times.wall.append((perf_counter() - started) * 1e3)
            times.processor.append((process_time() - used) * 1e3)
        return times

    return calls


def rows(assignor: str, name: str, case: Case, judge: Judge) -> Iterator[str]:
    """Yield a line for each of the two rebalances."""
    first = request(assignor, case)
    answered = judge.answer(assignor, first["group"], first["settings"])
    for step, question in (("first", first), ("again", request(assignor, case, answered))):
        judge.answer(assignor, question["group"], question["settings"])
        used: tuple[list[float], list[float]] = [], []
        kafka = _noted(lambda runs: Times(*judge.measured(assignor, runs).values()), used[1])
        mine, _, ratios = side_by_side(_noted(ours(question), used[0]), {"Kafka": kafka})
        processor = f"{median(used[0]):,.1f} | {median(used[1]):,.0f}"
        ratio = ratios["Kafka"]
        verdict = "met" if ratio.median >= case.least else "MISSED"
        yield (
            f"| `{assignor}` | {name} | {step} | {mine:,.1f} | {ratio.peer_ms:,.0f} | {ratio} |"
            f" {processor} | at least {case.least}: {verdict} |"
        )


def _noted(calls: Calls, used: list[float]) -> Calls:
    """Return calls that note the processor time of each, warm-up included: it says more than the
    clock on a machine that others share.
    """

    def noted(runs: int) -> Times:
        times = calls(runs)
        used.extend(times.processor)
        return times

    return noted


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assignor", choices=LEADERS, action="append")
    parser.add_argument("--case", default="", help="part of a case's name")
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    with Judge(memory="2g", options=()) as judge:
        for assignor in options.assignor or LEADERS:
            for name, case in CASES.items():
                if options.case in name:
                    for line in rows(assignor, name, case, judge):
                        print(line, flush=True)


if __name__ == "__main__":
    main()
