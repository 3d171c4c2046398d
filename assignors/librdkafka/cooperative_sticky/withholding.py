"""What the leader sends: a partition goes to its new member only after its owner has given it up.

Reproduces `rd_kafka_cooperative_protocol_adjust_assignment` of rdkafka_cgrp.c.
"""

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.librdkafka.cooperative_sticky.claims import known_claims


def sent(group: GroupSnapshot, members: np.ndarray, holdings: np.ndarray) -> Assignment:
    """Return what is sent, and what is withheld.

    What nobody is given goes back to the owner, also what does not exist. The owner is whoever claims last, of any generation.

    Parameters
    ----------
    members : int32
        Members that the leader knows.
    holdings : int64 (N, 2)
        (member, topic-partition) that the assignor gives.
    """
    at = known_claims(group, members)
    is_real = group.claim_tp[at] != NO_TP
    owner, given = (np.full(group.tp_count, UNASSIGNED, dtype=np.int32) for _ in range(2))
    owner[group.claim_tp[at[is_real]]] = group.claim_member[at[is_real]]
    # numpy keeps the last value that is written to a place.
    last = stable_order(holdings[:, 0])
    given[holdings[last, 1]] = holdings[last, 0]
    person = _persons(group)
    is_withheld = (owner != UNASSIGNED) & (given != UNASSIGNED) & (person[owner] != person[given])
    result = np.where(owner == UNASSIGNED, given, owner)
    result[is_withheld] = UNASSIGNED
    withheld = holdings[result[holdings[:, 1]] != holdings[:, 0]].astype(np.int32)
    return Assignment(result, _beyond(group, at[~is_real]), np.unique(withheld, axis=0))


def _persons(group: GroupSnapshot) -> np.ndarray:
    """Return a number for each member, int64 (M,), the same for members that librdkafka takes for one: those with one instance id."""
    first = {name: row for row, name in reversed(list(enumerate(group.instance_id)))}
    return np.array([row if name is None else first[name] for row, name in enumerate(group.instance_id)], dtype=np.int64)


def _beyond(group: GroupSnapshot, claims: np.ndarray) -> np.ndarray:
    """Return the owners of partitions that do not exist, int32 (N, 3): each once, with the last of its claimants."""
    last = {}
    for claim in claims.tolist():
        last[int(group.claim_topic[claim]), int(group.claim_partition[claim])] = int(group.claim_member[claim])
    return np.array(sorted((member, *what) for what, member in last.items()), dtype=np.int32).reshape(-1, 3)
