"""What a simulated collector sees: a plan with a known truth, and the offsets of its groups from
slot to slot.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

CLUSTER = "simulated"
BEGIN = datetime(2026, 11, 2, tzinfo=UTC)


@dataclass(frozen=True)
class Plan:
    """G groups, their partitions in runs of so many topics; every so many seconds a slot.

    `stalled`: group -> (member, first slot, last slot) in which it reads nothing. `hot`: group -> a
    partition with 5 times the records of the others. `rebalances`: group -> slots at which each
    partition goes to the next member. `missed`: (first, last) slots without a snapshot.
    """

    groups: int = 200
    partitions: int = 100
    members: int = 10
    days: float = 7
    every: int = 30
    rate: float = 20.0
    topics: int = 1
    stalled: dict[int, tuple[int, int, int]] = None
    hot: dict[int, int] = None
    rebalances: dict[int, tuple[int, ...]] = None
    missed: tuple[tuple[int, int], ...] = ()

    @property
    def slot_count(self) -> int:
        return round(self.days * 86_400 / self.every)

    def topic_of(self) -> np.ndarray:
        """Return the topic of each partition of a group."""
        return np.arange(self.partitions) * self.topics // self.partitions

    def topic_names(self, group: int) -> list[str]:
        return [
            f"topic-{group:04d}" + f"-{chr(97 + topic)}" * (self.topics > 1)
            for topic in range(self.topics)
        ]

    @property
    def group_names(self) -> list[str]:
        return [f"group-{group:04d}" for group in range(self.groups)]

    @property
    def rows_of_group(self) -> dict[str, int]:
        """Rows that a group has in a slot, by table."""
        return {
            "OFFSETS": self.partitions,
            "MEMBERS": self.members,
            "LAG": self.partitions,
            "GROUP_LOAD": 1,
        }

    def time(self, slot: int) -> datetime:
        return BEGIN + timedelta(seconds=slot * self.every)


def plan_with_trouble(**sizes) -> Plan:
    """Return a plan with a stalled member in group 0, a hot partition in 1 and flapping owners in
    2; slots 1000 to 1019 are missed.
    """
    plan = Plan(**sizes)
    last = plan.slot_count - 1
    return Plan(
        **sizes,
        stalled={0: (3 % plan.members, max(last - 40, 1), last)},
        hot={1 % plan.groups: plan.partitions - 1},
        rebalances={2 % plan.groups: tuple(range(max(last - 200, 1), last, 20))},
        missed=((1000, 1019),) if last > 1100 else (),
    )


def plan_with_stall(first: int, last: int, groups: int = 1) -> Plan:
    """Return an hour in which the last of four members of group 0 reads nothing between two
    slots.
    """
    return Plan(groups=groups, partitions=8, members=4, days=1 / 24, stalled={0: (3, first, last)})


class State:
    """Offsets of all groups, (G, P), from slot to slot."""

    def __init__(self, plan: Plan, chance: np.random.Generator):
        self._plan, self._chance = plan, chance
        shape = plan.groups, plan.partitions
        self.end = chance.integers(10_000, 1_000_000, shape)
        self.committed = self.end - chance.integers(0, 100, shape)
        self.owner = np.tile(
            np.arange(plan.partitions, dtype=np.int32) * plan.members // plan.partitions,
            (plan.groups, 1),
        )
        self.generation = np.ones(plan.groups, dtype=np.int32)
        self._rate = np.full(shape, plan.rate) * chance.uniform(0.5, 1.5, shape)
        for group, partition in (plan.hot or {}).items():
            self._rate[group] = plan.rate
            self._rate[group, partition] = plan.rate * 5
        # Members can read half as much again as comes in when all is even.
        self._capacity = plan.rate * 2 * plan.partitions / plan.members

    def pass_slot(self, slot: int) -> None:
        """Let one slot pass."""
        seconds, plan = self._plan.every, self._plan
        self.end += self._chance.poisson(self._rate * seconds)
        lag = (self.end - self.committed).astype(np.float64)
        member = self.owner + np.arange(plan.groups, dtype=np.int32)[:, None] * plan.members
        total = np.bincount(member.ravel(), lag.ravel(), plan.groups * plan.members)
        part = np.minimum(self._capacity * seconds / np.maximum(total, 1), 0.97)
        for group, (who, first, last) in (plan.stalled or {}).items():
            part[group * plan.members + who] *= not first <= slot <= last
        self.committed += (lag * part[member]).astype(np.int64)
        for group, slots in (plan.rebalances or {}).items():
            if slot in slots:
                self.owner[group] = (self.owner[group] + 1) % plan.members
                self.generation[group] += 1


class Slot:
    """What one slot shows, (G, P) and (G,)."""

    def __init__(self, state: State):
        self.end, self.committed, self.owner = (
            state.end.copy(),
            state.committed.copy(),
            state.owner.copy(),
        )
        self.generation = state.generation.copy()
