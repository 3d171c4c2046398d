"""Recordings: files of slots in JSON Lines, for users who have no access to Kafka.

The first line is a header with the cluster and the settings of its topics. Each further line is a
slot with partition offsets and groups. A missing slot is a gap.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.episodes.evidence import Evidence, Retention
from evenkeel.assignors.group.lag import committed_lag
from evenkeel.assignors.group.series import Identity, Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.protocol import CLASSIC, SHARE
from evenkeel.data.episodes.subscriptions import carried, table_of
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import STABLE

_NO_LEADER = -1
_Bounds = tuple[int | None, int | None, int | None, int | None]
_Member = tuple[str, str | None, str | None, list[str] | None, list[str] | None]


class Header(msgspec.Struct, frozen=True):
    """The first line of a recording.

    `t0`: time 0 of the recording, in seconds since 1970. `every`: seconds between two slots.
    """

    kind: Literal["header"]
    incident: str
    t0: float
    every: float
    topics: dict[str, dict[str, str | None] | None] = {}
    check_interval_ms: float = 300_000


class _Group(msgspec.Struct, frozen=True):
    type: str
    state: str | None
    c: dict[str, int]
    m: list[_Member] | Literal["="]


class _Slot(msgspec.Struct, frozen=True):
    t: float
    p: dict[str, _Bounds]
    g: dict[str, _Group | None]


class Recording(msgspec.Struct, frozen=True):
    """A recording: its header, and its slots in order of time."""

    header: Header
    slots: list[_Slot]

    @property
    def cluster(self) -> str:
        """The name of the recorded cluster."""
        return self.header.incident

    @property
    def times(self) -> list[float]:
        """Seconds since 1970 of each slot."""
        return [self.header.t0 + slot.t for slot in self.slots]

    @property
    def groups(self) -> list[str]:
        """All groups of all slots, sorted."""
        return sorted({group for slot in self.slots for group in slot.g})

    def evidence(self, group_id: str) -> Evidence:
        """Return the evidence of a group at every slot."""
        return _Columns(self, group_id).evidence()


def recording_in(path: Path) -> Recording:
    """Read a file of slots.

    Raises
    ------
    SnapshotError
        Names the file and the line that cannot be read.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise SnapshotError(f"{path}: {error.strerror}") from None
    if not lines:
        raise SnapshotError(f"{path}: the file is empty, expected a header and slots")
    header = _decoded(path, 1, lines[0], Header)
    slots = [
        _decoded(path, number, line, _Slot) for number, line in enumerate(lines[1:], 2) if line
    ]
    if not slots:
        raise SnapshotError(f"{path}: no slot follows the header, expected at least one slot")
    for before, after in zip(slots, slots[1:], strict=False):
        if after.t <= before.t:
            raise SnapshotError(
                f"{path}: a slot at {after.t:g} s follows one at {before.t:g} s, expected slots"
                " in order of time"
            )
    return Recording(header, slots)


_Line = TypeVar("_Line", Header, _Slot)


def _decoded(path: Path, number: int, line: bytes, kind: type[_Line]) -> _Line:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SnapshotError(f"{path}, line {number}: {error}") from None


def retention_of(settings: Mapping[str, Any] | None, check_seconds: float) -> Retention | None:
    """Return a topic's settings for the deletion of records, from its DescribeConfigs settings.

    None if a setting is missing.
    """
    settings = settings or {}
    try:
        return Retention(
            deletes="delete" in settings["cleanup.policy"].split(","),
            retention_seconds=int(settings["retention.ms"]) / 1000,
            retention_bytes=int(settings["retention.bytes"]),
            segment_seconds=int(settings["segment.ms"]) / 1000,
            check_seconds=check_seconds,
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


class _Columns:
    """One group of a recording as arrays."""

    def __init__(self, recording: Recording, group_id: str):
        self._recording, self._group_id = recording, group_id
        self._slots = recording.slots
        self._group = list(_with_members(self._slots, group_id))
        topics = {_place(name)[0] for name in self._partitions_named()}
        for _, members in self._group:
            for member in members:
                topics.update(member[3] or ())
        places = {_place(name) for slot in self._slots for name in slot.p}
        places |= {_place(name) for name in self._partitions_named()}
        self._places = sorted(place for place in places if place[0] in topics)
        self._tp = {f"{topic}-{number}": row for row, (topic, number) in enumerate(self._places)}
        self._topic_name = tuple(sorted({topic for topic, _ in self._places}))

    def _partitions_named(self) -> Iterator[str]:
        for group, members in self._group:
            if group is not None:
                yield from group.c
            for member in members:
                yield from member[4] or ()

    def evidence(self) -> Evidence:
        member_row = self._member_rows()
        series, has_no_leader, stable_end = self._series(member_row)
        topic_set, subscription = self._subscriptions(member_row)
        header = self._recording.header
        groups = [group for group, _ in self._group]
        return Evidence(
            series=series,
            stable_end=stable_end,
            has_no_leader=has_no_leader,
            identity=self._identities(),
            subscription=subscription,
            topic_set=topic_set,
            is_stable=np.array([bool(group and group.state == STABLE) for group in groups]),
            is_share=any(group is not None and group.type == SHARE for group in groups),
            retention=tuple(
                retention_of(header.topics.get(name), header.check_interval_ms / 1000)
                for name in self._topic_name
            ),
        )

    def _series(self, member_row: Mapping[str, int]) -> tuple[Series, np.ndarray, np.ndarray]:
        """Return the series and two arrays by slot and partition.

        The first array says whether the partition has no leader; the second is the last stable
        offset.
        """
        shape = len(self._slots), len(self._places)
        begin, end, stable_end = (np.full(shape, UNKNOWN, dtype=np.int64) for _ in range(3))
        has_no_leader, is_listed = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
        for row, slot in enumerate(self._slots):
            for name, (first, last, visible, leader) in slot.p.items():
                tp = self._tp.get(name)
                if tp is not None:
                    begin[row, tp], end[row, tp] = _offset(first), _offset(last)
                    stable_end[row, tp] = _offset(visible)
                    has_no_leader[row, tp] = leader == _NO_LEADER
                    is_listed[row, tp] = True
        is_listed[[group is None for group, _ in self._group]] = False
        committed, owner, is_member = self._of_group(member_row)
        is_listed |= (committed != UNKNOWN) | (owner != UNASSIGNED)
        topic_row = {name: row for row, name in enumerate(self._topic_name)}
        time = np.array([slot.t for slot in self._slots])
        series = Series(
            slot=np.rint(time / self._recording.header.every).astype(np.int64),
            time=np.array(self._recording.times, dtype=np.float64),
            topic_name=self._topic_name,
            topic=np.array([topic_row[topic] for topic, _ in self._places], dtype=np.int32),
            partition=np.array([number for _, number in self._places], dtype=np.int32),
            begin_offset=begin,
            committed_offset=committed,
            end_offset=end,
            lag=committed_lag(end, begin, committed),
            member_id=tuple(member_row),
            owner=owner,
            is_listed=is_listed,
            is_member=is_member,
            generation=np.full(shape[0], UNKNOWN, dtype=np.int64),
        )
        return series, has_no_leader, stable_end

    def _of_group(self, member_row: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return three arrays: committed offset, owner, and whether a member is in the group.

        The first two are by slot and partition, the last is by slot and member.
        """
        shape = len(self._slots), len(self._places)
        committed = np.full(shape, UNKNOWN, dtype=np.int64)
        owner = np.full(shape, UNASSIGNED, dtype=np.int32)
        is_member = np.zeros((shape[0], len(member_row)), dtype=bool)
        for row, (group, members) in enumerate(self._group):
            for name, offset in (group.c if group else {}).items():
                committed[row, self._tp[name]] = offset
            for member in members:
                member_number = member_row[member[0]]
                is_member[row, member_number] = True
                for name in member[4] or ():
                    owner[row, self._tp[name]] = member_number
        return committed, owner, is_member

    def _member_rows(self) -> dict[str, int]:
        ids = dict.fromkeys(member[0] for _, members in self._group for member in members)
        return {name: row for row, name in enumerate(ids)}

    def _identities(self) -> tuple[Identity, ...]:
        last = {member[0]: member for _, members in self._group for member in members}
        return tuple(
            Identity(client_id=last[name][1], instance_id=last[name][2])
            for name in self._member_rows()
        )

    def _subscriptions(self, member_row: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
        """Return the distinct topic sets, and by slot and member the index of the member's set."""
        number_of: dict[frozenset[str], int] = {}
        number = np.full((len(self._slots), len(member_row)), UNASSIGNED, dtype=np.int32)
        is_there = np.zeros(number.shape, dtype=bool)
        for row, (group, members) in enumerate(self._group):
            for member_id, _, _, topics, _ in members:
                place = row, member_row[member_id]
                is_there[place] = True
                # A rebalancing classic group lists members without their metadata.
                is_read = group is not None and (group.type != CLASSIC or group.state == STABLE)
                if topics is not None and (is_read or topics):
                    number[place] = number_of.setdefault(frozenset(topics), len(number_of))
        return table_of(list(number_of), self._topic_name), carried(number, is_there)


def _with_members(
    slots: Sequence[_Slot], group_id: str
) -> Iterator[tuple[_Group | None, list[_Member]]]:
    """Yield the group and its members for each slot; a group that is not listed is None."""
    before: list[_Member] | None = None
    for slot in slots:
        group = slot.g.get(group_id)
        if group is None:
            yield None, []
            continue
        if not isinstance(group.m, str):
            before = group.m
        elif before is None:
            raise SnapshotError(
                f'group "{group_id}" at {slot.t:g} s: members are "=", expected a list in its first'
                " slot"
            )
        yield group, before


def _place(name: str) -> tuple[str, int]:
    topic, _, number = name.rpartition("-")
    if not topic or not number.isdecimal() or number != str(int(number)):
        raise SnapshotError(f'partition "{name}", expected a topic, "-" and a number')
    return topic, int(number)


def _offset(value: int | None) -> int:
    return UNKNOWN if value is None or value < 0 else value
