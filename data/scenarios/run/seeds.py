"""The effect of future member ids: the same step with other seeds.

New members get random ids, and ids decide ties. So an answer with new members is one of several
possible answers.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from evenkeel.assignors.protocol import Assignor
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.run.group_step import own_assignor, remembering, step_answer
from evenkeel.data.scenarios.scenario.scenario import Settings, Step

SEEDS = 200
_LOW, _HALF, _HIGH = 5, 50, 95


@dataclass(frozen=True)
class Spread:
    """The median of one figure over all seeds.

    90 % of the seeds are from `low` to `high`. `is_one`: all seeds have the same value.
    """

    low: int
    median: int
    high: int
    is_one: bool


@dataclass(frozen=True, eq=False)
class SeedFigures:
    """One figure for each seed, int64 (seeds,); seeds with an unknown figure are left out."""

    moved_partitions: np.ndarray
    max_lag: np.ndarray


def draws_ids(step: Step) -> bool:
    """Return whether a step makes ids that are random in Kafka."""
    return any(hasattr(edit, "seed") for _, edit in step.edits_on)


def with_seed(step: Step, seed: int) -> Step:
    """Return the step with this seed in every edit that makes ids."""
    edits = [
        msgspec.structs.replace(edit, seed=seed) if hasattr(edit, "seed") else edit
        for edit in step.edits
    ]
    return msgspec.structs.replace(step, edits=edits)


def drawn(
    start: ObservedGroup, step: Step, number: int, assignor: Assignor, seeds: int = SEEDS
) -> Iterator[SeedFigures]:
    """Carry out a step with each seed in turn; after each seed, yield the figures of all seeds so
    far.

    `number`: the step's place in the scenario, from 0.
    """
    moved, worst = [], []
    for seed in range(seeds):
        answer = step_answer(start, with_seed(step, seed), number, assignor)
        moved += [] if answer.moved_partitions is None else [answer.moved_partitions]
        max_lag = answer.balance and answer.balance.max_lag
        worst += [] if max_lag is None else [max_lag]
        yield SeedFigures(np.array(moved, dtype=np.int64), np.array(worst, dtype=np.int64))


def all_drawn(
    start: ObservedGroup, step: Step, number: int, name: str, settings: Settings, seeds: int
) -> SeedFigures:
    """Return the figures of all seeds by one of Evenkeel's own assignors."""
    assignor = remembering(own_assignor(name, start, settings), start)
    *_, last = drawn(start, step, number, assignor, seeds)
    return last


def spread(figures: np.ndarray) -> Spread | None:
    """Return the spread of one figure, None if no seed has it."""
    if not figures.size:
        return None
    low, median, high = np.percentile(figures, (_LOW, _HALF, _HIGH), method="nearest").tolist()
    return Spread(int(low), int(median), int(high), bool((figures == figures[0]).all()))
