"""Which surprising behaviours of other clients than Java's strike in an answer."""

import numpy as np

from assignors.assignment import UNASSIGNED, Assignment
from assignors.explain.quirk import Quirk, quirk_of
from assignors.group import NO_RACK, GroupSnapshot
from assignors.protocol import Assignor

_NO_NAME = ""


def left_out(group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-31: static and dynamic members are mixed. Strikes members that get nothing of their topics while others get several partitions."""
    is_static = np.array([instance is not None for instance in group.instance_id], dtype=bool)
    counts = np.bincount(answer.owner[answer.owner != UNASSIGNED], minlength=group.member_count)
    if is_static.all() or not is_static.any() or counts.max(initial=0) < 2:
        return ()
    listed = group.is_listed[group.subscription] & group.in_play
    member, topic = np.nonzero(listed & (counts == 0)[:, None])
    return quirk_of("Q-31", member, topic)


def empty_racks(group: GroupSnapshot, _assignor: Assignor, _answer: Assignment) -> tuple[Quirk, ...]:
    """Q-34: some members have racks. Strikes members with an empty one: what they own is never kept."""
    names = np.array([*group.rack_name, None], dtype=object)[np.where(group.member_rack == NO_RACK, -1, group.member_rack)]
    replicas = {group.rack_name[rack] for rack in np.unique(group.replica_rack).tolist() if rack != NO_RACK}
    is_aware = any(name and name in replicas for name in names) and len(replicas) > 1
    struck = (names == _NO_NAME)[group.claim_member]
    return quirk_of("Q-34", group.claim_member[struck], group.claim_topic[struck]) if is_aware else ()


def foreign(name: str, group: GroupSnapshot, _assignor: Assignor, answer: Assignment) -> tuple[Quirk, ...]:
    """Q-29, Q-32, Q-35: a member has partitions of a topic to which it does not subscribe."""
    tps = np.flatnonzero(answer.owner != UNASSIGNED)
    member = np.append(answer.owner[tps], answer.extra[:, 0])
    topic = np.append(group.tp_topic[tps], answer.extra[:, 1])
    is_foreign = ~group.is_listed[group.subscription[member], topic]
    return quirk_of(name, member[is_foreign], topic[is_foreign])
