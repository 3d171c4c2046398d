"""The JavaScript clients' round-robin: the topics of the leader alone, in the order in which it subscribed, dealt to all members."""

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn, row_ranges
from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumed
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import topics_as_sent

LEADERS_SUBSCRIPTION = Assumed("leader's subscription", np.empty(0, dtype=np.int64))
"""Members sent different lists of topics, and the answer depends on which of them leads."""


def dealt_to_all(group: GroupSnapshot, members: np.ndarray) -> Assignment:
    """Deal the leader's topics to `members`, int32, in turn, whether they subscribe to them or not.

    Where members sent different lists, the answer is that of the first member as leader; it says so if another leader would answer
    otherwise.
    """
    lists = {(topics := topics_as_sent(group, member)).tobytes(): topics for member in range(group.member_count)}
    answers = [_dealt(group, topics, members) for topics in lists.values()]
    if not answers:
        return Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32))
    is_same = all(np.array_equal(answers[0], answer) for answer in answers[1:])
    return Assignment(answers[0], assumed=() if is_same else (LEADERS_SUBSCRIPTION,))


def _dealt(group: GroupSnapshot, topics: np.ndarray, members: np.ndarray) -> np.ndarray:
    tps = row_ranges(group.first_tp[topics], group.first_tp[topics + 1])
    owner = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
    dealt = np.empty(tps.size, dtype=np.int32)
    deal_in_turn(dealt, members)
    owner[tps] = dealt
    return owner
