"""Does Kafka agree: each past generation of a classic group, replayed by the assignor of its leader
on what its members had sent.

for one in checked(history.generations):
    print(one.agrees, one.reason)
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, NamedTuple

from evenkeel.assignors.protocol import CLASSIC
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import FORMAT, STABLE, Document, Member, Partition, Topic
from evenkeel.data.live.reading.described import classic_members
from evenkeel.data.live.replay import replay
from evenkeel.data.live.wire.leader import told_by
from evenkeel.data.rebalances.event import iso
from evenkeel.data.rebalances.reading.from_records import Generation


class CheckResult(NamedTuple):
    """One generation: `agrees` is None where nothing can be replayed, `reason` why, or why Kafka
    may differ; `differences`: partitions.
    """

    group: str
    generation: int
    at: int | None
    assignor: str | None
    agrees: bool | None
    differences: int = 0
    reason: str = ""

    def document(self) -> dict[str, Any]:
        """Return it as JSON writes it."""
        return {
            "schema": "evenkeel.rebalances-check/1",
            "group": self.group,
            "generation": self.generation,
            "joined": iso(self.at),
            "assignor": self.assignor,
            "kafka_agrees": self.agrees,
            "differences": self.differences,
            "reason": self.reason or None,
        }


def checked(generations: Iterable[Generation]) -> Iterator[CheckResult]:
    """Yield each generation that has members."""
    for one in generations:
        if one.group.members:
            yield _checked(one)


def _checked(one: Generation) -> CheckResult:
    head = (one.event.group, one.group.generation, one.event.joined, one.group.protocol)
    try:
        document = document_of(one)
        found = replay(document)
    except SnapshotError as error:
        return CheckResult(*head, None, 0, str(error))
    if found is None:
        return CheckResult(
            *head,
            None,
            0,
            f"the answer of {one.group.protocol} cannot be replayed from what members sent",
        )
    return CheckResult(
        *head, found.agrees, int(found.moves.topic.size), "; ".join(found.reasons[:1])
    )


def document_of(one: Generation) -> Document:
    """Return the group document of a generation; topics are as large as what members have of them,
    and had.

    Raises
    ------
    SnapshotError
        For bytes that are none of the consumer protocol.
    """
    answer = SimpleNamespace(
        protocol_data=one.group.protocol or "",
        members=[_described(member) for member in one.group.members],
    )
    told = told_by(answer.members, answer.protocol_data)
    members, _, problems = classic_members(answer, told)
    if problems:
        raise SnapshotError(problems[0])
    sizes = _sizes(members)
    return Document(
        format=FORMAT,
        group_id=one.event.group,
        taken_at=None
        if one.event.joined is None
        else datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=one.event.joined),
        type=CLASSIC,
        state=STABLE,
        assignor=one.group.protocol,
        leader=told.leader,
        topics=[Topic(name=name, partitions=[Partition()] * size) for name, size in sizes.items()],
        members=members,
    )


def _sizes(members: Sequence[Member]) -> dict[str, int]:
    """Return the partitions of each topic: what members have now, had when they joined, or
    subscribe to.
    """
    sizes = dict.fromkeys((topic for member in members for topic in member.subscribed), 0)
    held = [
        held
        for member in members
        for held in (member.owned, member.joined_with and member.joined_with.owned)
        if held
    ]
    for topic, numbers in ((topic, numbers) for owned in held for topic, numbers in owned.items()):
        sizes[topic] = max(sizes.get(topic, 0), max(numbers or (), default=-1) + 1)
    return dict(sorted(sizes.items()))


def _described(member: Any) -> SimpleNamespace:
    """Return a stored member as a coordinator describes one."""
    return SimpleNamespace(
        member_id=member.member_id,
        client_id=member.client_id,
        client_host="",
        group_instance_id=member.instance_id,
        member_metadata=member.subscription,
        member_assignment=member.assignment,
    )


def agreement(found: Sequence[CheckResult]) -> str:
    """Return `Kafka agrees: 26 of 26 generations replayed; 4 cannot be replayed`."""
    judged = [one for one in found if one.agrees is not None]
    right = sum(one.agrees is True for one in judged)
    rest = len(found) - len(judged)
    return f"Kafka agrees: {right:,} of {len(judged):,} generations replayed" + (
        f"; {rest:,} cannot be replayed" if rest else ""
    )
