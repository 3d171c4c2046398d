"""What a diagnosis costs, in processor time: 5,000 groups, and one group of 100,000 partitions of
each cause.

python -m tests.benchmarks.diagnosis
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

import evenkeel
from evenkeel.data.commands.options.files import read_groups
from evenkeel.data.diagnosis import answer as answers
from evenkeel.data.diagnosis import offers
from evenkeel.data.diagnosis.answer import diagnosed
from evenkeel.data.diagnosis.many import readings_of_all
from evenkeel.data.diagnosis.reading import Readings
from tests.data.diagnosis.listed import listing
from tests.data.diagnosis.test_kinds import KINDS

GROUPS = 5_000
_RUNS = 10
PARTITIONS, MEMBERS = 100_000, 200


def _fresh(readings: Readings) -> Readings:
    """Return readings whose arrays nobody has looked at."""
    return readings._replace(now=replace(readings.now, snapshot=replace(readings.now.snapshot)))


def _seconds(some: Sequence[Readings]) -> float:
    began = time.process_time()
    for one in some:
        _ = diagnosed(one).sentence
    return time.process_time() - began


def _many(name: str, texts: Sequence[tuple[str, str]]) -> None:
    """Print the processor time of 5,000 groups, that of assignors apart: the least of some runs."""
    groups = [read_groups([(file, text.encode())]) for file, text in texts]
    readings = [one for each in groups for one in readings_of_all(each.parsed, each.keys)]
    runs = []
    for _ in range(_RUNS):
        spent: list[float] = []
        answers.offers_of = _timed(offers.offers_of, spent)
        part = [_fresh(readings[number % len(readings)]) for number in range(GROUPS // _RUNS)]
        runs.append((_seconds(part) - sum(spent), sum(spent)))
        answers.offers_of = offers.offers_of
    own, assignors = min(runs)
    print(f"{name}: {_RUNS * own:.2f} s, assignors {_RUNS * assignors:.2f} s", flush=True)


def _lags(kind: str) -> np.ndarray:
    generator, owner = np.random.default_rng(1), np.arange(PARTITIONS) % MEMBERS
    if kind == "fine":
        return generator.integers(0, 4, PARTITIONS)
    if kind == "silent_member":
        return np.where(owner == 3, 9_000, 5)
    if kind == "behind":
        return generator.integers(4_000, 6_000, PARTITIONS)
    if kind == "one_partition":
        return np.where(
            np.arange(PARTITIONS) == 77, 5_000_000, generator.integers(0, 9, PARTITIONS)
        )
    heavy = generator.integers(4_000, 12_000, PARTITIONS)
    return np.where(owner < MEMBERS // 10, heavy, generator.integers(2_000, 6_000, PARTITIONS))


def _large(kind: str) -> None:
    names = [f"m{number}" for number in range(MEMBERS)]
    owned = {name: {"t": list(range(row, PARTITIONS, MEMBERS))} for row, name in enumerate(names)}
    group = evenkeel.group({"t": PARTITIONS}, names, owned, {"t": _lags(kind).tolist()})
    readings = Readings(group._observed)
    _seconds([_fresh(readings)])
    one = _fresh(readings)
    spent: list[float] = []
    answers.offers_of = _timed(offers.offers_of, spent)
    whole = _seconds([one])
    answers.offers_of = offers.offers_of
    code = diagnosed(one).code.value
    print(
        f"{kind} ({code}): {1e3 * (whole - sum(spent)):.0f} ms, assignors {1e3 * sum(spent):.0f} ms"
    )


def _timed(made: Callable, spent: list[float]) -> Callable:
    """Return `offers_of` that also notes the time of its assignors, which a comparison runs
    anyway.
    """

    def offers_of(*arguments: object) -> Callable:
        run = made(*arguments)

        def timed(lag: np.ndarray) -> Sequence:
            began = time.process_time()
            result = run(lag)
            spent.append(time.process_time() - began)
            return result

        return timed

    return offers_of


if __name__ == "__main__":
    _many("5,000 groups as in a cluster", [("a.txt", listing("cluster"))])
    _many("5,000 groups, one of each kind in turn", [(one["file"], one["text"]) for one in KINDS])
    for kind in KINDS:
        _many(f"5,000 groups of {kind['kind']}", [(kind["file"], kind["text"])])
    for cause in ("fine", "silent_member", "behind", "one_partition", "uneven"):
        _large(cause)
