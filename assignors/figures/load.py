"""Load: how many partitions and how much lag some rows add up to, per member or per pair of members."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG


class Load(NamedTuple):
    """int64, one number for each member: partitions, records behind (unknown lags left out), partitions with unknown lag."""

    partition_count: np.ndarray
    lag: np.ndarray
    unknown_lag_count: np.ndarray


def load_by(key: np.ndarray, lag: np.ndarray, key_count: int) -> Load:
    """Sum rows (key, lag) by key, such as a member's row; `lag` int64 with `UNKNOWN_LAG`."""
    known, count = lag != UNKNOWN_LAG, np.bincount(key, minlength=key_count)
    lag_sum = np.zeros(key_count, dtype=np.int64)
    if not known.any():
        return Load(count, lag_sum, count)
    # Not bincount with weights: it adds floats, which lose records beyond 2 ** 53.
    np.add.at(lag_sum, key[known], lag[known])
    return Load(count, lag_sum, np.bincount(key[~known], minlength=key_count))


def lag_at(group: GroupSnapshot, lag: np.ndarray, topic: np.ndarray, partition: np.ndarray) -> np.ndarray:
    """Return the lag of each (topic, partition), int64, `UNKNOWN_LAG` for a partition beyond its topic's size."""
    if int(lag.max(initial=UNKNOWN_LAG)) == UNKNOWN_LAG:
        return np.full(topic.size, UNKNOWN_LAG, dtype=np.int64)
    exists = partition < group.partition_count[topic]
    if exists.all():
        return lag[group.first_tp[topic] + partition]
    result = np.full(topic.size, UNKNOWN_LAG, dtype=np.int64)
    result[exists] = lag[group.first_tp[topic[exists]] + partition[exists]]
    return result
