"""Input faults: what the input says and no assignor can use."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import NO_TP, GroupSnapshot


class InputFaults(NamedTuple):
    """Rows of the group, ascending, each once.

    Parameters
    ----------
    unread : int64
        Topics with partitions and without subscribers.
    missing : int64 (N, 2)
        (topic, member): a subscription to a topic that the input lacks.
    beyond : int64 (N, 3)
        (member, topic, partition): a claim to a partition that the topic does not have.
    contested : int64 (N, 2)
        (topic-partition, member): claims to a partition that several members claim.
    """

    unread: np.ndarray
    missing: np.ndarray
    beyond: np.ndarray
    contested: np.ndarray


def input_faults(group: GroupSnapshot) -> InputFaults:
    """Return the faults of a group."""
    unread = np.flatnonzero(group.topic_known & (group.partition_count > 0) & ~group.in_play)
    outside = group.claim_tp == NO_TP
    beyond = np.column_stack((group.claim_member, group.claim_topic, group.claim_partition))[outside]
    return InputFaults(unread, _missing(group), np.unique(beyond.astype(np.int64), axis=0), _contested(group))


def _missing(group: GroupSnapshot) -> np.ndarray:
    unknown = np.flatnonzero(~group.topic_known)
    listed_by = {topic: np.flatnonzero(group.is_listed[group.subscription, topic]) for topic in unknown.tolist()}
    pairs = [(topic, member) for topic, members in listed_by.items() for member in members.tolist()]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _contested(group: GroupSnapshot) -> np.ndarray:
    inside = group.claim_tp != NO_TP
    times = np.bincount(group.claim_tp[inside], minlength=group.tp_count)
    several = np.flatnonzero(inside)[times[group.claim_tp[inside]] > 1]
    pairs = np.unique(np.column_stack((group.claim_tp[several], group.claim_member[several])).astype(np.int64), axis=0)
    # Counted again, because a member that claims a partition twice is one claimant.
    claimants = np.bincount(pairs[:, 0], minlength=group.tp_count)
    return pairs[claimants[pairs[:, 0]] > 1]
