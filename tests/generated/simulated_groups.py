"""Groups whose members read, commit, stop and return by the second, with random sizes, lengths and
gaps of slots; what was done to them is the truth of their findings.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tests.generated.incidents import KEEPS, Incident, Partition

SLOTS = 110
_EVERY, _MEMBERS, _RATES = (5, 10, 20, 30, 60, 300), (2, 3, 50), (0.5, 3.0, 20.0, 200.0)


@dataclass
class Truth:
    """A finding that must be reported; times in seconds since the first slot, `until` None for
    any. `slots`: how many slots `since` may be off beside a commit.
    """

    codes: tuple[str, ...]
    since: float
    tps: list[int] = field(default_factory=list)
    members: list[str] = field(default_factory=list)
    until: float | None = None
    slots: int = 1


class Simulated:
    """One group; arrays have a row a second.

    `first`, `last`: when its incident begins and ends. `rate`: records that arrive. `capacity`:
    records that are read at most. `owner`: member or -1. `is_here`: by member. `hides`: partition
    whose last stable offset stands still meanwhile.
    """

    def __init__(self, seed: int):
        chance = self.chance = np.random.default_rng(seed)
        self.every = int(chance.choice(_EVERY))
        self.member_count = int(chance.choice(_MEMBERS))
        self.tp_count = self.member_count * (
            1 if self.member_count > 3 else int(chance.integers(1, 4))
        )
        self.seconds = SLOTS * self.every
        self.first, self.last = (
            int(chance.uniform(*span) * self.every) for span in ((35, 45), (70, 80))
        )
        rate = max(float(chance.choice(_RATES)), 8 / self.every)
        self.rate = np.full((self.seconds, self.tp_count), rate) * chance.uniform(
            0.7, 1.3, self.tp_count
        )
        self.capacity = 4 * self.rate
        self.owner = np.tile(np.arange(self.tp_count) % self.member_count, (self.seconds, 1))
        self.is_here = np.ones((self.seconds, self.member_count), dtype=bool)
        self.topic, self.hides, self.keeps = "a", None, None
        self.commit_seconds = int(chance.choice((1, 5)))
        self.renames = bool(chance.random() < 0.3)

    @property
    def now(self) -> slice:
        """The seconds of the incident."""
        return slice(self.first, self.last)

    def of(self, member: int) -> list[int]:
        """Return the partitions of a member."""
        return np.flatnonzero(self.owner[0] == member).tolist()

    def incident(self) -> tuple[Incident, list[int]]:
        """Return the group, and the slots that are missing."""
        end = 1000 + np.cumsum(self.chance.poisson(self.rate), axis=0)
        begin = self._begin(end)
        commit = self._commits(end, begin)
        stable = end.copy()
        if self.hides is not None:
            stable[self.now, self.hides] = end[self.first, self.hides]
        partitions = {
            f"a-{tp}": Partition(
                *(self._at(values, tp) for values in (end, commit)),
                lambda time, tp=tp: self._name(self.owner[int(time), tp]),
                *(self._at(values, tp) for values in (begin, stable)),
            )
            for tp in range(self.tp_count)
        }
        settings = KEEPS | ({} if self.keeps is None else self._retention())
        incident = Incident(
            partitions,
            lambda time: [f"c{member}" for member in np.flatnonzero(self.is_here[int(time)])],
            lambda time, member: [self.topic if time >= self.first else "a"],
            {"a": settings},
            float(self.every),
            identity=self._identity,
        )
        return incident, self._missing()

    def _name(self, member: int) -> str | None:
        return None if member < 0 else f"c{member}"

    def _at(self, values: np.ndarray, tp: int) -> Callable:
        return lambda time: int(values[int(time), tp])

    def _identity(self, time: float, member: str) -> str:
        changes = (self.is_here[1:] != self.is_here[:-1]).any(axis=1)
        count = int(changes[: int(time)].sum()) if self.renames else 0
        return f"{member}-{count}"

    def _commits(self, end: np.ndarray, begin: np.ndarray) -> np.ndarray:
        position = np.empty(end.shape)
        now = end[0].astype(float)
        for second in range(self.seconds):
            limit = end[second].copy()
            if self.hides is not None and self.first <= second < self.last:
                limit[self.hides] = end[self.first, self.hides]
            reads = self.owner[second] >= 0
            start = np.where(reads, np.maximum(now, begin[second]), now)
            now = np.where(
                reads, np.minimum(start + self.capacity[second], np.maximum(limit, start)), now
            )
            position[second] = now
        seconds = np.arange(self.seconds)
        return position[seconds // self.commit_seconds * self.commit_seconds].astype(int)

    def _retention(self) -> dict[str, str]:
        return {"retention.ms": str(1000 * self.keeps), "segment.ms": str(2000 * self.every)}

    def _begin(self, end: np.ndarray) -> np.ndarray:
        if self.keeps is None:
            return np.zeros(end.shape, dtype=int)
        segment = 2 * self.every
        seconds = np.arange(self.seconds)
        last = (seconds - self.keeps) // segment * segment
        return np.where((last >= 0)[:, None], end[np.maximum(last, 0)], 0)

    def _missing(self) -> list[int]:
        start = int(self.chance.integers(5, SLOTS - 10))
        single = self.chance.integers(1, SLOTS - 1, 3).tolist()
        return [[], list(range(start, start + 4)), single][int(self.chance.integers(3))]


def healthy(group: Simulated) -> list[Truth]:
    return []


def stop(group: Simulated) -> list[Truth]:
    """All members are away."""
    group.owner[group.now], group.is_here[group.now] = -1, False
    return [Truth(("down",), group.first, list(range(group.tp_count)), [], group.last)]


def lose(group: Simulated) -> list[Truth]:
    """They are away for longer than records are kept: a segment of two slots is deleted when its
    last record is twelve slots old.
    """
    group.keeps = 12 * group.every
    (down,) = stop(group)
    every = list(range(group.tp_count))
    return [down, Truth(("lost",), group.first + 13 * group.every, every, [], group.last, slots=2)]


def stall(group: Simulated) -> list[Truth]:
    """A member reads nothing."""
    tps = group.of(1)
    group.capacity[group.now, tps] = 0
    return [Truth(("stalled", "stuck"), group.first, tps, ["c1"], group.last)]


def slow(group: Simulated) -> list[Truth]:
    """A member reads half of what arrives."""
    tps = group.of(0)
    group.capacity[group.now, tps] = group.rate[group.now, tps] / 2
    return [Truth(("never_drains",), group.first, tps, ["c0"], slots=3)]


def stall_and_slow(group: Simulated) -> list[Truth]:
    return [*stall(group), *slow(group)]


def block(group: Simulated) -> list[Truth]:
    """A transaction is open."""
    group.hides = group.tp_count - 1
    return [Truth(("blocked",), group.first, [group.hides], [], group.last)]


def leave(group: Simulated) -> list[Truth]:
    """All members drop the topic."""
    group.topic, group.owner[group.first :] = "b", -1
    return [Truth(("left",), group.first, list(range(group.tp_count)))]


def flap(group: Simulated) -> list[Truth]:
    """A member is away for three slots five times; another one has its partitions meanwhile."""
    pause = 3 * group.every
    for begin in range(group.first, group.first + 10 * pause, 2 * pause):
        away = slice(begin, begin + pause)
        group.is_here[away, 1] = False
        group.owner[away, group.of(1)] = 0
    if 2 * pause > 900:
        return []
    return [Truth(("unstable",), group.first, [], ["c1"])]


def heat(group: Simulated) -> list[Truth]:
    """A partition gets twelve times the records, and three a second at least."""
    if group.tp_count < 3:
        return []
    group.rate[group.now, 1] = np.maximum(12 * group.rate[group.now, 1], 3)
    group.capacity[:] = 4 * group.rate.max()
    return [Truth(("hot_partition",), group.first, [1], slots=2)]


KINDS = (healthy, stop, lose, stall, slow, stall_and_slow, block, leave, flap, heat)
