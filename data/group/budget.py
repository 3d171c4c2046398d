"""Budget: limits on memory and work of one request, checked before large arrays are made.

budget.require_group(Footprint(partition_count=10_000_000), "steps[0].edits[0].count", "the group",
is_asked=True)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document.shape import MAX_PARTITIONS, Member

_PARTITION, _CLAIM, _MEMBER = 250, 50, 2_000
"""Bytes, measured with a million partitions and two thousand members."""

_REPLICA = 40
"""Bytes of a replica with a known rack."""

_TASK, _PAIR = 500, 800
"""Bytes of a task, and bytes of a pair of task and process. An application has 32 bytes for a pair
in each of at least 25 rounds.
"""

PARTITIONS_OF_MEMBER = 8
"""A member needs as much memory and time as this number of partitions."""

LONGEST_NAME = 1_000
"""Characters; Kafka's topics have at most 249. A limit is needed because an edit repeats a member's
client id for each new member, and a result repeats every name in each step.
"""

MOST_EDITS = 10_000

MOST_MATCHING = 5_000_000
"""Most work of matching a group's regular expressions, in partitions: at worst about ten seconds.
Real groups need far less.
"""

_PARTITIONS_OF_CHARACTER, _SIGNS_OF_PARTITION = 50, 1_000
"""For a character of the worst expression, RE2 needs 100 microseconds to compile it, and then 2
nanoseconds for each character of a topic name.
"""


def matching_work(expression_length: int, topic_length: int) -> int:
    """Return the work to match regular expressions with topic names, in partitions.

    `expression_length`: characters of all expressions. `topic_length`: characters of all topic
    names.
    """
    return expression_length * (_PARTITIONS_OF_CHARACTER + topic_length // _SIGNS_OF_PARTITION)


class Footprint(NamedTuple):
    """The counts that determine how much memory and time a group or an application needs.

    `member_count`: for an application, all consumers. `subscription_count`: distinct subscriptions.
    """

    partition_count: int = 0
    member_count: int = 0
    claim_count: int = 0
    topic_count: int = 0
    subscription_count: int = 0
    task_count: int = 0
    process_count: int = 0
    replica_count: int = 0

    @property
    def byte_count(self) -> int:
        """Approximate memory in bytes, with the answers of all assignors."""
        tables = (
            _PARTITION * self.partition_count
            + _CLAIM * self.claim_count
            + _MEMBER * self.member_count
        )
        pairs = (
            self.topic_count * self.subscription_count
            + _PAIR * self.process_count * self.task_count
        )
        return tables + pairs + _TASK * self.task_count + _REPLICA * self.replica_count

    @property
    def work(self) -> int:
        """The work for one answer of an assignor, in partitions."""
        return (
            self.partition_count
            + PARTITIONS_OF_MEMBER * self.member_count
            + self.task_count * max(self.process_count, 1)
        )

    @property
    def said(self) -> str:
        """The counts in words: `10,000,000 partitions and 3 members`."""
        parts = {
            "partition": self.partition_count,
            "task": self.task_count,
            "process": self.process_count,
        }
        shown = {noun: count for noun, count in parts.items() if count}
        if not self.process_count:
            shown |= {"member": self.member_count}
        return " and ".join(_counted(count, noun) for noun, count in shown.items())


class TooLargeError(SnapshotError):
    """A group is larger than its budget."""

    def __init__(self, footprint: Footprint, sentence: str):
        self.found = footprint
        super().__init__(sentence)


@dataclass(frozen=True)
class Budget:
    """The limits of one request.

    Parameters
    ----------
    group_bytes : int
        Memory of one group with its answers.
    work : int
        Work of all answers, in partitions. A member counts as `PARTITIONS_OF_MEMBER` partitions. A
        task counts as one partition for each process. An edit costs a tenth of the group's work.
    table : str
        The configuration's table with these limits.
    """

    group_bytes: int = 512 * 10**6
    work: int = 20_000_000
    table: str = "[limits]"

    def allows(self, footprint: Footprint) -> bool:
        """Return whether a group is within the memory limit."""
        return (
            footprint.byte_count <= self.group_bytes and footprint.partition_count <= MAX_PARTITIONS
        )

    def require_group(
        self, footprint: Footprint, place: str, subject: str, *, is_asked: bool = False
    ) -> None:
        """Refuse a group that needs too much memory.

        `place`: path in the request. `subject`: name of the group in the message. `is_asked`: the
        group is only requested and does not exist yet; the message then says "would have".

        Raises
        ------
        TooLargeError
            The message has the place, the size, the limit and the setting.
        """
        has, takes = ("would have", "take") if is_asked else ("has", "takes")
        if footprint.byte_count > self.group_bytes:
            needs = f"{has} {footprint.said} and {takes} {in_bytes(footprint.byte_count)}"
            raise TooLargeError(
                footprint, f"{place}: {subject} {needs}, expected at most {self._allowed}"
            )
        if footprint.partition_count > MAX_PARTITIONS:
            raise TooLargeError(
                footprint,
                f"{place}: {subject} {has} {footprint.said}, expected at most {MAX_PARTITIONS:,}"
                " partitions",
            )

    def require_listed(self, footprint: Footprint) -> None:
        """Refuse a group from an input or a cluster that needs too much memory.

        Raises
        ------
        TooLargeError
            The message has the size and the limit.
        """
        if not self.allows(footprint):
            hint = (
                ". The command line allows it: evenkeel compare PATH"
                if footprint.byte_count <= COMMAND_LINE.group_bytes
                else ""
            )
            raise TooLargeError(
                footprint,
                f"this group has {footprint.said} and needs about {in_bytes(footprint.byte_count)},"
                f" expected at most {self._allowed}{hint if self.table == Budget.table else ''}",
            )

    def work_refusal(self, work: int, assignor_count: int) -> str | None:
        """Return why this amount of work is refused; None if it is allowed."""
        if work <= self.work:
            return None
        return (
            f"{_counted(assignor_count, 'assignor')} would answer about {work:,} partitions in all"
            f" steps up to this one, expected at most {self.work:,} ({self.table} work)"
        )

    @property
    def _allowed(self) -> str:
        return f"{in_bytes(self.group_bytes)} ({self.table} group)"


COMMAND_LINE = Budget(8 * 10**9, 100_000_000, "[limits.command_line]")
"""Limits are higher than on a server: the user of a command can end it."""


def footprint(partition_count: int, topic_count: int, members: Sequence[Member]) -> Footprint:
    """Return the counts that determine how much memory a group needs."""
    claim_count = sum(
        len(partitions or ())
        for member in members
        for held in (member.owned, member.current)
        for partitions in (held or {}).values()
    )
    subscriptions = {tuple(member.subscribed) for member in members}
    return Footprint(
        int(partition_count), len(members), claim_count, topic_count, len(subscriptions)
    )


def in_bytes(count: int) -> str:
    """Return a number of bytes in words: `512 MB`, `2.5 GB`."""
    return (
        f"{count / 1e9:,.1f}".removesuffix(".0") + " GB"
        if count >= 10**9
        else f"{count / 1e6:,.0f} MB"
    )


def _counted(count: int, noun: str) -> str:
    plural = "es" if noun.endswith("s") else "s"
    return f"{count:,} {noun}{'' if count == 1 else plural}"
