"""Balance: the partitions and the lag of one assignment, for each member and in total."""

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, summable, total_lag, unread_tps


class Load(NamedTuple):
    """Three numbers for each member, int64: partitions, records behind (without unknown lags), and
    partitions with unknown lag.
    """

    partition_count: np.ndarray
    lag: np.ndarray
    unknown_lag_count: np.ndarray


def load_by(key: np.ndarray, lag: np.ndarray, key_count: int) -> Load:
    """Return the load of each key: number of partitions and sum of lags. `key`: the key of each
    partition, for example its owner. `lag`: int64, `UNKNOWN_LAG` if unknown.
    """
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
    """Return the lag of each (topic, partition), int64. `UNKNOWN_LAG` if the topic has no partition
    with this number.
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
    """How partitions and lag are spread over the members, and how much lag no member reads.

    Without members, all figures are None. Lag figures are also None if the lag of every assigned
    partition is unknown. If the sum of all lags exceeds int64, all lags count as unknown.

    Parameters
    ----------
    partition_count : int64 (M,)
        Partitions of each member, including `extra` of the assignment.
    lag : int64 (M,)
        Records behind. Unknown lags are left out.
    unknown_lag_count : int64 (M,)
        Partitions with unknown lag. Partitions that the topic does not have are included.
    total_lag : int or None
        Lag of all partitions, with or without an owner. Each partition counts once.
    unread_lag : int or None
        Lag of partitions that have no owner although a member subscribes or may subscribe to the
        topic.
    unknown_unread_count : int
        Number of partitions that `unread_lag` leaves out, because their lag is unknown.
    unknown_count : int
        Partitions with unknown lag, with or without an owner.
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
        """Number of members without partitions."""
        return (
            int(np.count_nonzero(self.partition_count == 0)) if self.partition_count.size else None
        )

    @property
    def worst_lag(self) -> int | None:
        """Lag of the member with the most lag."""
        return int(self.lag.max()) if self.has_lag else None

    @property
    def max_lag(self) -> int | None:
        """Lag of the member with the most lag, or, if larger, lag of all partitions without owner
        together.
        """
        worst = self.worst_lag
        return self.unread_lag or None if worst is None else max(worst, self.unread_lag or 0)

    @property
    def mean_lag(self) -> float | None:
        return float(self.lag.mean()) if self.has_lag else None

    @property
    def lag_cv(self) -> float | None:
        """Coefficient of variation of the members' lag: standard deviation ÷ mean. 0 if all members
        have the same lag; None if no member has lag.
        """
        return float(self.lag.std() / self.lag.mean()) if self.has_lag and self.lag.any() else None

    @property
    def max_lag_share(self) -> float | None:
        """Largest lag of a member ÷ mean lag. 1 if all members have the same lag; None if no member
        has lag.
        """
        return float(self.lag.max() / self.lag.mean()) if self.has_lag and self.lag.any() else None

    @property
    def has_lag(self) -> bool:
        """Whether lag figures are known."""
        assigned = self.partition_count.sum()
        return bool(
            self.partition_count.size and (not assigned or self.unknown_lag_count.sum() < assigned)
        )

    @property
    def unknown_lag_partitions(self) -> int:
        """Number of partitions with unknown lag. Partitions without owner count only if a member
        should read them.
        """
        return int(self.unknown_lag_count.sum()) + self.unknown_unread_count

    @property
    def lag_is_partial(self) -> bool:
        """Whether an unknown lag is left out of the sums. The sums are then lower bounds."""
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
