"""Claims as the Python clients settle them: per partition, the highest generation owns, the second highest is remembered."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.group.snapshot import topics_as_sent


class Claims(NamedTuple):
    """Owned partitions of each member, in the order of a partition's first claim; `previous`: the former owner by topic-partition.

    `is_fresh`: nobody claimed anything, not even a partition that does not exist.
    """

    owned: list[list[int]]
    previous: dict[int, int]
    is_fresh: bool


def settled_claims(group: GroupSnapshot) -> Claims:
    """Settle the claims, members in the order reported; partitions that do not exist are dropped."""
    claimants: dict[int, dict[int, int]] = {}
    exists = (group.claim_tp != NO_TP) & group.in_play[group.claim_topic]
    generations = group.generation[group.claim_member[exists]].tolist()
    for tp, member, generation in zip(group.claim_tp[exists].tolist(), group.claim_member[exists].tolist(), generations, strict=True):
        by_generation = claimants.setdefault(tp, {})
        # `if generation and generation in consumers`: of two claims with generation 0 the later one counts.
        if not generation or generation not in by_generation:
            by_generation[generation] = member
    owned: list[list[int]] = [[] for _ in group.member_id]
    previous = {}
    for tp, by_generation in claimants.items():
        newest, *older = sorted(by_generation, reverse=True)
        owned[by_generation[newest]].append(tp)
        if older:
            previous[tp] = by_generation[older[0]]
    return Claims(owned, previous, not group.claim_member.size)


def have_one_list(group: GroupSnapshot) -> bool:
    """Tell whether all members sent the same list of known topics in the same order."""
    lists = (topics_as_sent(group, member) for member in range(group.member_count))
    return len({topics[group.in_play[topics]].tobytes() for topics in lists}) == 1


def fewest_subscribers_first(group: GroupSnapshot) -> np.ndarray:
    """Return the topic-partitions of subscribed topics, int64, by the number of subscribers, then topic and partition."""
    tps = np.flatnonzero(group.in_play[group.tp_topic])
    return tps[np.argsort(group.subscribers.count_of_topic[group.tp_topic[tps]], kind="stable")]
