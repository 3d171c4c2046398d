"""Footprint: the memory that a group takes with the answers of all assignors, estimated before anything of that size is made."""

from collections.abc import Sequence
from typing import NamedTuple

from data.document import Member
from data.errors import SnapshotError

_PARTITION, _CLAIM, _MEMBER = 250, 50, 2_000
"""Bytes, measured at a million partitions of two thousand members."""


class Footprint(NamedTuple):
    """What decides how much memory a group takes; `subscription_count`: distinct subscriptions."""

    partition_count: int
    member_count: int
    claim_count: int
    topic_count: int
    subscription_count: int

    @property
    def byte_count(self) -> int:
        """Bytes, about."""
        tables = _PARTITION * self.partition_count + _CLAIM * self.claim_count + _MEMBER * self.member_count
        return tables + self.topic_count * self.subscription_count


class TooLargeError(SnapshotError):
    """Raised where a group is larger than a page takes."""

    def __init__(self, found: Footprint, most_bytes: int):
        self.found = found
        super().__init__(
            f"this group has {found.partition_count:,} partitions and {found.member_count:,} members "
            f"and needs about {found.byte_count / 1e6:,.0f} MB, "
            f"expected at most {most_bytes / 1e6:,.0f} MB ([limits] group). The command line takes it: evenkeel compare PATH"
        )


def footprint(partition_count: int, topic_count: int, members: Sequence[Member]) -> Footprint:
    """Return what decides how much memory a group takes."""
    claim_count = sum(
        len(partitions or ()) for member in members for held in (member.owned, member.current) for partitions in (held or {}).values()
    )
    subscriptions = {tuple(member.subscribed) for member in members}
    return Footprint(int(partition_count), len(members), claim_count, topic_count, len(subscriptions))
