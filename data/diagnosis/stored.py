"""The readings of groups that the lake keeps, with the messages of their listings."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime

import pyarrow as pa

from evenkeel.data.diagnosis.many import readings_of_all
from evenkeel.data.diagnosis.reading import Readings, readings_of
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.group.tables.parsed import EMPTY, NO_MEMBERS, REBALANCING, Parsed
from evenkeel.data.lake import store
from evenkeel.data.lake.place import Place
from evenkeel.data.scenarios.stored_groups import StoredGroup, with_reset

_MOST_NOTES = 10_000


def stored_readings(group: StoredGroup) -> Readings:
    """Return the latest reading of a stored group and the one before it; a cluster's slot has
    one.

    Raises
    ------
    SnapshotError
        When the batch is gone, or the group is too large.
    """
    key = GroupKey(group.group_id, group.source_file)
    readings = readings_of(_parsed(group.lake, group.batch, group.group_id), key, group.budget)
    readings = _with_known_times(readings, store.batch(group.lake, group.batch).uploaded_at)
    return readings._replace(now=with_reset(readings.now, group.reset))


def stored_readings_of_all(
    lake: Place, batch: str, keys: Iterable[GroupKey], budget: Budget
) -> Iterator[Readings]:
    """Yield the same of several groups of one batch; raises as `stored_readings`."""
    uploaded_at = store.batch(lake, batch).uploaded_at
    for readings in readings_of_all(_parsed(lake, batch), keys, budget):
        yield _with_known_times(readings, uploaded_at)


def _with_known_times(readings: Readings, uploaded_at: Collection[datetime]) -> Readings:
    """Drop an earlier reading if the time of an upload stands for the time of one of both."""
    both = readings.earlier, readings.now
    is_known = all(one is not None and one.taken_at not in uploaded_at for one in both)
    return readings if is_known else readings._replace(earlier=None, seconds=0.0)


def _parsed(lake: Place, batch: str, group_id: str | None | object = store.EVERY_GROUP) -> Parsed:
    notes = [
        store.notes_of_kind(lake, batch, kind, _MOST_NOTES) for kind in (NO_MEMBERS, REBALANCING)
    ]
    tables = store.tables(lake, batch, group_id)
    return replace(EMPTY, **tables._asdict(), notes=pa.concat_tables(notes))
