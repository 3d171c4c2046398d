"""ObservedGroup: one group as some source showed it, ready for assignors, with facts that no assignor needs."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.data.document import JoinedWith, Leader


@dataclass(frozen=True, eq=False)
class ObservedGroup:
    """A snapshot, its current assignment and the facts beside it. All but `snapshot` and `current` are for people.

    Parameters
    ----------
    group_id : str or None
        None where the listing names no group.
    snapshot : GroupSnapshot
    current : Assignment or None
        The owners now: what members have, else what they own. None if unknown: some member does not say, and no other holds a partition.
    client_id, host : (M,) str or None
    assumed : tuple of str
        Paths of the group document whose values are assumed, such as `members[*].subscribed`.
    level : int
        Completeness, 0 topics and partitions, 1 offsets or lag, 2 owners, 3 all members, 4 subscriptions, 5 two moments.
    topic_order : int64 (T,)
        Place of each topic in the source, for paths such as `topics[0]`; topics that only a name mentions come last.
    epoch : int64 (M,)
        KIP-848 member epoch, -1 if unknown.
    subscribed_regex : (M,) str or None
        RE2 expression of a KIP-848 subscriber.
    leader : Leader or None
        Whose code assigns a classic group; None where unknown.
    joined_with : (M,) JoinedWith or None
        What a classic member sent when it last joined, by name: replaying it gives what it owns.
    """

    group_id: str | None
    snapshot: GroupSnapshot
    current: Assignment | None
    client_id: tuple[str | None, ...]
    host: tuple[str | None, ...]
    assumed: tuple[str, ...]
    level: int
    topic_order: np.ndarray
    epoch: np.ndarray
    taken_at: datetime | None = None
    cluster: str | None = None
    group_type: str | None = None
    group_state: str | None = None
    assignor: str | None = None
    group_epoch: int | None = None
    assignment_epoch: int | None = None
    leader: Leader | None = None
    subscribed_regex: tuple[str | None, ...] = ()
    joined_with: tuple[JoinedWith | None, ...] = ()

    @property
    def is_named_alone(self) -> bool:
        """Whether the source has only name, state or type of the group: no members, topics or lag."""
        return "topics" in self.assumed and not self.snapshot.member_count and not self.snapshot.tp_count

    @property
    def is_classic(self) -> bool:
        """Whether its members assign, as far as is known."""
        return self.group_type in (None, "classic")

    @property
    def member_count(self) -> int | None:
        """Number of members, None if unknown."""
        return None if self.is_named_alone else self.snapshot.member_count

    @property
    def partition_count(self) -> int | None:
        """Number of partitions, None if unknown."""
        return None if "topics" in self.assumed and not self.snapshot.tp_count else self.snapshot.tp_count

    @property
    def may_have_members(self) -> bool:
        """Whether the source names no member and does not say that there is none."""
        return not self.snapshot.member_count and "members" in self.assumed

    def without_members(self) -> Self:
        """Return the group as one that is known to have no members."""
        return replace(self, assumed=tuple(path for path in self.assumed if path != "members"))
