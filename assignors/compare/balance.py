"""Balance: the figures of one assignment, per member and in total, and sums of rows by a key."""

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, summable, total_lag, unread_tps


class Load(NamedTuple):
    """int64, one number for each member: partitions, records behind (unknown lags left out),
    partitions with unknown lag.
    """

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


def lag_at(
    group: GroupSnapshot, lag: np.ndarray, topic: np.ndarray, partition: np.ndarray
) -> np.ndarray:
    """Return the lag of each (topic, partition), int64, `UNKNOWN_LAG` for a partition beyond its
    topic's size.
    """
    if int(lag.max(initial=UNKNOWN_LAG)) == UNKNOWN_LAG:
        return np.full(topic.size, UNKNOWN_LAG, dtype=np.int64)
    exists = partition < group.partition_count[topic]
    if exists.all():
        return lag[group.first_tp[topic] + partition]
    result = np.full(topic.size, UNKNOWN_LAG, dtype=np.int64)
    result[exists] = lag[group.first_tp[topic[exists]] + partition[exists]]
    return result


@final
@dataclass(frozen=True, eq=False)
class Balance:
    """How partitions and lag spread over the members, and unread lag.

    A figure is None without members. A lag figure is also None if partitions are assigned and
    none of their lags is known. Lags are unknown if their sum exceeds int64.

    Parameters
    ----------
    partition_count : int64 (M,)
        Partitions of each member, `extra` counted.
    lag : int64 (M,)
        Records behind, unknown lags left out.
    unknown_lag_count : int64 (M,)
        Partitions with unknown lag, among them partitions beyond their topic's size.
    total_lag : int or None
        Records of all partitions, each counted once, with an owner or without.
    unread_lag : int or None
        Records of partitions that have no owner although a member subscribes, or may subscribe, to
        their topic.
    unknown_unread_count : int
        How many of these partitions have an unknown lag.
    unknown_count : int
        Partitions of unknown lag, with an owner or without.
    """

    partition_count: np.ndarray
    lag: np.ndarray
    unknown_lag_count: np.ndarray
    total_lag: int | None = None
    unread_lag: int | None = None
    unknown_unread_count: int = 0
    unknown_count: int = 0

    @property
    def max_partitions(self) -> int | None:
        return int(self.partition_count.max()) if self.partition_count.size else None

    @property
    def min_partitions(self) -> int | None:
        return int(self.partition_count.min()) if self.partition_count.size else None

    @property
    def idle_members(self) -> int | None:
        """Members without partitions."""
        return (
            int(np.count_nonzero(self.partition_count == 0)) if self.partition_count.size else None
        )

    @property
    def worst_lag(self) -> int | None:
        """Records of the member that has most."""
        return int(self.lag.max()) if self.has_lag else None

    @property
    def max_lag(self) -> int | None:
        """Lag of the worst member, or of unowned partitions if they have more."""
        worst = self.worst_lag
        return self.unread_lag or None if worst is None else max(worst, self.unread_lag or 0)

    @property
    def mean_lag(self) -> float | None:
        return float(self.lag.mean()) if self.has_lag else None

    @property
    def lag_cv(self) -> float | None:
        """Coefficient of variation: standard deviation over mean, 0 if all lags are equal; None
        if no member lags.
        """
        return float(self.lag.std() / self.lag.mean()) if self.has_lag and self.lag.any() else None

    @property
    def max_lag_share(self) -> float | None:
        """Largest over mean lag, 1 if all lags are equal; None if no member lags."""
        return _share(self.lag) if self.has_lag else None

    @property
    def has_lag(self) -> bool:
        """Whether there are lag figures."""
        assigned = self.partition_count.sum()
        return bool(
            self.partition_count.size and (not assigned or self.unknown_lag_count.sum() < assigned)
        )

    @property
    def unknown_lag_partitions(self) -> int:
        """Partitions with unknown lag that have an owner, or should have one."""
        return int(self.unknown_lag_count.sum()) + self.unknown_unread_count

    @property
    def lag_is_partial(self) -> bool:
        """Whether the lag of such a partition is unknown: sums are then lower bounds."""
        return bool(self.unknown_unread_count) or bool(self.unknown_lag_count.any())


def balance(group: GroupSnapshot, assignment: Assignment, lag: np.ndarray) -> Balance:
    """Count partitions and sum lag by member, and sum the lag of unowned partitions.

    Parameters
    ----------
    lag : int64 (P,)
        Records behind, `UNKNOWN_LAG` if unknown.
    """
    assigned = assignment.owner != UNASSIGNED
    members, lags = (
        (assignment.owner, lag) if assigned.all() else (assignment.owner[assigned], lag[assigned])
    )
    if assignment.extra.size:
        member, topic, partition = assignment.extra.T
        members, lags = (
            np.append(members, member),
            np.append(lags, lag_at(group, lag, topic, partition)),
        )
    load = load_by(members, summable(lags), group.member_count)
    if not group.member_count:
        return Balance(*load)
    unread = summable(lag)[unread_tps(group, assignment.owner)]
    return Balance(
        *load,
        total_lag=total_lag(lag),
        unread_lag=total_lag(unread),
        unknown_unread_count=int(np.count_nonzero(unread == UNKNOWN_LAG)),
        unknown_count=int(np.count_nonzero(lag == UNKNOWN_LAG)),
    )


def _share(load: np.ndarray) -> float | None:
    return float(load.max() / load.mean()) if load.any() else None
