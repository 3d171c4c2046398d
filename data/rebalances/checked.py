"""Replay past generations of classic groups, and compare Kafka's assignment with Evenkeel's.

Each replay runs the assignor of the leader on the data with which the members joined.

for result in checked(history.generations):
    print(result.agrees, result.reason)
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
from evenkeel.data.rebalances.reading.group_of_records import Generation


class CheckResult(NamedTuple):
    """The result for one generation.

    `agrees`: whether both assignments are equal; None if the generation cannot be replayed.
    `reason`: why the replay is impossible, or why the assignments may differ. `differences`: number
    of partitions with different owners.
    """

    group: str
    generation: int
    at: int | None
    assignor: str | None
    agrees: bool | None
    differences: int = 0
    reason: str = ""

    def document(self) -> dict[str, Any]:
        """Return the result as a JSON document."""
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
    """Yield a result for each generation that has members."""
    for generation in generations:
        if generation.group.members:
            yield _checked(generation)


def _checked(generation: Generation) -> CheckResult:
    head = (
        generation.event.group,
        generation.group.generation,
        generation.event.joined,
        generation.group.protocol,
    )
    try:
        document = document_of(generation)
        outcome = replay(document)
    except SnapshotError as error:
        return CheckResult(*head, None, 0, str(error))
    if outcome is None:
        return CheckResult(
            *head,
            None,
            0,
            f"the answer of {generation.group.protocol} cannot be replayed from the members' data",
        )
    return CheckResult(
        *head, outcome.agrees, int(outcome.moves.topic.size), "; ".join(outcome.reasons[:1])
    )


def document_of(generation: Generation) -> Document:
    """Return the group document of a generation.

    The partition count of a topic is derived from the partitions that members own now or owned when
    they joined.

    Raises
    ------
    SnapshotError
        If a member's data cannot be decoded as Kafka's consumer protocol.
    """
    answer = SimpleNamespace(
        protocol_data=generation.group.protocol or "",
        members=[_described(member) for member in generation.group.members],
    )
    reported = told_by(answer.members, answer.protocol_data)
    members, _, problems = classic_members(answer, reported)
    if problems:
        raise SnapshotError(problems[0])
    sizes = _sizes(members)
    return Document(
        format=FORMAT,
        group_id=generation.event.group,
        taken_at=None
        if generation.event.joined is None
        else datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=generation.event.joined),
        type=CLASSIC,
        state=STABLE,
        assignor=generation.group.protocol,
        leader=reported.leader,
        topics=[Topic(name=name, partitions=[Partition()] * size) for name, size in sizes.items()],
        members=members,
    )


def _sizes(members: Sequence[Member]) -> dict[str, int]:
    """Return the number of partitions of each topic, derived from the highest known partition
    number.

    0 for a subscribed topic without known partitions.
    """
    sizes = dict.fromkeys((topic for member in members for topic in member.subscribed), 0)
    for member in members:
        for owned in (member.owned, member.joined_with and member.joined_with.owned):
            for topic, numbers in (owned or {}).items():
                sizes[topic] = max(sizes.get(topic, 0), max(numbers or (), default=-1) + 1)
    return dict(sorted(sizes.items()))


def _described(member: Any) -> SimpleNamespace:
    """Convert a stored member to a member of Kafka's DescribeGroups response."""
    return SimpleNamespace(
        member_id=member.member_id,
        client_id=member.client_id,
        client_host="",
        group_instance_id=member.instance_id,
        member_metadata=member.subscription,
        member_assignment=member.assignment,
    )


def agreement(results: Sequence[CheckResult]) -> str:
    """Return a sentence such as `Kafka agrees: 26 of 26 generations replayed; 4 cannot be
    replayed`.
    """
    judged = [result for result in results if result.agrees is not None]
    right = sum(result.agrees is True for result in judged)
    rest = len(results) - len(judged)
    return f"Kafka agrees: {right:,} of {len(judged):,} generations replayed" + (
        f"; {rest:,} cannot be replayed" if rest else ""
    )
