"""Rates and capacities of a history in the order of a snapshot: an assignor's answer numbers partitions and members as that does."""

import numpy as np

from assignors.group import GroupSnapshot
from assignors.history.series import UNKNOWN_RATE, Series
from assignors.history.speed.capacity import median_of_known


def in_rates_of(group: GroupSnapshot, series: Series, in_rate: np.ndarray) -> np.ndarray:
    """Return rates in (..., P of the series) as (..., P of the group), `UNKNOWN_RATE` for partitions that the series does not have."""
    topic = {name: row for row, name in enumerate(group.topic_name)}
    of_topic = np.array([topic.get(name, -1) for name in series.topic_name] or [-1])[series.topic]
    known = (of_topic >= 0) & (series.partition < group.partition_count[of_topic]) if group.topic_count else of_topic >= 0
    result = np.full((*in_rate.shape[:-1], group.tp_count), UNKNOWN_RATE)
    result[..., group.first_tp[of_topic[known]] + series.partition[known]] = in_rate[..., known]
    return result


def capacities_of(group: GroupSnapshot, series: Series, capacity: np.ndarray) -> np.ndarray:
    """Return capacities (..., M of the series) as (..., M of the group); a member that is new takes the median of the series' members."""
    member = {name: row for row, name in enumerate(series.member_id)}
    rows = np.array([member.get(name, -1) for name in group.member_id], dtype=np.int64)
    # The median stands behind the last member, where row -1 finds it.
    return np.concatenate([capacity, median_of_known(capacity)[..., None]], axis=-1)[..., rows]
