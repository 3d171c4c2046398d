"""Thread: one member of a classic Kafka Streams application, as its bytes say."""

from typing import Any, NamedTuple

from evenkeel.data.document.application import StreamsConsumer
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.reading.applications.processes import OneThread
from evenkeel.data.live.wire.assignment_info import AssignmentInfo, assignment_info
from evenkeel.data.live.wire.consumer_protocol import Subscription, assignment_with_user_data, subscription
from evenkeel.data.live.wire.raw_topics import Place
from evenkeel.data.live.wire.subscription_info import SubscriptionInfo, subscription_info

PROTOCOL = "stream"
"""What classic applications call their assignor."""

_ERRORS = {1: "INCOMPLETE_SOURCE_TOPIC_METADATA", 2: "VERSION_PROBING", 3: "ASSIGNMENT_ERROR", 4: "SHUTDOWN_REQUESTED"}
"""Kafka's `AssignorError`."""


class Thread(NamedTuple):
    """`sent`, `info`: what it sent when it last joined. `given`: what the leader gave it. `inputs`: the partitions of each active task."""

    answer: Any
    sent: Subscription
    info: SubscriptionInfo
    given: AssignmentInfo
    inputs: dict[str, list[Place]]


def thread_of(answer: Any) -> Thread:
    """Read one member of a DescribeGroups answer.

    Raises
    ------
    SnapshotError
        With the member's id, for bytes that are not those of Kafka Streams.
    """
    try:
        sent = subscription(bytes(answer.member_metadata))
        assigned, given = assignment_with_user_data(bytes(answer.member_assignment))
        found = assignment_info(given or b"")
        if found.error_code:
            raise SnapshotError(f"the leader assigned nothing: {_ERRORS.get(found.error_code, f'error {found.error_code}')}")
        return Thread(answer, sent, subscription_info(sent.user_data or b""), found, _inputs(assigned, found.active))
    except SnapshotError as error:
        raise SnapshotError(f"{answer.member_id}: {error}") from None


def one_thread(thread: Thread, consumer: StreamsConsumer) -> OneThread:
    """Return a consumer with what the thread says of its process."""
    answer, info = thread.answer, thread.info
    return OneThread(info.process_id, consumer, answer.client_id, answer.client_host, thread.sent.rack, info.client_tags)


def _inputs(assigned: dict[str, list[int]], active: list[str]) -> dict[str, list[Place]]:
    """Pair partitions in order with the tasks that stand for them."""
    places = sorted((topic, number) for topic, numbers in assigned.items() for number in numbers)
    if len(places) != len(active):
        raise SnapshotError(f"AssignmentInfo: {len(active)} active tasks for {len(places)} assigned partitions, expected one for each")
    found: dict[str, list[Place]] = {}
    for place, task_id in zip(places, active, strict=True):
        found.setdefault(task_id, []).append(place)
    return found
