"""How often a group is drained within its band: simulated members whose rates are known.

python -m tests.benchmarks.drains --runs 400

Three members, slots of 30 s. A member reads 100 records/s on average, in steps whose differences
have a name; 25 come in. The band is told from 40 slots or from a quarter of a day, for a lag of so
many slots.
"""

import argparse
from collections.abc import Callable

import numpy as np

from evenkeel.assignors.group.drain import Band, band, drain
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.speed import behind
from evenkeel.assignors.timeline.draws import draws
from tests.generated.histories import series_of

SECONDS, CAPACITY, COMES, MEMBERS = 30, 100, 25, 3
PLANS = ((40, 20), (40, 100), (720, 50), (720, 300))
"""Slots that are seen, and slots that the drain takes on average."""


def main() -> None:
    """Print a line for each kind and plan."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=400)
    runs = parser.parse_args().runs
    print(
        f"{'members':12}{'seen':>6}{'drain':>7}{'inside':>8}"
        f"{'too late':>10}{'error':>8}{'of sign':>9}{'width':>7}"
    )
    for name, steps in KINDS.items():
        for seen, taken in PLANS:
            print(f"{name:12}{seen:6}{taken:7}" + _line(steps, seen, taken, runs), flush=True)


def _line(steps: Callable[..., np.ndarray], seen: int, taken: int, runs: int) -> str:
    found = [
        _run(steps, seen, taken, np.random.default_rng([number, seen, taken]))
        for number in range(runs)
    ]
    low, middle, high, true = np.array([[*predicted, true] for predicted, true in found]).T
    # An end that is never has no width; a median does not mind how wide that would be.
    error, width = (
        (middle - true) / true,
        np.where(np.isinf(high), np.inf, high - np.where(np.isinf(low), 0, low)) / true,
    )
    inside = np.mean((low <= true) & (true <= high))
    return (
        f"{inside:8.0%}{np.mean(true > high):10.0%}{np.median(abs(error)):8.1%}"
        f"{np.median(error):+9.1%}{np.median(width):7.0%}"
    )


def _run(
    steps: Callable[..., np.ndarray], seen: int, taken: int, chance: np.random.Generator
) -> tuple[Band, float]:
    rate = np.maximum(steps(chance, seen + 20 * taken), 0.01)
    arrived = chance.poisson(COMES * SECONDS, (len(rate), MEMBERS))
    read = np.rint(CAPACITY * rate * SECONDS).astype(np.int64)
    lag = np.rint((CAPACITY - COMES) * taken * SECONDS * np.array([1, 0.9, 0.6])).astype(np.int64)
    committed = np.cumsum(read[:seen], axis=0)
    end = committed[-1] + lag - arrived[:seen].sum(axis=0) + np.cumsum(arrived[:seen], axis=0)
    # Offsets begin late enough that all slots are behind.
    series = series_of(
        end + 10**7,
        np.minimum(committed + 10**7, end + 10**7),
        np.tile(np.arange(MEMBERS), (seen, 1)),
        member_count=MEMBERS,
    )
    return _predicted(series, chance), max(
        _seconds((read - arrived)[seen:, one], lag[one]) for one in range(MEMBERS)
    )


def _predicted(series: Series, chance: np.random.Generator) -> Band:
    drawn = draws(series, chance)
    return band(
        drain(
            behind(series.lag[-1], drawn.on_the_way),
            drawn.in_rate,
            series.owner[-1],
            drawn.busy_rate,
            drawn.spread,
            drawn.proven,
        ).group
    )


def _seconds(falls: np.ndarray, lag: int) -> float:
    """Return when a lag that falls by so many records in each step is 0, inf if it is not within
    them.
    """
    left = lag - np.cumsum(falls)
    step = int(np.argmax(left <= 0))
    return (step + 1 + left[step] / falls[step]) * SECONDS if left[step] <= 0 else np.inf


def _noise(chance: np.random.Generator, count: int) -> np.ndarray:
    return 1 + 0.3 * chance.standard_normal((count, MEMBERS))


def _alike(chance: np.random.Generator, count: int) -> np.ndarray:
    """Steps that are like the one before: they forget half of it in 3."""
    errors = chance.standard_normal((count, MEMBERS))
    for row in range(1, count):
        errors[row] = 0.8 * errors[row - 1] + 0.6 * errors[row]
    return 1 + 0.25 * errors


def _stops(chance: np.random.Generator, count: int) -> np.ndarray:
    """Nothing is read for 3 steps on average, every 25."""
    return _spells(chance, count, 0.0, 3, 25)


def _slow_spells(chance: np.random.Generator, count: int) -> np.ndarray:
    """0.4 of the usual rate for 20 steps on average, every 100."""
    return _spells(chance, count, 0.4, 20, 100)


def _spells(
    chance: np.random.Generator, count: int, slow: float, length: float, every: float
) -> np.ndarray:
    begins, ends = (
        chance.random((2, count, MEMBERS))
        < np.array([1 / (every - length), 1 / length])[:, None, None]
    )
    is_slow = np.zeros((count, MEMBERS), dtype=bool)
    is_slow[0] = chance.random(MEMBERS) < length / every
    for row in range(1, count):
        is_slow[row] = np.where(is_slow[row - 1], ~ends[row], begins[row])
    return np.where(is_slow, slow, 1.0) / (1 - (1 - slow) * length / every)


def _together(chance: np.random.Generator, count: int) -> np.ndarray:
    """What differs is their machine's."""
    return (
        1
        + 0.3 * chance.standard_normal((count, 1))
        + 0.1 * chance.standard_normal((count, MEMBERS))
    )


KINDS = {
    "noise": _noise,
    "alike": _alike,
    "stops": _stops,
    "slow spells": _slow_spells,
    "together": _together,
}


if __name__ == "__main__":
    main()
