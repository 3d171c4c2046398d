"""What was read in one upload."""

from datetime import UTC, datetime
from typing import NamedTuple

import pyarrow as pa

from dashboard.loading.kept import kept
from dashboard.loading.stored import require_stored
from dashboard.widgets.opened import Opened
from data import notes, store
from data.columns import GroupKey, group_keys
from data.configuration import configuration
from data.manifest import Manifest

MOST_LINES = 1_000
"""Lines of one kind, rejected, notes or rows, that a page shows; the lake keeps them all."""

_MOST_WARNINGS = 10_000


class Group(NamedTuple):
    """One group of an upload; the figures are None where they are not known."""

    opened: Opened
    member_count: int | None
    partition_count: int | None
    lag: int | None
    unknown_lag_count: int | None


class Import(NamedTuple):
    """What was read in one upload: the manifest, the first rejected lines and errors of the tool (schemas REJECTED and NOTES), the groups of which a listing says that they are
    rebalancing, with its file, and all groups, worst first."""

    manifest: Manifest
    rejected: pa.Table
    errors: pa.Table
    rebalancing: frozenset[tuple[str, str]]
    groups: tuple[Group, ...]


def imported(batch: str) -> Import:
    """Return what was read in one upload.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    require_stored(batch)
    return _imported(batch)


@kept
def _imported(batch: str) -> Import:
    lake = configuration().lake
    loads = _latest(store.groups(lake, batch).to_pylist())
    # Topics alone make no load; a batch with loads may be too big to be read whole.
    groups = [_group(batch, key, loads) for key in loads or group_keys(*store.tables(lake, batch))]
    groups.sort(key=lambda group: (group.lag is None, -(group.lag or 0), group.opened.group_id or ""))
    rejected, errors = store.first_rows(lake, batch, "REJECTED", MOST_LINES), store.notes_of_kind(lake, batch, notes.ERROR, MOST_LINES)
    warnings = store.notes_of_kind(lake, batch, notes.REBALANCING, _MOST_WARNINGS)
    return Import(store.batch(lake, batch), rejected, errors, notes.rebalancing_groups(warnings), tuple(groups))


def is_rebalancing(opened: Opened) -> bool:
    """Tell whether the listing of a group says that it is rebalancing."""
    warnings = imported(opened.batch).rebalancing if opened.batch else ()
    return any(group == opened.group_id if opened.group_id is not None else file == opened.source_file for group, file in warnings)


@kept
def first_lines(batch: str, name: str) -> pa.Table:
    """Return the first rows of a table of an upload."""
    return store.first_rows(configuration().lake, batch, name, MOST_LINES)


def _latest(rows: list[dict]) -> dict[GroupKey, dict]:
    """Return the row of each group's latest instant, which is the one that `observed_from_tables` takes."""
    by_time = sorted(reversed(rows), key=lambda row: row["taken_at"] or datetime.min.replace(tzinfo=UTC))
    return {GroupKey(row["group_id"], row["unnamed_in"]): row for row in by_time}


def _group(batch: str, key: GroupKey, loads: dict[GroupKey, dict]) -> Group:
    load = loads.get(key, {})
    return Group(Opened(None, batch, *key), *(load.get(column) for column in ("member_count", "partition_count", "lag", "unknown_lag_count")))
