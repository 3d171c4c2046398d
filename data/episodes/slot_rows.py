"""The rows of some groups in one slot, and how the rows of several slots become one series."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import UNKNOWN_SECONDS, Identity, Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.data.episodes.groups import Together, together
from evenkeel.data.episodes.stored import COLUMNS
from evenkeel.data.group.tables.arrow import names
from evenkeel.data.group.tables.many_groups import named_by_group, split_name
from evenkeel.data.group.tables.series import BATCH, Axis, lag_of, offset_values, rows_of
from evenkeel.data.lake.slots.slot_batches import CODED

_OFFSETS = ("begin_offset", "committed_offset", "end_offset", "listed_lag", "stable_offset")
_SECONDS = "lag_seconds"
_NAMING = [name for name in COLUMNS["OFFSETS"] if name not in (*_OFFSETS, _SECONDS)]
_NO_RESET, _LATEST = 0, 2
_SLOT = "slot"


class _Naming:
    """The groups, members and partitions in the rows of a slot. Most slots share one `_Naming`.

    `row`: for each partition, its row number in the slot's table. `reset`: for each group,
    auto.offset.reset as a number: `_LATEST`, 1 for another value, `_NO_RESET` if not set, or
    `UNKNOWN` if the group has no partitions.
    """

    def __init__(self, offsets: pa.Table, members: pa.Table):
        axis = Axis((_SLOT,), np.zeros(1, dtype=np.int64), np.zeros(1))
        groups = together(offsets, members, axis)
        # Keep the names alone, because the tables need more memory.
        self.groups = replace(groups, identity=groups.identity(slice(None)).__getitem__)
        self.row = rows_of(named_by_group(offsets, ("topic",)), axis)[0]
        last = np.full(len(groups.group_id), UNKNOWN)
        np.maximum.at(last, groups.of_tp, self.row)
        reset = names(offsets["auto_offset_reset"])
        known = [1 + (name.lower() == "latest") for name in reset.name]
        setting = np.array([*known, _NO_RESET])[np.append(reset.code, -1)[last]]
        self.reset = np.where(last == UNKNOWN, UNKNOWN, setting)

    @cached_property
    def tps(self) -> tuple[tuple[str, int], ...]:
        series = self.groups.series
        topic = [series.topic_name[row] for row in series.topic.tolist()]
        return tuple(zip(topic, series.partition.tolist(), strict=True))

    @cached_property
    def identity_of(self) -> dict[str, Identity]:
        members = self.groups.series.member_id
        return dict(zip(members, self.groups.identity(slice(None)), strict=True))


class SlotRows(NamedTuple):
    """The rows of one slot.

    `tables`: the columns that contain names. `values`: the columns that contain numbers, by name,
    with the value of each partition.
    """

    naming: _Naming
    tables: tuple[pa.Table, pa.Table]
    values: dict[str, np.ndarray]


def slot_rows(offsets: pa.Table, members: pa.Table, before: SlotRows | None) -> SlotRows | None:
    """Return the rows of one slot, None if there are no rows.

    If a column is the same as in the previous slot, both slots use the same array.
    """
    if not offsets.num_rows and not members.num_rows:
        return None
    tables = _plain(offsets.select(_NAMING)), _plain(members.drop_columns(BATCH))
    if before is not None and tables == before.tables:
        naming, tables = before.naming, before.tables
    else:
        coded = _coded(tables[0])
        for name in (*_OFFSETS, _SECONDS):
            coded = coded.append_column(name, offsets[name])
        naming = _Naming(coded, _coded(tables[1]))
    values = {name: offset_values(offsets[name]) for name in _OFFSETS}
    if offsets[_SECONDS].null_count < offsets.num_rows:
        values[_SECONDS] = offsets[_SECONDS].fill_null(UNKNOWN_SECONDS).to_numpy()
    values = {name: column[naming.row] for name, column in values.items()}
    if before is not None:
        values = {name: _shared(column, before.values.get(name)) for name, column in values.items()}
    return SlotRows(naming, tables, values)


def _plain(rows: pa.Table) -> pa.Table:
    """Replace dictionary columns by strings; a dictionary contains also the names of other rows."""
    schema = pa.schema(
        field.with_type(pa.string()) if field.type == CODED else field for field in rows.schema
    )
    return rows.cast(schema)


def _coded(rows: pa.Table) -> pa.Table:
    columns = [
        column.dictionary_encode() if column.type == pa.string() else column
        for column in rows.columns
    ]
    slot = pa.array([_SLOT]).take(pa.array(np.zeros(rows.num_rows, dtype=np.int64)))
    return pa.table([*columns, slot], [*rows.column_names, BATCH])


def _shared(new: np.ndarray, old: np.ndarray | None) -> np.ndarray:
    return old if old is not None and np.array_equal(new, old) else new


class _Union:
    """The distinct keys (partitions or names) of all namings.

    `place` returns the indices in `keys` of the keys of one naming.
    """

    def __init__(
        self,
        slots: Sequence[SlotRows | None],
        keys_of: Callable[[_Naming], Sequence[Any]],
        in_order: Callable[[Iterable[Any]], Sequence[Any]] = sorted,
    ):
        self._slots = slots
        keys = {id(each.naming): keys_of(each.naming) for each in slots if each is not None}
        self._place: dict[int, np.ndarray] | None = None
        self.keys = next(iter(keys.values()))
        if any(some != self.keys for some in keys.values()):
            self.keys = in_order({key: None for some in keys.values() for key in some})
            number = {key: place for place, key in enumerate(self.keys)}
            self._place = {
                naming: np.array([number[key] for key in some], dtype=np.int64)
                for naming, some in keys.items()
            }

    def place(self, naming: _Naming) -> np.ndarray | slice:
        return slice(None) if self._place is None else self._place[id(naming)]

    def spread(self, values_of: Callable[[SlotRows], np.ndarray], missing: float) -> np.ndarray:
        """Return the values by slot and key, (S, N); `missing`: value if a slot lacks the key."""
        rows = [None if each is None else values_of(each) for each in self._slots]
        known = [row for row in rows if row is not None]
        shape = len(rows), len(self.keys)
        if self._place is None and len(known) == len(rows):
            is_constant = all(row is known[0] for row in known)
            return np.broadcast_to(known[0], shape) if is_constant else np.stack(known)
        result = np.full(shape, missing, dtype=known[0].dtype)
        for number, (each, row) in enumerate(zip(self._slots, rows, strict=True)):
            if each is not None:
                result[number, self.place(each.naming)] = row
        return result


def joined(slots: Sequence[SlotRows | None], axis: Axis) -> Together:
    """Return the rows of several slots as one series; at least one slot must have rows."""
    namings = {id(each.naming): each.naming for each in slots if each is not None}
    tps = _Union(slots, lambda naming: naming.tps)
    members = _Union(slots, lambda naming: naming.groups.series.member_id, _by_group)
    groups = _Union(slots, lambda naming: naming.groups.group_id)

    topic_name = tuple(sorted({topic for topic, _ in tps.keys}))
    group_of = {group: row for row, group in enumerate(groups.keys)}
    topic_of = {topic: row for row, topic in enumerate(topic_name)}
    topic = np.array([topic_of[name] for name, _ in tps.keys], dtype=np.int32)
    of_topic, of_member = (
        np.array([group_of[split_name(name)[0]] for name in some], dtype=np.int64)
        for some in (topic_name, members.keys)
    )
    of_tp = of_topic[topic]

    owner = {key: _numbers(members, each) for key, each in namings.items()}
    sets, subscription = _subscriptions(namings)
    offsets = {name: tps.spread(partial(_values, name), UNKNOWN) for name in _OFFSETS}
    begin, committed, end, listed = (offsets[name] for name in _OFFSETS[:4])
    ones = {key: np.ones(len(each.tps), dtype=bool) for key, each in namings.items()}
    setting = groups.spread(lambda each: each.naming.reset, UNKNOWN)
    last = setting.shape[0] - 1 - np.argmax(setting[::-1] != UNKNOWN, axis=0)
    reset = setting[last, np.arange(len(groups.keys))][of_tp]
    series = Series(
        slot=axis.slot,
        time=axis.time,
        topic_name=topic_name,
        topic=topic,
        partition=np.array([number for _, number in tps.keys], dtype=np.int32),
        begin_offset=begin,
        committed_offset=committed,
        end_offset=end,
        lag=lag_of(begin, committed, end, listed, reset > _NO_RESET, reset == _LATEST),
        member_id=tuple(members.keys),
        owner=tps.spread(lambda each: owner[id(each.naming)], UNASSIGNED),
        is_listed=tps.spread(lambda each: ones[id(each.naming)], False),
        is_member=members.spread(lambda each: each.naming.groups.series.is_member[0], False),
        generation=np.full(len(slots), UNKNOWN),
        read_seconds=_read_seconds(slots, tps),
        has_owners=_has_owners(slots),
    )
    return Together(
        series,
        offsets["stable_offset"],
        _Identities(namings.values(), members.keys).of,
        list(groups.keys),
        of_tp,
        of_member,
        members.spread(lambda each: subscription[id(each.naming)], UNASSIGNED),
        members.spread(lambda each: each.naming.groups.is_listed[0], False),
        sets,
        groups.spread(lambda each: each.naming.groups.is_stable[0], False),
        np.any(groups.spread(lambda each: each.naming.groups.is_share, False), axis=0),
    )


def _values(name: str, slot: SlotRows) -> np.ndarray:
    return slot.values[name]


def _by_group(members: Iterable[str]) -> list[str]:
    return sorted(members, key=lambda name: split_name(name)[0])


def _numbers(members: _Union, naming: _Naming) -> np.ndarray:
    """Return the owner of each partition, as an index in `members.keys`."""
    owner = naming.groups.series.owner[0]
    place = np.arange(len(members.keys), dtype=np.int32)[members.place(naming)]
    return np.append(place, np.int32(UNASSIGNED))[owner]


def _subscriptions(
    namings: dict[int, _Naming],
) -> tuple[list[frozenset[str]], dict[int, np.ndarray]]:
    """Return the distinct topic sets, and for each naming the index of each member's set."""
    number: dict[frozenset[str], int] = {}
    of_member = {}
    for key, each in namings.items():
        rows = [number.setdefault(topics, len(number)) for topics in each.groups.sets]
        place = np.array([*rows, UNASSIGNED], dtype=np.int32)
        of_member[key] = place[each.groups.subscription[0]]
    return list(number), of_member


def _read_seconds(slots: Sequence[SlotRows | None], tps: _Union) -> np.ndarray | None:
    if not any(each and _SECONDS in each.values for each in slots):
        return None
    return tps.spread(
        lambda each: each.values.get(_SECONDS, np.full(len(each.naming.tps), UNKNOWN_SECONDS)),
        UNKNOWN_SECONDS,
    )


def _has_owners(slots: Sequence[SlotRows | None]) -> np.ndarray | None:
    """Return whether each slot's source lists owners, bool (S,); None if every source does."""
    lacks = [
        each is not None and each.naming.groups.series.has_owners is not None for each in slots
    ]
    return ~np.array(lacks) if any(lacks) else None


class _Identities:
    """The identities of members, computed at each request.

    Each field has the last known value of all slots.
    """

    def __init__(self, namings: Iterable[_Naming], members: Sequence[str]):
        self._namings, self._members = list(namings), members

    def of(self, members: slice) -> tuple[Identity, ...]:
        return tuple(map(self._of, self._members[members]))

    def _of(self, member: str) -> Identity:
        known = [each.identity_of[member] for each in self._namings if member in each.identity_of]
        last = (
            next((v for v in reversed(values) if v is not None), None)
            for values in zip(*known, strict=True)
        )
        return Identity(*last)
