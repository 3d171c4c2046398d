"""Which surprising behaviours of other clients than Java's strike in an answer."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.clients.librdkafka.known_group import known_group, racks_in_play
from evenkeel.assignors.explain.quirk import Quirk, quirk_of
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.protocol import Assignor


def left_out(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-31: static and dynamic members are mixed. Strikes members that get nothing of their topics while others get several partitions."""
    is_static = np.array([instance is not None for instance in group.instance_id], dtype=bool)
    counts = np.bincount(answer.owner[answer.owner != UNASSIGNED], minlength=group.member_count)
    if is_static.all() or not is_static.any() or counts.max(initial=0) < 2:
        return ()
    listed = group.is_listed[group.subscription] & group.in_play
    member, topic = np.nonzero(listed & (counts == 0)[:, None])
    return quirk_of("Q-31", member, topic)


def distant(group: GroupSnapshot, _assignor: Assignor, _answer: Assignment) -> tuple[Quirk, ...]:
    """Q-34: racks count. Strikes owners of partitions without a replica in their rack; an empty rack has none."""
    racks = racks_in_play(known_group(group))
    if racks is None:
        return ()
    exists = group.claim_tp != NO_TP
    member, tp = group.claim_member[exists], group.claim_tp[exists]
    far = racks.mismatch(member, tp)
    return quirk_of("Q-34", member[far], group.tp_topic[tp[far]])


def behind_dynamic(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-39: static members do not come first. Strikes those that get fewer partitions of a topic than one of its dynamic subscribers."""
    is_static = np.array([instance is not None for instance in group.instance_id], dtype=bool)
    if is_static.all() or not is_static.any():
        return ()
    counts = np.zeros((group.member_count, group.topic_count), dtype=np.int64)
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    np.add.at(counts, (answer.owner[tps], group.tp_topic[tps]), 1)
    listed = group.is_listed[group.subscription] & is_static[:, None]
    return quirk_of("Q-39", *np.nonzero(listed & (counts < counts[~is_static].max(axis=0))))


def foreign(name: str, group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-29, Q-32, Q-35: a member has partitions of a topic to which it does not subscribe."""
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    member = np.append(answer.owner[tps], answer.extra[:, 0])
    topic = np.append(group.tp_topic[tps], answer.extra[:, 1])
    is_foreign = ~group.is_listed[group.subscription[member], topic]
    return quirk_of(name, member[is_foreign], topic[is_foreign])
