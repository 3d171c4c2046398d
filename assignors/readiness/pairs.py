"""What a group loses if all owners change: common owners of co-partitioned topics, and partitions
that are read within a rack.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, islice, product
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.racks import has_racks

LISTED = 20


class Pair(NamedTuple):
    """Two topics with equally many partitions and the same readers.

    `before`, `after`: how many partition numbers have the same owner in both topics.
    """

    topics: tuple[str, str]
    partitions: int
    before: int
    after: int


@dataclass(frozen=True)
class Pairs:
    """Pairs of topics that have common owners now.

    A pair is whole if every partition number has a common owner. `listed`: at most `LISTED` pairs,
    sorted by topic; whole pairs are chosen first, then pairs with the largest loss. `count`: number
    of all pairs. `whole`: number of whole pairs. `topics`: topics of whole pairs; the pair that
    keeps the fewest common owners is first. `least`: number of common owners that this pair keeps.
    """

    listed: list[Pair]
    count: int
    whole: int
    topics: tuple[str, ...]
    least: int | None


def pairs(group: GroupSnapshot, before: np.ndarray, after: np.ndarray | None) -> Pairs:
    """Return the pairs of topics that have a common owner now.

    `before`, `after`: owners, int32 (P,). If `after` is None, the later owners are unknown. The
    result then has only whole pairs, with the present number of common owners. Topics with the same
    owners are handled together.
    """
    alike: dict[tuple[int, int], list[int]] = {}
    for topic, members in _readers(group):
        alike.setdefault((int(group.partition_count[topic]), members), []).append(topic)
    classes: list[_Classes] = []
    for alike_topics in alike.values():
        if len(alike_topics) > 1:
            classes += _of_classes(group, before, after, alike_topics)
    whole = [pair for pair in classes if pair.had == pair.partitions]
    worst = min(whole, key=lambda pair: pair.has, default=None)
    part = sorted(
        (pair for pair in classes if pair.had < pair.partitions),
        key=lambda pair: pair.has - pair.had,
    )
    some = list(islice(chain.from_iterable(pair.pairs() for pair in [*whole, *part]), LISTED))
    if worst is not None and (most := next(worst.pairs())) not in some:
        some[-1] = most
    topics = dict.fromkeys(
        [
            *(next(worst.pairs())[0] if worst else ()),
            *(topic for pair in whole for topic in (*pair.first, *pair.second)),
        ]
    )
    listed = [
        Pair((group.topic_name[first], group.topic_name[other]), *rest)
        for (first, other), *rest in sorted(some)
    ]
    names = tuple(group.topic_name[topic] for topic in topics)
    return Pairs(
        listed,
        sum(pair.count for pair in classes),
        sum(pair.count for pair in whole),
        names,
        worst.has if worst else None,
    )


@dataclass(frozen=True)
class _Classes:
    """All pairs of a topic in `first` and another topic in `second`.

    `first` and `second` may be the same list. All pairs have equally many common owners.
    """

    first: list[int]
    second: list[int]
    partitions: int
    had: int
    has: int

    @property
    def count(self) -> int:
        size = len(self.first)
        return size * (size - 1) // 2 if self.first is self.second else size * len(self.second)

    def pairs(self) -> Iterator[tuple]:
        both = (
            combinations(self.first, 2)
            if self.first is self.second
            else product(self.first, self.second)
        )
        return (((min(two), max(two)), self.partitions, self.had, self.has) for two in both)


def _of_classes(
    group: GroupSnapshot, before: np.ndarray, after: np.ndarray | None, topics: list[int]
) -> Iterator[_Classes]:
    owners = [before] if after is None else [before, after]
    by_owners: dict[bytes, list[int]] = {}
    for topic in topics:
        by_owners.setdefault(
            b"".join(owner[group.tps_of(topic)].tobytes() for owner in owners), []
        ).append(topic)
    classes = list(by_owners.values())
    if after is None:
        alike = [(some, before[group.tps_of(some[0])]) for some in classes if len(some) > 1]
        yield from (
            _Classes(some, some, owner.size, owner.size, owner.size)
            for some, owner in alike
            if (owner != UNASSIGNED).all()
        )
        return
    now, then = (np.array([owner[group.tps_of(some[0])] for some in classes]) for owner in owners)
    for place, first in enumerate(classes):
        had, has = (
            np.count_nonzero(
                (column[place] == column[place:]) & (column[place] != UNASSIGNED), axis=1
            )
            for column in (now, then)
        )
        for other in np.flatnonzero(had).tolist():
            pair = _Classes(
                first, classes[place + other], now.shape[1], int(had[other]), int(has[other])
            )
            if pair.count:
                yield pair


def _readers(group: GroupSnapshot) -> list[tuple[int, int]]:
    """Return the topics with partitions and subscribers, each with the number of its subscriber
    set.
    """
    if len(group.topic_lists) == 1:
        is_there = ((group.partition_count > 0) & group.topic_known).tolist()
        return [(topic, 0) for topic in sorted({*group.topic_lists[0].tolist()}) if is_there[topic]]
    sets = group.subscribers.set_of_topic
    return [
        (topic, int(sets[topic]))
        for topic in np.flatnonzero(group.in_play & group.topic_known).tolist()
    ]


def local_count(group: GroupSnapshot, owner: np.ndarray) -> int | None:
    """Return how many partitions have an owner in the rack of a replica. None if racks are
    unknown.
    """
    if not has_racks(group):
        return None
    tps = np.flatnonzero(owner >= 0)
    rack = group.member_rack[owner[tps]]
    is_near = [
        rack_of != NO_RACK
        and rack_of in group.replica_rack[group.replica_start[tp] : group.replica_start[tp + 1]]
        for tp, rack_of in zip(tps.tolist(), rack.tolist(), strict=True)
    ]
    return sum(is_near)
