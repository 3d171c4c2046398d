"""Rates and capacities of a series, rearranged to the order of partitions and members in a group
snapshot.
"""

from collections.abc import Mapping

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.series import UNKNOWN_RATE, Series
from evenkeel.assignors.group.speed import median_of_known


def in_rates_of(
    group: GroupSnapshot, series: Series, in_rate: np.ndarray, listed: GroupSnapshot | None = None
) -> np.ndarray:
    """Rearrange rates: (..., P) of the series becomes (..., P) of the group.

    `UNKNOWN_RATE` for partitions that are not in the series.

    `listed`: the group before partitions were added to its topics. Producers spread keys over all
    partitions of a topic. Each new partition therefore gets the mean rate of all partitions of the
    topic, and every old partition loses the same part of its rate.
    """
    topic = {name: row for row, name in enumerate(group.topic_name)}
    of_topic = np.array([topic.get(name, -1) for name in series.topic_name] or [-1])[series.topic]
    known = (
        (of_topic >= 0) & (series.partition < group.partition_count[of_topic])
        if group.topic_count
        else of_topic >= 0
    )
    place = group.first_tp[of_topic[known]] + series.partition[known]
    # For 200 draws of many partitions, copying would take most of the time.
    if known.all() and np.array_equal(place, np.arange(group.tp_count)):
        result = in_rate
    else:
        result = np.full((*in_rate.shape[:-1], group.tp_count), UNKNOWN_RATE)
        result[..., place] = in_rate[..., known]
    return result if listed is None else _spread(result, group, listed)


def grown_topics(group: GroupSnapshot, listed: GroupSnapshot) -> list[tuple[int, int]]:
    """Return the topics that have more partitions in `group` than in `listed`.

    Each result: number of the topic in `group`, partition count in `listed`.
    """
    before = dict(zip(listed.topic_name, listed.partition_count.tolist(), strict=True))
    counts = zip(group.topic_name, group.partition_count.tolist(), strict=True)
    return [
        (row, before[name])
        for row, (name, count) in enumerate(counts)
        if 0 < before.get(name, 0) < count
    ]


def capacities_of(
    group: GroupSnapshot,
    series: Series,
    capacity: np.ndarray,
    former: Mapping[str, str] | None = None,
) -> np.ndarray:
    """Rearrange capacities: (..., M) of the series becomes (..., M) of the group.

    A member that is not in the series gets the median of the series. `former`: for each restarted
    member, its member id in the series.
    """
    return _of_members(group, series, capacity, median_of_known(capacity), former)


def known_of_members(
    group: GroupSnapshot,
    series: Series,
    values: np.ndarray,
    former: Mapping[str, str] | None = None,
) -> np.ndarray:
    """Rearrange values: (..., M) of the series becomes (..., M) of the group.

    0 for a member that is not in the series. `former`: as in `capacities_of`.
    """
    return _of_members(group, series, values, np.zeros(values.shape[:-1]), former)


def rows_in(group: GroupSnapshot, series: Series, former: Mapping[str, str]) -> np.ndarray:
    """Return each member's number in the series, int64 (M,), or -1 if the series lacks the member.

    `former`: as in `capacities_of`.
    """
    member = {name: row for row, name in enumerate(series.member_id)}
    return np.array(
        [member.get(former.get(name, name), -1) for name in group.member_id], dtype=np.int64
    )


def _of_members(
    group: GroupSnapshot,
    series: Series,
    values: np.ndarray,
    of_new: np.ndarray,
    former: Mapping[str, str] | None,
) -> np.ndarray:
    # The value for new members is after the last member, at row -1.
    return np.concatenate([values, of_new[..., None]], axis=-1)[
        ..., rows_in(group, series, former or {})
    ]


def _spread(in_rate: np.ndarray, group: GroupSnapshot, listed: GroupSnapshot) -> np.ndarray:
    grown = grown_topics(group, listed)
    result = in_rate.copy() if grown else in_rate
    for row, before in grown:
        tps = group.tps_of(row)
        total = in_rate[..., tps][..., :before].sum(axis=-1, keepdims=True)
        count = int(group.partition_count[row])
        result[..., tps] = np.concatenate(
            [
                in_rate[..., tps][..., :before] * (before / count),
                np.broadcast_to(total / count, (*total.shape[:-1], count - before)),
            ],
            axis=-1,
        )
    return result
