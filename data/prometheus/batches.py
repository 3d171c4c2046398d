"""Writes slots from a metrics store to a lake as batches: one batch for an hour or for a day.

A batch has rows of OFFSETS and GROUP_LOAD.
"""

import io
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
import numpy as np
import pyarrow as pa

from evenkeel.assignors.group.lag import UNKNOWN_LAG, committed_lag
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.data import clock
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.series import WITHOUT_OWNERS, Axis
from evenkeel.data.lake import manifest
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.run import running
from evenkeel.data.lake.slots.day_rows import DayFile
from evenkeel.data.lake.slots.slot_batches import (
    COLUMN,
    SCHEMAS,
    coded_schema,
    manifest_of_day,
    slot_batch,
)
from evenkeel.data.lake.writing import write_table
from evenkeel.data.prometheus.slots import Slots

GAP = "the store has no samples"
_GAP_INTERVALS = 1.5


def format_of(exporter: str) -> str:
    """Return the `source_format` of rows read from an exporter."""
    return f"{WITHOUT_OWNERS}{exporter}"


class Source(NamedTuple):
    """Where slots come from; `name`: the source's name in messages."""

    cluster: str
    exporter: str
    name: str


class BatchCounts(NamedTuple):
    """How many slots, partition rows and gaps were written."""

    slots: int = 0
    rows: int = 0
    gaps: int = 0


Slot = tuple[Slots, int]
"""One slot: (slots, row of the slot)."""


def write_batch(
    place: Place, batch: str, source: Source, parts: Iterable[Slots], taken: np.ndarray
) -> BatchCounts:
    """Write slots as one batch and publish it; if there are no slots, write nothing.

    `taken`: times of the lake's slots, seconds since 1970, ascending. A slot is left out if the
    lake has a slot within half a scrape interval.
    """
    files = {name: f"{name}/{batch}/{secrets.token_hex(8)}.parquet" for name in _TABLES}
    slots: list[Manifest] = []
    row_count = 0
    written = {name: io.BytesIO() for name in _TABLES}
    with (
        DayFile(written["OFFSETS"], SCHEMAS["OFFSETS"]) as offsets,
        DayFile(written["GROUP_LOAD"], SCHEMAS["GROUP_LOAD"]) as loads,
    ):
        for part in parts:
            rows = _free(part, taken)
            slots += _gaps(part, source, taken)
            if rows.size:
                names = [slot_batch(source.cluster, at // 1000) for at in part.time.tolist()]
                place_of_rows = np.flatnonzero(np.isin(part.slot, rows))
                slots += _manifests(part, source, rows, names, files)
                row_count += place_of_rows.size
                offsets.add(_offsets(part, source, place_of_rows, names))
                loads.add(_loads(part, source, place_of_rows, names))
    if not row_count:
        return BatchCounts()
    for name, file in files.items():
        place.write(file, written[name].getvalue(), lasts=False)
    unique = {slot.batch: slot for slot in slots}
    day = manifest_of_day(
        batch,
        sorted(unique.values(), key=lambda slot: slot.batch),
        {name: (file,) for name, file in files.items()},
        {},
    )
    manifest.publish(place, day)
    gaps = sum(slot.gap is not None for slot in day.slots)
    return BatchCounts(len(day.slots) - gaps, row_count, gaps)


def write_slots(
    place: Place, source: Source, parts: Iterable[Slots], taken: np.ndarray
) -> BatchCounts:
    """Write each slot as its own batch, without gaps: the lake already has slots in this hour."""
    slot_count = row_count = 0
    for part in parts:
        names = [slot_batch(source.cluster, at // 1000) for at in part.time.tolist()]
        for row in _free(part, taken).tolist():
            if manifest.exists(place, names[row]):
                continue
            rows = write_slot(place, names[row], source, (part, row))
            if rows:
                slot_count, row_count = slot_count + 1, row_count + rows
    return BatchCounts(slot_count, row_count)


def write_slot(
    place: Place,
    batch: str,
    source: Source,
    slot: Slot,
    earlier: Slot | None = None,
    problems: Sequence[str] = (),
) -> int:
    """Write one slot as a batch, and return its number of partition rows.

    A slot without rows is not written.

    `earlier`: an earlier slot, whose OFFSETS rows are added to the batch. `problems`: sentences
    about missing data.
    """
    part, row = slot
    place_of_rows = np.flatnonzero(part.slot == row)
    if not place_of_rows.size:
        return 0
    names = [batch] * part.time.size
    files = {name: f"{name}/{batch}/{secrets.token_hex(8)}.parquet" for name in _TABLES}
    offsets = [
        _stored(
            "OFFSETS", _offsets(read, source, np.flatnonzero(read.slot == at), [batch] * (at + 1))
        )
        for read, at in filter(None, (earlier, slot))
    ]
    loads = _stored("GROUP_LOAD", _loads(part, source, place_of_rows, names))
    with running(place, batch):
        for name, rows in zip(_TABLES, (pa.concat_tables(offsets), loads), strict=True):
            write_table(rows, schemas.STORED[name], place, files[name])
        (about,) = _manifests(part, source, np.array([row]), names, files)
        manifest.publish(place, msgspec.structs.replace(about, problems=tuple(problems)))
    return place_of_rows.size


def _stored(name: str, rows: pa.Table) -> pa.Table:
    return rows.drop_columns(COLUMN).cast(schemas.STORED[name])


_TABLES = ("OFFSETS", "GROUP_LOAD")


def _free(part: Slots, taken: np.ndarray) -> np.ndarray:
    """Return the numbers of the slots that the lake does not have, at most one for each second."""
    seconds = part.time / 1000
    near = 0.5 * part.interval if np.isfinite(part.interval) else 0.5
    after = np.searchsorted(taken, seconds - near)
    is_taken = np.append(taken, np.inf)[after] <= seconds + near
    _, first = np.unique(part.time // 1000, return_index=True)
    is_first = np.zeros(seconds.size, dtype=bool)
    is_first[first] = True
    return np.flatnonzero(is_first & ~is_taken)


def _manifests(
    part: Slots,
    source: Source,
    rows: np.ndarray,
    names: Sequence[str],
    files: Mapping[str, str],
) -> list[Manifest]:
    tables: dict[str, tuple[str, ...]] = {name: (file,) for name, file in files.items()}
    now, formats = clock.now(), (format_of(source.exporter),)
    return [
        Manifest(
            batch=names[row],
            ingested_at=now,
            taken_at=_moment(part.time[row]),
            formats=formats,
            tables=tables,
            cluster=source.cluster,
        )
        for row in rows.tolist()
    ]


def _gaps(part: Slots, source: Source, taken: np.ndarray) -> list[Manifest]:
    """Return one manifest for each gap, unless the lake has a slot in the gap.

    A gap's manifest has no rows.
    """
    step = part.interval * 1000
    gaps = []
    times = part.time if part.before is None else np.append(part.before, part.time)
    for place in np.flatnonzero(np.diff(times) > _GAP_INTERVALS * step).tolist():
        before, after = times[place : place + 2].tolist()
        if np.searchsorted(taken, before / 1000) == np.searchsorted(taken, after / 1000):
            gaps.append(_gap(source, before, after, step))
    return gaps


def _gap(source: Source, before: float, after: float, step: float) -> Manifest:
    """Return the manifest of a gap between the slots `before` and `after`; all times are in ms."""
    last = max(after - step, before + step)
    return Manifest(
        batch=slot_batch(source.cluster, int(last) // 1000),
        ingested_at=clock.now(),
        taken_at=_moment(before + step),
        gap_until=_moment(last),
        gap=f"{GAP} ({source.name})",
        cluster=source.cluster,
    )


def write_gaps(place: Place, source: Source, axis: Axis, is_joint: np.ndarray) -> int:
    """Publish the gaps on an axis that are not yet in the lake, and return their number.

    `is_joint` bool (S - 1,): True if the gap between a slot and the next slot is checked.
    """
    steps = np.diff(axis.time)
    step = float(np.median(steps)) if steps.size else np.inf
    known = np.array([missed.first for missed in axis.missed])
    count = 0
    for row in np.flatnonzero(is_joint & (steps > _GAP_INTERVALS * step)).tolist():
        before, after = axis.time[row : row + 2].tolist()
        if not ((known > before) & (known < after)).any():
            gap = _gap(source, 1000 * before, 1000 * after, 1000 * step)
            count += manifest.is_first(place, gap)
    return count


def _moment(milliseconds: float) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _offsets(part: Slots, source: Source, place: np.ndarray, batches: Sequence[str]) -> pa.Table:
    """Make OFFSETS rows from the samples with the indices `place`; `batches`: by slot number."""
    slot, key = part.slot[place], part.key[place]
    columns = _instant(part, source, slot) | {
        "group_id": _coded([group for group, _, _ in part.keys], key),
        "topic": _coded([topic for _, topic, _ in part.keys], key),
        "partition": pa.array(np.array([number for _, _, number in part.keys], np.int32)[key]),
        "begin_offset": _known(part.begin[place]),
        "committed_offset": _known(part.committed[place]),
        "end_offset": _known(part.end[place]),
        "listed_lag": _known(part.listed[place]),
        "source_format": _repeated(format_of(source.exporter), slot.size),
        COLUMN: _coded(batches, slot),
    }
    return _table("OFFSETS", columns, slot.size)


def _loads(part: Slots, source: Source, place: np.ndarray, batches: Sequence[str]) -> pa.Table:
    """Make GROUP_LOAD rows from the samples with the indices `place`; `batches`: by slot number.

    Members are unknown.
    """
    name = sorted({group for group, _, _ in part.keys})
    row_of = {group: row for row, group in enumerate(name)}
    group = np.array([row_of[group_id] for group_id, _, _ in part.keys])[part.key[place]]
    cell, row = np.unique(part.slot[place] * len(name) + group, return_inverse=True)
    lag = committed_lag(part.end[place], part.begin[place], part.committed[place])
    lag = np.where(lag == UNKNOWN_LAG, part.listed[place], lag)
    is_known = lag >= 0
    total = np.zeros(cell.size, dtype=np.int64)
    np.add.at(total, row[is_known], lag[is_known])
    count = np.bincount(row, minlength=cell.size)
    unknown = count - np.bincount(row[is_known], minlength=cell.size)
    slot = cell // len(name)
    columns = _instant(part, source, slot) | {
        "group_id": _coded(name, cell % len(name)),
        "partition_count": pa.array(count),
        "unknown_lag_count": pa.array(unknown),
        "lag": pa.array(total, mask=unknown == count),
        COLUMN: _coded(batches, slot),
    }
    return _table("GROUP_LOAD", columns, cell.size)


def _instant(part: Slots, source: Source, slot: np.ndarray) -> dict[str, pa.Array]:
    return {
        "taken_at": pa.array(part.time[slot] * 1000, schemas.TIME),
        "cluster": _repeated(source.cluster, slot.size),
    }


def _table(name: str, columns: Mapping[str, pa.Array], count: int) -> pa.Table:
    schema = coded_schema(SCHEMAS[name])
    return pa.table(
        [columns.get(field.name, pa.nulls(count, field.type)).cast(field.type) for field in schema],
        schema=schema,
    )


def _coded(texts: Sequence[str], code: np.ndarray) -> pa.DictionaryArray:
    name = list(dict.fromkeys(texts))
    row_of = {text: row for row, text in enumerate(name)}
    codes = np.array([row_of[text] for text in texts] or [0], dtype=np.int32)[code]
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(name, pa.string()))


def _repeated(text: str, count: int) -> pa.DictionaryArray:
    return _coded([text], np.zeros(count, dtype=np.int64))


def _known(offset: np.ndarray) -> pa.Array:
    return pa.array(offset, pa.int64(), mask=offset == UNKNOWN)
