"""librdkafka's cooperative-sticky beside its own C code: `python -m
tests.benchmarks.assignors.librdkafka [--case M-win-leave ...]`.

Both answer the same group in one run, and the answers are compared. Timed is the assignor alone: of
ours the shortest of several calls, of theirs one call, because it takes seconds. Exit code 1 where
an answer differs or ours is less than five times as fast.
"""

import argparse
import contextlib
import sys
import time
from dataclasses import replace

from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.clients.librdkafka.cooperative_sticky import (
    LibrdkafkaCooperativeStickyAssignor,
)
from evenkeel.assignors.group import GroupSnapshot
from tests.benchmarks.assignors.cases import case, document
from tests.judge.conformance import ours
from tests.judge.differences import meaning
from tests.judge.librdkafka.judge import LibrdkafkaJudge

ASSIGNOR = LibrdkafkaCooperativeStickyAssignor()
CASES = (
    "D-eq-leave",
    "D-odd-leave",
    "D-win-leave",
    "D-win-fresh",
    "M-eq-leave",
    "M-odd-leave",
    "M-odd-join",
    "M-win-leave",
    "M-win-join",
)
GOAL = 5
_RUNS = 7


def main() -> int:
    """Print one line a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--case",
        action="append",
        help="shape, subscriptions and step of tests/benchmarks/assignors/cases.py",
    )
    options = parser.parse_args()
    print(
        "| case | ours ms | librdkafka ms | times as fast | answer |\n|---|---:|---:|---:|---|",
        flush=True,
    )
    with LibrdkafkaJudge(is_checked=False) as judge:
        met = [_is_met(name, judge) for name in options.case or CASES]
    return int(not all(met))


def _is_met(name: str, judge: LibrdkafkaJudge) -> bool:
    group = case(*name.split("-"))
    asked = document(group)
    theirs, milliseconds = judge.timed_answer(ASSIGNOR.name, asked)
    answer = ours(
        {"assignor": ASSIGNOR.name, "group": asked, "settings": {"client": ASSIGNOR.client}}
    )
    is_same, mine = meaning(answer) == meaning(theirs), _milliseconds(group)
    factor = milliseconds and milliseconds / mine
    said = "the same" if is_same else "differs"
    print(
        f"| {name} | {mine:.2f} | {_shown(milliseconds, 0)} | {_shown(factor, 0)} | {said} |",
        flush=True,
    )
    return is_same and (factor is None or factor >= GOAL)


def _milliseconds(group: GroupSnapshot) -> float:
    """Return the shortest of several calls, each on a snapshot without derived columns."""
    times = []
    for _ in range(_RUNS):
        fresh, start = replace(group), time.perf_counter()
        with contextlib.suppress(AssignorError):
            ASSIGNOR.assign(fresh)
        times.append((time.perf_counter() - start) * 1e3)
    return min(times)


def _shown(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


if __name__ == "__main__":
    sys.exit(main())
