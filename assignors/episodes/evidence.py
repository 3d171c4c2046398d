"""Evidence: the series of a group, and all other facts that the rules over time need."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import Identity, Series
from evenkeel.assignors.group.snapshot import UNKNOWN

WINDOW = 10
"""Number of observations in the window by which a partition's progress is judged."""

HALF = WINDOW // 2


@dataclass(frozen=True)
class Retention:
    """The settings by which a topic deletes records. Times are in seconds; -1 means never.

    `check_seconds`: how often brokers look for segments to delete.
    """

    deletes: bool
    retention_seconds: float
    retention_bytes: int
    segment_seconds: float
    check_seconds: float = 300.0

    @property
    def is_asked(self) -> bool:
        """Whether records can be deleted because of their age or of the topic's size."""
        return self.deletes and (self.retention_seconds >= 0 or self.retention_bytes >= 0)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The facts about one group over time. S slots, P partitions, M members, T topics, K distinct
    subscriptions.

    Parameters
    ----------
    series : Series
        Contains every partition of every subscribed topic.
    stable_end : int64 (S, P)
        Last stable offset; `UNKNOWN` if it was not requested or not returned.
    has_no_leader : bool (S, P)
    identity : tuple of Identity
        Identity of each member.
    subscription : int32 (S, M)
        Row number in `topic_set` of each member's subscription; `UNASSIGNED` if unknown.
    topic_set : bool (K, T)
        Whether each subscription has each topic.
    is_stable : bool (S,)
        Whether the state of the group is Stable.
    is_share : bool
        Whether the group is a share group. Its members share partitions.
    retention : tuple of Retention or None
        Retention of each topic; None if unknown.
    """

    series: Series
    stable_end: np.ndarray
    has_no_leader: np.ndarray
    identity: tuple[Identity, ...]
    subscription: np.ndarray
    topic_set: np.ndarray
    is_stable: np.ndarray
    is_share: bool
    retention: tuple[Retention | None, ...]

    def until(self, row: int) -> "Evidence":
        """Return the evidence up to the slot number `row`, which is included."""
        rows = slice(row + 1)
        return replace(
            self,
            series=self.series.at(rows),
            stable_end=self.stable_end[rows],
            has_no_leader=self.has_no_leader[rows],
            subscription=self.subscription[rows],
            is_stable=self.is_stable[rows],
        )

    @cached_property
    def is_listed(self) -> np.ndarray:
        """bool (S,): whether the group was listed at the slot."""
        return self.series.is_there

    @cached_property
    def lacks_owners(self) -> np.ndarray:
        """bool (S,): whether the source of the slot lists neither members nor owners."""
        has_owners = self.series.has_owners
        return np.zeros(self.series.slot_count, bool) if has_owners is None else ~has_owners

    @cached_property
    def has_members(self) -> np.ndarray:
        """bool (S,): whether the group has members. Also True if the source of the slot does not
        list members.
        """
        return self.series.is_member.any(axis=1) | self.lacks_owners

    @cached_property
    def is_owned(self) -> np.ndarray:
        """bool (S, P): whether a member owns the partition. Also True if the source of the slot
        does not list owners.
        """
        may_be = self.lacks_owners[:, None] & self.series.is_listed
        return (self.series.owner != UNASSIGNED) | may_be

    @cached_property
    def is_subscribed(self) -> np.ndarray:
        """bool (S, P): whether it is known that a member subscribes to the topic of the
        partition.
        """
        by_topic = np.zeros((self.series.slot_count, len(self.series.topic_name)), dtype=bool)
        for row, topics in enumerate(self.topic_set):
            has_it = ((self.subscription == row) & self.series.is_member).any(axis=1)
            by_topic |= has_it[:, None] & topics
        return by_topic[:, self.series.topic]

    @cached_property
    def knows_subscriptions(self) -> np.ndarray:
        """bool (S,): whether the group has members and the subscriptions of all members
        are known.
        """
        is_unknown = ((self.subscription == UNASSIGNED) & self.series.is_member).any(axis=1)
        return self.has_members & ~is_unknown & ~self.lacks_owners

    @property
    def lacks_slots(self) -> int:
        """Number of slots needed to judge progress. 0 if the group has enough slots."""
        least = self.series.window(WINDOW)
        return least if np.count_nonzero(self.is_listed) < least else 0

    @cached_property
    def observed(self) -> "Observations":
        """The observations of all partitions."""
        return Observations(self)

    def names_at(self, row: int) -> list[str]:
        """Return the name of each member at the slot number `row`: its instance id; if it has none,
        its client id; if another live member has the same client id, its member id.
        """
        live = np.flatnonzero(self.series.is_member[row])
        clients = [self.identity[member].client_id for member in live.tolist()]
        shared = {client for client in clients if clients.count(client) > 1}
        return [
            who.instance_id
            or (who.client_id if who.client_id not in shared else None)
            or self.series.member_id[member]
            for member, who in enumerate(self.identity)
        ]


class Observations:
    """The observations of each partition, oldest first. An observation is a slot at which the
    commit and the end offset are known.

    Arrays have O rows: the largest number of observations of a partition. If a partition has fewer
    observations, its last rows have no meaning and are never used.
    """

    def __init__(self, evidence: Evidence):
        series = evidence.series
        is_observed = (
            (series.committed_offset != UNKNOWN)
            & (series.end_offset != UNKNOWN)
            & (series.lag != UNKNOWN_LAG)
        )
        if series.is_sparse:
            is_observed &= ~evidence.lacks_owners[:, None]
        self.is_observed = is_observed
        self._is_whole = bool(is_observed.all())
        if not self._is_whole:
            self._order = np.argsort(~is_observed, axis=0, kind="stable")
            self._order = self._order[: int(is_observed.sum(axis=0).max(initial=0))]
            self._last = np.cumsum(is_observed, axis=0) - 1

    def of(self, values: np.ndarray) -> np.ndarray:
        """Return the values at the observations, (O, P). `values`: values at the slots, (S, P)."""
        return values if self._is_whole else np.take_along_axis(values, self._order, axis=0)

    def times(self, time: np.ndarray) -> np.ndarray:
        """Return the time of each observation, (O, P). `time`: time of each slot, (S,)."""
        shape = self.is_observed.shape
        return self.of(np.broadcast_to(time[:, None], shape))

    def at_slots(self, values: np.ndarray, missing: float) -> np.ndarray:
        """Return the values of the latest observations at or before each slot, (S, P). `missing` if
        a partition has no such observation.
        """
        if self._is_whole:
            return values
        result = np.full(self.is_observed.shape, missing, dtype=values.dtype)
        if values.shape[0]:
            place = np.maximum(self._last, 0)
            np.copyto(result, np.take_along_axis(values, place, axis=0), where=self._last >= 0)
        return result


def run_lengths(holds: np.ndarray) -> np.ndarray:
    """Return, for each position, how many successive values of `holds` up to this position are
    True: int64, same shape as `holds`. 0 if the value is False.
    """
    rows = np.arange(holds.shape[0]).reshape(-1, *([1] * (holds.ndim - 1)))
    last = np.maximum.accumulate(np.where(holds, -1, rows), axis=0)
    return np.where(holds, rows - last, 0)
