"""Readings of groups in the lake, with the messages of their listings."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

import numpy as np
import pyarrow as pa

from evenkeel.data.configuration import Configuration
from evenkeel.data.diagnosis.answer import Answer, Context, diagnosed
from evenkeel.data.diagnosis.many import readings_of_all
from evenkeel.data.diagnosis.reading import Readings, between, earlier_slot, readings_of
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.group.tables.lost_rows import LostRows
from evenkeel.data.group.tables.parsed import EMPTY, ParsedTables
from evenkeel.data.lake import store
from evenkeel.data.lake.history.history import History
from evenkeel.data.lake.place import Place
from evenkeel.data.scenarios.stored_groups import StoredGroup, group_at, with_reset

_MOST_NOTES = 10_000


def stored_readings(group: StoredGroup, *, has_notes: bool = False) -> Readings:
    """Return the latest and an earlier reading of a stored group.

    A collected slot has no earlier reading. `has_notes`: include notes about the input.

    Raises
    ------
    SnapshotError
        If the batch is deleted, or the group is too large.
    """
    key = GroupKey(group.group_id, group.source_file)
    parsed = _parsed(group.lake, group.batch, group.group_id)
    uploaded = _upload_times(group.lake, group.batch)
    lost_rows = _lost_rows(group.lake, group.batch, parsed.rejected)
    readings = readings_of(
        parsed,
        key,
        group.budget,
        has_notes=has_notes,
        uploaded=uploaded,
        lost_rows=lost_rows,
    )
    readings = _with_known_times(readings, uploaded)
    return readings._replace(now=with_reset(readings.now, group.reset))


def stored_readings_of_all(
    lake: Place, batch: str, keys: Iterable[GroupKey], budget: Budget
) -> Iterator[Readings]:
    """Yield the readings of several groups of a batch; raises as `stored_readings`."""
    uploaded = _upload_times(lake, batch)
    readings = readings_of_all(_parsed(lake, batch), keys, budget)
    return (_with_known_times(each, uploaded) for each in readings)


def diagnosed_slots(
    lake: Place, history: History, there: np.ndarray, chosen: Configuration
) -> Answer:
    """Return the diagnosis of a group's last slot, compared with an earlier slot.

    `there`: numbers of the slots that contain the group. In a sparse history, slots are too far
    apart for rates, so nothing is compared.
    """
    readings = Readings(group_at(lake, history.batch[there[-1]], history.group_id))
    if not history.series.is_sparse:
        slot = there[earlier_slot(history.series.time[there])]
        readings = between(group_at(lake, history.batch[slot], history.group_id), readings)
    return diagnosed(readings, Context.of(chosen))


def _upload_times(lake: Place, batch: str) -> frozenset[datetime]:
    return frozenset(store.batch(lake, batch).uploaded_at)


def _with_known_times(readings: Readings, uploaded: frozenset[datetime]) -> Readings:
    """Return the readings; remove the earlier reading if one of the two times is an upload time.

    An upload time is not the time of a reading, so it gives no rates.
    """
    if readings.earlier is None:
        return readings
    times = {readings.now.taken_at, readings.earlier.taken_at}
    return readings._replace(earlier=None, seconds=0.0) if times & uploaded else readings


def _parsed(
    lake: Place, batch: str, group_id: str | None | object = store.EVERY_GROUP
) -> ParsedTables:
    notes = store.notes_about_groups(lake, batch, _MOST_NOTES)
    earlier = store.table(lake, batch, "EARLIER", group_id)
    tables = store.tables(lake, batch, group_id)
    rejected = EMPTY.rejected
    if store.batch(lake, batch).counts.rejected:
        rejected = store.first_rows(lake, batch, "REJECTED", _MOST_NOTES)
    return replace(EMPTY, **tables._asdict(), notes=notes, earlier=earlier, rejected=rejected)


def _lost_rows(lake: Place, batch: str, rejected: pa.Table) -> LostRows:
    """Return the unreadable rows of all groups; read the tables only if such rows exist."""
    if not rejected.num_rows:
        return LostRows(rejected, ())
    tables = store.tables(lake, batch)
    return LostRows(rejected, (tables.offsets, tables.members))
