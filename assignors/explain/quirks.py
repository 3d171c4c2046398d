"""Which of Kafka's surprising behaviours strike in an answer, whichever assignor gave it."""

from collections import Counter

import numpy as np

from assignors.assignment import UNASSIGNED, Assignment
from assignors.explain.quirk import Quirk, could_give, quirk_of
from assignors.explain.range_quirks import placed_by_racks, rack_quirks, remainder
from assignors.explain.sticky_quirks import sticky_quirks
from assignors.group import GroupSnapshot
from assignors.kafka.classic.abstract_sticky.racks import racks_in_play
from assignors.protocol import Assignor


def quirks(group: GroupSnapshot, assignor: Assignor, answer: Assignment | None) -> tuple[Quirk, ...]:
    """Return what strikes, by the numbers of `docs/assignors.md`; an answer of None, where Kafka throws, is explained for the sticky ones only.

    Beside those of `rack_quirks` and `sticky_quirks`:

    * remainder, of range: the members that come first get one more of each topic, and carry at least two more than others could; racks played no part.
    * Q-3, of roundrobin: members that do not subscribe are skipped, and somebody carries at least two more than others could.
    * Q-10, of the broker: racks do not count. Strikes members with partitions that have no replica in their rack, but in that of another member.
    * Q-12, of uniform: with overlapping subscriptions somebody carries at least two more than others could.
    * Q-24, of lag: totals start at 0 in every topic, so the smallest ids get all topics with fewer partitions than subscribers.
    * Q-25: two members have one instance id, and their order comes from hash codes.
    * Q-29, of simple: a member keeps what nobody subscribes to.
    """
    if assignor.name in ("sticky", "cooperative-sticky"):
        return sticky_quirks(group, assignor.max_generation)
    return _OF[assignor.name](group, answer) if answer and group.member_count and assignor.name in _OF else ()


def _range(group: GroupSnapshot, answer: Assignment) -> tuple[Quirk, ...]:
    return (*rack_quirks(group), *remainder(group, answer, placed_by_racks(group, answer)), *_one_instance_id(group, answer))


def _round_robin(group: GroupSnapshot, answer: Assignment) -> tuple[Quirk, ...]:
    return (*_uneven("Q-3", group, answer), *_one_instance_id(group, answer))


def _lag(group: GroupSnapshot, answer: Assignment) -> tuple[Quirk, ...]:
    subscribers = group.subscribers_by_id
    subscriber_count = np.array([members.size for members in subscribers.members])[subscribers.set_of_topic]
    return _uneven("Q-24", group, answer, group.partition_count < subscriber_count)


def _uniform(group: GroupSnapshot, answer: Assignment) -> tuple[Quirk, ...]:
    return (*_distant(group, answer), *_uneven("Q-12", group, answer))


def _broker_range(group: GroupSnapshot, answer: Assignment) -> tuple[Quirk, ...]:
    return (*_distant(group, answer), *remainder(group, answer), *_one_instance_id(group, answer))


def _simple(group: GroupSnapshot, answer: Assignment) -> tuple[Quirk, ...]:
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    member = np.append(answer.owner[tps], answer.extra[:, 0])
    topic = np.append(group.tp_topic[tps], answer.extra[:, 1])
    foreign = ~group.is_listed[group.subscription[member], topic]
    return quirk_of("Q-29", member[foreign], topic[foreign])


_OF = {"range": _range, "roundrobin": _round_robin, "lag": _lag, "uniform": _uniform, "broker-range": _broker_range, "simple": _simple}


def _uneven(name: str, group: GroupSnapshot, answer: Assignment, among: np.ndarray | None = None) -> tuple[Quirk, ...]:
    """`among` bool (T,): only what is of these topics."""
    tps = could_give(group, answer.owner)
    tps = tps if among is None else tps[among[group.tp_topic[tps]]]
    return quirk_of(name, answer.owner[tps], group.tp_topic[tps])


def _distant(group: GroupSnapshot, answer: Assignment) -> tuple[Quirk, ...]:
    racks = racks_in_play(group, 0)
    if racks is None:
        return ()
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    far = tps[racks.mismatch(answer.owner[tps], tps) & (racks.near_count(tps) > 0)]
    return quirk_of("Q-10", answer.owner[far], group.tp_topic[far])


def _one_instance_id(group: GroupSnapshot, answer: Assignment) -> tuple[Quirk, ...]:
    times = Counter(group.instance_id)
    shared = np.array([instance is not None and times[instance] > 1 for instance in group.instance_id], dtype=bool)
    tps = np.flatnonzero(np.append(shared, False)[answer.owner])
    return quirk_of("Q-25", answer.owner[tps], group.tp_topic[tps])
