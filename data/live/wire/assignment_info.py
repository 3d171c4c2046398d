"""What the leader of a Kafka Streams application gives a thread as user data: `AssignmentInfo`, versions 1 to 11."""

from typing import NamedTuple

from evenkeel.data.live.wire.raw_topics import Place
from evenkeel.data.live.wire.reader import Reader
from evenkeel.data.live.wire.subscription_info import NEWEST, named_topology, task_id

NO_REBALANCE = 2**63 - 1
"""`next_rebalance_ms` where the thread need not rejoin."""

_FIRST_WITH_TOPOLOGIES = 10


class AssignmentInfo(NamedTuple):
    """`active`: task ids, one for each assigned partition in the order of topic and partition. `standby`: source partitions by task id.

    `next_rebalance_ms`: the time by the leader's clock at which the thread shall rejoin, 0 at once, null before version 7.
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
        For an unknown version, for named topologies, and for bytes that do not fit the version.
    """
    reader = Reader(data, "AssignmentInfo")
    version = reader.int32()
    if not 1 <= version <= NEWEST:
        raise reader.refusal(f"version {version}, expected 1 to {NEWEST},")
    if version >= 3:
        reader.int32()  # the newest version that all threads know
    active = reader.array(lambda: _task_id(reader, version), 8)
    standby = dict(reader.array(lambda: (_task_id(reader, version), _places(reader)), 12))
    if version >= 2:
        _skip_hosts(reader, version)
    error_code = reader.int32() if version >= 4 else 0
    next_rebalance_ms = reader.int64() if version >= 7 else None
    reader.end()
    return AssignmentInfo(version, active, standby, error_code, next_rebalance_ms)


def _task_id(reader: Reader, version: int) -> str:
    found = task_id(reader)
    # Not a string of Kafka's protocol: a count of UTF-16 characters, 0 for none.
    if version >= _FIRST_WITH_TOPOLOGIES and (name := reader.array(reader.int16, 2)):
        raise named_topology(reader, "".join(chr(unit & 0xFFFF) for unit in name))
    return found


def _places(reader: Reader) -> list[Place]:
    return reader.array(lambda: (reader.text(), reader.int32()), 6)


def _skip_hosts(reader: Reader, version: int):
    """Read past who serves which partitions to interactive queries: topics by number from version 5 on, standbys too from 6 on."""
    is_numbered = version >= 5
    if is_numbered:
        reader.array(lambda: (reader.int32(), reader.text()), 6)
    for _ in range(2 if version >= 6 else 1):
        reader.array(lambda: (reader.text(), reader.int32(), _numbers(reader) if is_numbered else _places(reader)), 10)


def _numbers(reader: Reader) -> list[tuple[int, int]]:
    return reader.array(lambda: (reader.int32(), reader.int32()), 8)
