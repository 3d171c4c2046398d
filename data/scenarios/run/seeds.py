"""How much an answer depends on the random ids of new members: a step run with many seeds.

Ids decide ties, so an answer for a group with new members is one of several possible answers.
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
    """How one figure differs between seeds: the median, and the range of the middle 90 %.

    `is_one`: whether the figure is the same for all seeds.
    """

    low: int
    median: int
    high: int
    is_one: bool


@dataclass(frozen=True, eq=False)
class SeedFigures:
    """One value of a figure for each seed, int64 (seeds,); unknown values are left out."""

    moved_partitions: np.ndarray
    max_lag: np.ndarray


def draws_ids(step: Step) -> bool:
    """Return whether a step creates ids; Kafka makes such ids at random."""
    return any(hasattr(edit, "seed") for _, edit in step.edits_on)


def with_seed(step: Step, seed: int) -> Step:
    """Return the step with the seed `seed` in every edit that creates ids."""
    edits = [
        msgspec.structs.replace(edit, seed=seed) if hasattr(edit, "seed") else edit
        for edit in step.edits
    ]
    return msgspec.structs.replace(step, edits=edits)


def drawn(
    start: ObservedGroup, step: Step, number: int, assignor: Assignor, seeds: int = SEEDS
) -> Iterator[SeedFigures]:
    """Run a step with one seed after another; after each, yield the figures of all seeds so far.

    `number`: index of the step in the scenario.
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
    """Return the figures for all seeds, with one of Evenkeel's own assignors."""
    assignor = remembering(own_assignor(name, start, settings), start)
    *_, last = drawn(start, step, number, assignor, seeds)
    return last


def spread(figures: np.ndarray) -> Spread | None:
    """Return how a figure differs between seeds; None if the figure is unknown for all seeds."""
    if not figures.size:
        return None
    low, median, high = np.percentile(figures, (_LOW, _HALF, _HIGH), method="nearest").tolist()
    return Spread(int(low), int(median), int(high), bool((figures == figures[0]).all()))
