"""Which surprising behaviours strike in an answer of range, the client's and the broker's."""

from collections.abc import Collection

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.explain.quirk import REMAINDER, Quirk, could_give, quirk_of
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.kafka.range import matching, needs_racks, owners_by_rack, owners_without_racks


def remainder(group: GroupSnapshot, answer: Assignment, by_racks: Collection[int] = (), name: str = REMAINDER) -> tuple[Quirk, ...]:
    """Return the members that carry more because the first members get one more partition of each topic that does not divide evenly.

    `by_racks`: topics to leave out. `name`: of the behaviour, where it is not the first members that get more.
    """
    tps = could_give(group, answer.owner)
    tps = tps[~np.isin(group.tp_topic[tps], list(by_racks))]
    member, topic = answer.owner[tps], group.tp_topic[tps]
    subscriber_count = np.array([members.size for members in group.subscribers.members])[group.subscribers.set_of_topic]
    pair, count = np.unique(np.column_stack((member, topic)), axis=0, return_counts=True)
    more = count > group.partition_count[pair[:, 1]] // np.maximum(subscriber_count[pair[:, 1]], 1)
    return quirk_of(name, pair[more, 0], pair[more, 1])


def placed_by_racks(group: GroupSnapshot, answer: Assignment) -> list[int]:
    """Return the topics in which racks changed an owner."""
    return np.unique(group.tp_topic[answer.owner != owners_without_racks(group)]).tolist()


def rack_quirks(group: GroupSnapshot) -> tuple[Quirk, ...]:
    """Return Q-1 and Q-2.

    * Q-1: a member without a rack takes a partition that is local to a member with a rack, and that member gets a distant one. Strikes the
      member with the rack.
    * Q-2: topics that need no racks are assigned by partition number because another topic needs racks. Strikes members that have no
      replica of these topics in their rack and get other partitions than without racks.
    """
    first: list[tuple[int, int]] = []
    second: list[tuple[int, int]] = []
    plain = owners_without_racks(group)
    for topics, owners in owners_by_rack(group):
        fits = matching(group, topics)
        first += [(member, topic) for member in _robbed(group, fits, owners) for topic in topics]
        for topic in topics:
            if not needs_racks(group, topic):
                changed = owners != plain[group.tps_of(topic)]
                struck = {*owners[changed].tolist(), *plain[group.tps_of(topic)][changed].tolist()}
                second += [(member, topic) for member in struck if not fits[int(group.member_rack[member])].any()]
    return (*_of_pairs("Q-1", first), *_of_pairs("Q-2", second))


def _robbed(group: GroupSnapshot, fits: dict[int, np.ndarray], owners: np.ndarray) -> list[int]:
    """Return the members with a rack and a distant partition that could swap it for a local one of a member without a rack."""
    of_rackless = group.member_rack[owners] == NO_RACK
    racks = [rack for rack, near in fits.items() if rack != NO_RACK and (near & of_rackless).any()]
    distant = [owners[(group.member_rack[owners] == rack) & ~fits[rack]] for rack in racks]
    return np.unique(np.concatenate([np.empty(0, dtype=np.int32), *distant])).tolist()


def _of_pairs(name: str, pairs: list[tuple[int, int]]) -> tuple[Quirk, ...]:
    return quirk_of(name, *np.array(pairs, dtype=np.int32).reshape(-1, 2).T)
