"""User data of Kafka Streams, versions 1 to 11: `SubscriptionInfo` from a thread that joins, and
`AssignmentInfo` from the leader.
"""

from typing import NamedTuple

from evenkeel.assignors.group.application import RUNNING, UNKNOWN_SUM
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.raw_topics import Place
from evenkeel.data.live.wire.reader import Reader

NEWEST = 11
_FIRST_WITH_SUMS, _FIRST_WITH_TOPOLOGIES, _FIRST_WITH_TAGS = 7, 10, 11


class SubscriptionInfo(NamedTuple):
    """User data of a thread that joins. `process_id`: id of the KafkaStreams instance.
    `offset_sums`: offset sum of each task. `error_code`: not 0 if the thread requests a shutdown.
    """

    version: int
    process_id: str
    offset_sums: dict[str, int]
    error_code: int = 0
    client_tags: dict[str, str] | None = None


def subscription_info(data: bytes) -> SubscriptionInfo:
    """Decode the user data of a subscription with the protocol `stream`.

    A thread sends offset sums since version 7. In older versions, as in Kafka, active tasks count
    as running, and the sums of standbys are unknown.

    Raises
    ------
    SnapshotError
        If the version is unknown, the bytes do not fit the version, or a task has a named topology.
    """
    reader = Reader(data, "SubscriptionInfo")
    version = _version(reader)
    process_id = str(reader.uuid())
    sums = {} if version >= _FIRST_WITH_SUMS else _as_roles(reader)
    if version >= 2:
        reader.nullable_bytes()  # the endpoint for interactive queries
    if version >= _FIRST_WITH_SUMS:
        sums = _sums(reader) if version >= _FIRST_WITH_TOPOLOGIES else _sums_by_subtopology(reader)
    if version >= 8:
        reader.int8()  # a byte that a thread changes if nothing else in its rejoin changes
    error_code = reader.int32() if version >= 9 else 0
    tags = (
        dict(reader.array(lambda: (_bytes_as_text(reader), _bytes_as_text(reader)), 8))
        if version >= _FIRST_WITH_TAGS
        else None
    )
    reader.end()
    return SubscriptionInfo(version, process_id, sums, error_code, tags)


def _version(reader: Reader) -> int:
    version = reader.int32()
    if not 1 <= version <= NEWEST:
        raise reader.refusal(f"version {version}, expected 1 to {NEWEST},")
    if version >= 3:
        reader.int32()  # the newest version that the sender or all threads support
    return version


def task_id(reader: Reader) -> str:
    """Read the subtopology and the partition of a task."""
    return _task_id(reader, reader.int32(), reader.int32())


def _task_id(reader: Reader, subtopology: int, partition: int) -> str:
    if min(subtopology, partition) < 0:
        raise reader.refusal(f"task {subtopology}_{partition}")
    return f"{subtopology}_{partition}"


def _as_roles(reader: Reader) -> dict[str, int]:
    running, standby = (reader.array(lambda: task_id(reader), 8) for _ in range(2))
    return dict.fromkeys(standby, UNKNOWN_SUM) | dict.fromkeys(running, RUNNING)


def _sums_by_subtopology(reader: Reader) -> dict[str, int]:
    sums: dict[str, int] = {}
    for subtopology, partitions in reader.array(
        lambda: (reader.int32(), reader.array(lambda: (reader.int32(), reader.int64()), 12)), 8
    ):
        sums |= {
            _task_id(reader, subtopology, partition): _checked(reader, offset_sum)
            for partition, offset_sum in partitions
        }
    return sums


def _sums(reader: Reader) -> dict[str, int]:
    return dict(reader.array(lambda: _sum(reader), 18))


def _sum(reader: Reader) -> tuple[str, int]:
    task, offset_sum = task_id(reader), _checked(reader, reader.int64())
    if (topology := reader.nullable_text()) is not None:
        raise named_topology(reader, topology)
    return task, offset_sum


def named_topology(reader: Reader, name: str) -> SnapshotError:
    """Return the error for a named topology. Named topologies are an internal feature of Kafka
    Streams.
    """
    return reader.refusal(f'named topology "{name}", expected none,')


def _checked(reader: Reader, offset_sum: int) -> int:
    if offset_sum < UNKNOWN_SUM or offset_sum == -1:
        raise reader.refusal(f"offset sum {offset_sum}")
    return offset_sum


def _bytes_as_text(reader: Reader) -> str:
    data = reader.nullable_bytes()
    try:
        return (data or b"").decode()
    except UnicodeDecodeError:
        raise reader.refusal("a client tag that is not UTF-8") from None


# User data that the leader of a Kafka Streams application sends to a thread: `AssignmentInfo`,
# versions 1 to 11.


NO_REBALANCE = 2**63 - 1
"""`next_rebalance_ms` if the thread need not rejoin."""


class AssignmentInfo(NamedTuple):
    """User data from the leader. `active`: task id of each assigned partition; the partitions are
    sorted by topic and number. `standby`: source partitions of each standby task.

    `next_rebalance_ms`: time at which the thread must rejoin, by the leader's clock; 0 means at
    once. None before version 7.
    """

    version: int
    active: list[str]
    standby: dict[str, list[Place]]
    error_code: int = 0
    next_rebalance_ms: int | None = None


def assignment_info(data: bytes) -> AssignmentInfo:
    """Decode the user data of an assignment with the protocol `stream`.

    Raises
    ------
    SnapshotError
        If the version is unknown, the bytes do not fit the version, or a task has a named topology.
    """
    reader = Reader(data, "AssignmentInfo")
    version = _version(reader)
    active = reader.array(lambda: _given_task_id(reader, version), 8)
    standby = dict(reader.array(lambda: (_given_task_id(reader, version), _places(reader)), 12))
    if version >= 2:
        _skip_hosts(reader, version)
    error_code = reader.int32() if version >= 4 else 0
    next_rebalance_ms = reader.int64() if version >= 7 else None
    reader.end()
    return AssignmentInfo(version, active, standby, error_code, next_rebalance_ms)


def _given_task_id(reader: Reader, version: int) -> str:
    task = task_id(reader)
    # This is not a string of Kafka's protocol, but a number of UTF-16 characters, 0 for none.
    if version >= _FIRST_WITH_TOPOLOGIES and (name := reader.array(reader.int16, 2)):
        raise named_topology(reader, "".join(chr(unit & 0xFFFF) for unit in name))
    return task


def _places(reader: Reader) -> list[Place]:
    return reader.array(lambda: (reader.text(), reader.int32()), 6)


def _skip_hosts(reader: Reader, version: int):
    """Skip the hosts of interactive queries. Since version 5, a number stands for each topic. Since
    version 6, there is a second list, with the hosts of standbys.
    """
    is_numbered = version >= 5
    if is_numbered:
        reader.array(lambda: (reader.int32(), reader.text()), 6)
    for _ in range(2 if version >= 6 else 1):
        reader.array(
            lambda: (
                reader.text(),
                reader.int32(),
                _numbers(reader) if is_numbered else _places(reader),
            ),
            10,
        )


def _numbers(reader: Reader) -> list[tuple[int, int]]:
    return reader.array(lambda: (reader.int32(), reader.int32()), 8)
