"""Weighted: Evenkeel's own assignor for brokers. It spreads the partitions of KIP-848 groups by
weight. A partition changes its owner only if the gain is large enough.

    WeightedAssignor().assign(group)                 # weights: the group's lag
    spread(group, weight, gain=0.1).owner            # float64 (P,), NaN if unknown

The jar in `deploy/broker` has the same rule. Both add floats in the same order, so that their
results are equal, also for ties.
"""

from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumption
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import assignor_lag, lag_taken_as_zero
from evenkeel.assignors.protocol import CONSUMER, Assignor
from evenkeel.assignors.spreading import Spreading, sum_in_order

GAIN = 0.1
"""Owners change only if the worst load falls by at least this share."""
_SMALLER = 2.0**-64


@dataclass(frozen=True)
class WeightedAssignor(Assignor):
    """The assignor `evenkeel-weighted` of Evenkeel's jar, for brokers from 4.0. Here, a partition's
    weight is its lag. On a broker, `evenkeel weights` sets the weights.

    Parameters
    ----------
    gain : float
        The broker's setting `evenkeel.weights.gain`.
    above_even : int, optional
        The broker's setting `evenkeel.weights.max.count.skew`: a member gets at most this number of
        partitions above the even share.
    """

    name: ClassVar[str] = "evenkeel-weighted"
    protocol: ClassVar[str] = "evenkeel-weighted"
    group_type: ClassVar[str] = CONSUMER
    java_class: ClassVar[str] = "dev.evenkeel.WeightedUniformAssignor"
    label: ClassVar[str] = "Evenkeel's jar"
    quirk_owner: ClassVar[str] = "Evenkeel's jar"
    serves_own_type_only: ClassVar[bool] = True
    uses_lag: ClassVar[bool] = True
    uses_topic_ids: ClassVar[bool] = True

    gain: float = GAIN
    above_even: int | None = None

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners. If every lag is 0, only partition counts decide. An unknown lag counts
        as 0. `assumed` names unknown lags and unknown topic ids.
        """
        answer = spread(group, assignor_lag(group).astype(np.float64), self.gain, self.above_even)
        return replace(answer, assumed=_assumed(group))


def spread(
    group: GroupSnapshot, weight: np.ndarray, gain: float = GAIN, above_even: int | None = None
) -> Assignment:
    """Return the owners for these weights. `weight`: float64 (P,), NaN if unknown."""
    owner = group.unowned()
    tps, sizes, subscribers, readers = _in_play(group)
    known = _known(weight[tps], group.tp_topic[tps])
    place = _places(group, readers)
    held = _held(group, place)[tps]
    held_place = np.where(held == UNASSIGNED, UNASSIGNED, place[held])
    rule = Spreading(
        np.ones(len(tps)) if known is None else known,
        # The partitions of a topic share one array, because a large group has no room for more.
        list(chain.from_iterable(map(repeat, (place[some] for some in subscribers), sizes))),
        readers.size,
        above_even,
    )
    answer = rule.by_count(held_place) if known is None else rule.weighted(held_place, gain)
    owner[tps] = (
        np.where(answer == UNASSIGNED, UNASSIGNED, readers[answer]) if readers.size else UNASSIGNED
    )
    return Assignment(owner)


def held(group: GroupSnapshot) -> np.ndarray:
    """Return the owners in the target that the broker stores, int32 (P,). A claim is left out if
    its member does not subscribe to the topic.
    """
    return _held(group, _places(group, _in_play(group)[-1]))


def _assumed(group: GroupSnapshot) -> tuple[Assumption, ...]:
    tps, *_ = _in_play(group)
    lags = np.intersect1d(tps, np.flatnonzero(lag_taken_as_zero(group)))
    topics = np.unique(group.tp_topic[tps])
    ids = topics[~group.topic_id_known[topics]] if topics.size > 1 else topics[:0]
    assumptions = Assumption("lag", lags), Assumption("topic_id", ids.astype(np.int64))
    return tuple(assumption for assumption in assumptions if assumption.rows.size)


def _in_play(
    group: GroupSnapshot,
) -> tuple[np.ndarray, list[int], list[np.ndarray], np.ndarray]:
    """Return `tps`, `sizes`, `subscribers` and `readers`.

    `tps`: partitions with a subscriber, sorted by topic id and number. `sizes`, `subscribers`:
    number of partitions, and subscribers, of each topic in `tps`. `readers`: all subscribers,
    sorted by id.
    """
    topics = np.flatnonzero(group.in_play).tolist()
    topics.sort(key=lambda topic: tuple(group.topic_uuid[topic].tolist()))
    sizes = group.partition_count[topics].tolist()
    rows = [
        np.arange(group.first_tp[topic], group.first_tp[topic] + size)
        for topic, size in zip(topics, sizes, strict=True)
    ]
    subscribers = [group.subscribers_by_id.of_topic(topic) for topic in topics]
    reads = np.zeros(group.member_count, dtype=bool)
    for some in subscribers:
        reads[some] = True
    tps = np.concatenate(rows) if rows else np.empty(0, dtype=np.int64)
    return tps, sizes, subscribers, group.members_by_id[reads[group.members_by_id]]


def _places(group: GroupSnapshot, readers: np.ndarray) -> np.ndarray:
    """Return each member's index in `readers`, or `UNASSIGNED`, int64 (M + 1,). The last entry is
    for partitions without an owner.
    """
    place = np.full(group.member_count + 1, UNASSIGNED, dtype=np.int64)
    place[readers] = np.arange(readers.size)
    return place


def _held(group: GroupSnapshot, place: np.ndarray) -> np.ndarray:
    """Return the owner of each partition, int32 (P,): a member that claims the partition and
    subscribes to the topic. If there are several such members, the smallest member id decides.
    """
    held = group.unowned()
    for member, tp in zip(group.claim_member.tolist(), group.claim_tp.tolist(), strict=True):
        is_reader = tp >= 0 and member in group.subscribers_by_id.of_topic(int(group.tp_topic[tp]))
        if is_reader and (held[tp] == UNASSIGNED or place[member] < place[held[tp]]):
            held[tp] = member
    return held


def _known(weight: np.ndarray, topic: np.ndarray) -> np.ndarray | None:
    """Return the weights. An unknown weight is replaced by the mean of its topic, or of all topics.
    None if no known weight is above 0.
    """
    # Scaled down, because the sum of the weights would overflow to infinity.
    weight = (
        weight * _SMALLER if np.isinf(sum_in_order(weight[~np.isnan(weight)].tolist())) else weight
    )
    everywhere = _mean(weight)
    if not everywhere > 0:
        return None
    known = weight.copy()
    for row in dict.fromkeys(topic.tolist()):
        rows = topic == row
        here = _mean(weight[rows])
        known[rows & np.isnan(weight)] = everywhere if np.isnan(here) else here
    return known


def _mean(numbers: np.ndarray) -> float:
    known = numbers[~np.isnan(numbers)].tolist()
    return sum_in_order(known) / len(known) if known else float("nan")
