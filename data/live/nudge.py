"""Nudge: make a broker compute a new assignment. A member joins the group, subscribes to a topic
that does not exist, and leaves.

No other code of Evenkeel joins a group. The group gets two new epochs. Partitions move only if the
assignor's answer has changed.
"""

import time
import uuid
from collections.abc import Callable

from confluent_kafka import Consumer, KafkaError

from evenkeel.assignors.protocol import CONSUMER
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import Member
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.described import GroupDescription
from evenkeel.data.live.reading.documents import describe
from evenkeel.data.live.reading.group_list import chosen_groups
from evenkeel.data.live.wire.raw_groups import GroupListing

_LIMIT_SECONDS, _POLL_SECONDS = 30.0, 0.1
_NOT_JOINED = "the nudge has left the group"
_NOT_LEFT = "the nudge's member left, but the coordinator still lists it"
_SETTINGS = {
    "group.protocol": "consumer",
    "enable.auto.commit": False,
    "allow.auto.create.topics": False,
}


def members_of(connection: Connection, group_id: str) -> list[Member]:
    """Return the members of a group. Raise an error if the group cannot be nudged.

    Raises
    ------
    SnapshotError
        If the group is not visible, has no members, or does not use KIP-848.
    """
    return _described(connection, *chosen_groups(connection, [group_id])).members


def nudge(connection: Connection, group_id: str) -> tuple[int | None, int | None]:
    """Join a group and leave it. Return the group epoch before and after. No record is read, and
    nothing is committed.

    Raises
    ------
    SnapshotError
        If `members_of` fails, if READ on the group is missing, or if the member does not join or
        leave within half a minute.
    """
    (listed,) = chosen_groups(connection, [group_id])
    before, name = _described(connection, listed), f"evenkeel-nudge-{uuid.uuid4().hex[:12]}"
    causes: list = []
    settings = (
        connection.profile.librdkafka()
        | _SETTINGS
        | {"group.id": group_id, "client.id": name, "error_cb": causes.append}
    )
    consumer = connection.ask(lambda: Consumer(settings))
    try:
        consumer.subscribe([name])
        _await(
            connection,
            listed,
            lambda group: _has(group, name),
            lambda: _poll(connection, consumer, causes),
            _NOT_JOINED,
        )
    finally:
        consumer.close()
    after = _await(
        connection,
        listed,
        lambda group: not _has(group, name),
        lambda: time.sleep(_POLL_SECONDS),
        _NOT_LEFT,
    )
    return before.group_epoch, after.group_epoch


def _described(connection: Connection, listed: GroupListing) -> GroupDescription:
    described_group, group = (
        describe(connection, [listed])[listed.group_id],
        f"cluster {connection.profile.name}, group {listed.group_id}",
    )
    if described_group.problems:
        raise SnapshotError(f"{group}: {'; '.join(described_group.problems)}")
    if listed.group_type != CONSUMER:
        raise SnapshotError(
            f"{group}: its type is {listed.group_type}, expected consumer: a nudge works only"
            " for this type"
        )
    if not described_group.members:
        raise SnapshotError(f"{group}: it has no members, so there is nothing to assign")
    return described_group


def _has(group: GroupDescription, client_id: str) -> bool:
    return any(member.client_id == client_id for member in group.members)


def _poll(connection: Connection, consumer: Consumer, causes: list) -> None:
    """Let the member join, and raise an error if it cannot join."""
    message = consumer.poll(_POLL_SECONDS)
    error = message.error() if message is not None else None
    fatal = next((cause for cause in (error, *causes) if cause is not None and _ends(cause)), None)
    if fatal is not None:
        raise connection.error(fatal)


def _ends(error: KafkaError) -> bool:
    """Return whether the member can no longer join. An error with the code `_FATAL` is fatal too,
    although its `fatal()` is false.
    """
    return error.fatal() or error.code() == KafkaError._FATAL or "AUTHORIZATION" in error.name()


def _await(
    connection: Connection,
    listed: GroupListing,
    is_there: Callable[[GroupDescription], bool],
    meanwhile: Callable[[], None],
    otherwise: str,
) -> GroupDescription:
    deadline = time.monotonic() + _LIMIT_SECONDS
    while not is_there(answer := describe(connection, [listed])[listed.group_id]):
        if time.monotonic() > deadline:
            group = f"cluster {connection.profile.name}, group {listed.group_id}"
            raise SnapshotError(f"{group}: no new epoch in {_LIMIT_SECONDS:.0f} s; {otherwise}")
        meanwhile()
    return answer
