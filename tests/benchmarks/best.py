"""The best assignment against its goals: `python -m tests.benchmarks.best [--tries 3]`.

Seconds of processor time, the smallest of the tries, of one core; at a million partitions as a
multiple of `np.sort` of the lags.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.best.bounds import lower_bounds
from evenkeel.assignors.best.frontier import frontier
from evenkeel.assignors.best.problem import problem_of
from evenkeel.assignors.best.request import Request
from evenkeel.assignors.best.right_size import right_size
from evenkeel.assignors.best.search import Search, best
from evenkeel.assignors.best.start import from_scratch
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import page_lag
from tests.assignors.best.everything import random_request
from tests.assignors.groups import Member, group
from tests.judge.best_conformance import difference

_LARGE, _MEMBERS = 1_000_000, 2_000


class Line(NamedTuple):
    """A row of the table: what was done, the goal and the figure in its unit, and what was
    reached.
    """

    what: str
    goal: float
    found: float
    unit: str
    reached: str

    @property
    def text(self) -> str:
        """The row in Markdown."""
        mark = "" if self.found <= self.goal else " **missed**"
        return (
            f"| {self.what} | {self.goal:g} {self.unit} | {self.found:.3g} {self.unit}{mark} |"
            f" {self.reached} |"
        )


def lags(count: int, seed: int = 1) -> np.ndarray:
    """Return lags as groups have them: most small, a few large."""
    return np.random.default_rng(seed).lognormal(8, 1, count).astype(np.int64)


def runs(count: int, members: int, lag: np.ndarray) -> GroupSnapshot:
    """Return one topic of which each member has a run of partitions, as `range` gives it."""
    starts = [count * row // members for row in range(members + 1)]
    owned = [
        " ".join(f"t-{number}" for number in range(*pair))
        for pair in zip(starts, starts[1:], strict=False)
    ]
    return group(
        {"t": count},
        {f"m{row:04}": Member("t", owned=one) for row, one in enumerate(owned)},
        lag=lag.tolist(),
    )


def seconds(work: Callable[[], object], tries: int) -> tuple[float, object]:
    """Return the least processor time, and the answer."""
    times, found = [], None
    for _ in range(tries):
        begin = time.process_time()
        found = work()
        times.append(time.process_time() - begin)
    return min(times), found


def tiny(tries: int) -> Line:
    """Return the row of tiny groups with all limits."""
    requests = [random_request(np.random.default_rng([77, place])) for place in range(100 * tries)]
    spent, wrong = seconds(lambda: sum(difference(request) is not None for request in requests), 1)
    return Line(
        f"{len(requests)} tiny groups, all limits, tried too",
        0,
        wrong,
        "wrong",
        f"{1000 * spent / len(requests):.1f} ms each",
    )


def middle(count: int, members: int, most: tuple[float, float], tries: int) -> list[Line]:
    """Return the rows of the best assignment and the frontier."""
    given = runs(count, members, lags(count))
    size = f"{count:,} × {members}"
    spent, one = seconds(lambda: best(given), tries)
    said = f"gap {one.gap:.4%}, {one.moves} moves"
    rows = [
        Line(f"{size} best", most[0], spent, "s", said),
        Line(f"{size} gap", 0.1, 100 * one.gap, "%", ""),
    ]
    spent, curve = seconds(lambda: frontier(given), tries)
    widest = max(point.best.gap for point in curve.points)
    return [
        *rows,
        Line(
            f"{size} frontier of {len(curve.points)} points",
            most[1],
            spent,
            "s",
            f"band at most {widest:.1%} wide",
        ),
    ]


def sizes(tries: int) -> Line:
    """Return the row of the right size."""
    given = runs(10_000, 100, lags(10_000))
    spent, found = seconds(lambda: right_size(given), tries)
    return Line(
        f"10,000 partitions, right size of {len(found.points)} points",
        3,
        spent,
        "s",
        f"{found.useful[0]:,} to {found.useful[1]:,} members help",
    )


def large(tries: int) -> list[Line]:
    """Return the rows of a million partitions, as multiples of sorting the lags."""
    lag = lags(_LARGE)
    given = runs(_LARGE, _MEMBERS, lag)
    unit, _ = seconds(lambda: np.sort(page_lag(given)), tries)
    nothing = problem_of(_unowned(given), Request())
    spent, value = seconds(lambda: _scratch(nothing), tries)
    rows = [
        Line(
            "1M × 2,000 from scratch, with its bounds",
            10,
            spent / unit,
            "× sort",
            f"{spent:.2f} s, gap {value:.4%}",
        )
    ]
    limited = problem_of(given, Request(moves=2_000))
    spent, _ = seconds(lambda: lower_bounds(replace(limited, known={})), tries)
    rows.append(
        Line("1M × 2,000 all bounds with 2,000 moves", 60, spent / unit, "× sort", f"{spent:.2f} s")
    )
    spent, one = seconds(lambda: Search(replace(limited, known={})).run([]), tries)
    rows.append(
        Line(
            "1M × 2,000 from the owners now, 2,000 moves",
            60,
            spent / unit,
            "× sort",
            f"{spent:.2f} s, gap {one.gap:.2%}",
        )
    )
    return rows


def _scratch(problem) -> float:
    bound = max(one.value for one in lower_bounds(problem))
    return float(problem.worst(from_scratch(problem))[0] / bound) - 1


def _unowned(given: GroupSnapshot) -> GroupSnapshot:
    none = np.empty(0, dtype=np.int32)
    return replace(given, claim_member=none, claim_topic=none, claim_partition=none)


def main() -> int:
    """Print the table; exit code 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=3)
    tries = parser.parse_args().tries
    rows = [
        tiny(tries),
        *middle(1_000, 50, (0.5, 3), tries),
        *middle(10_000, 100, (2, 5), tries),
        sizes(tries),
        *large(tries),
    ]
    print("| | goal | measured | |\n|---|---|---|---|")
    print("\n".join(row.text for row in rows))
    return int(any(row.found > row.goal for row in rows))


if __name__ == "__main__":
    sys.exit(main())
