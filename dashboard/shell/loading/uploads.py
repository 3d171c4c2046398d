"""The contents of one upload: its groups, the times of their readings, and the rejected lines."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.dashboard.shell.cache import ALL, kept
from evenkeel.dashboard.shell.reader import (
    EVERYBODY,
    no_upload,
    reader,
    require_batch,
    require_seen,
    seen,
    whose,
)
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import group_keys
from evenkeel.data.group.tables import parsed, schemas
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.lake import store
from evenkeel.data.lake.history.instants import moment_of, parted
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.sources.latest import EARLIER

MOST_LINES = 1_000
"""Number of rejected lines, notes or rows that a page shows; the lake has all of them."""

_MOST_WARNINGS = 10_000


@dataclass(frozen=True, eq=False)
class ListedGroups:
    """Rows of GROUP_LOAD: one row for each group, worst group first. A group's `place` is its row
    number. If the input has only the groups' names, all other figures are null.

    `is_part`: some groups are hidden from this reader, so addresses contain a group's name and not
    its place. `names`: for each group a text with one name a line: topics, member ids, client ids,
    hosts and group.instance.ids. A long list of groups has no `names`.
    """

    batch: str
    table: pa.Table
    is_part: bool = False

    def __len__(self) -> int:
        return self.table.num_rows

    def opened(self, place: int) -> OpenGroup:
        """Return the group at a place."""
        return OpenGroup(None, self.batch, *(self.table[column][place].as_py() for column in _KEY))

    def place_named(self, group_id: str) -> int | None:
        """Return the place of the group with this name. None if there is no such group."""
        place = pc.index(self.table[_KEY[0]], group_id).as_py()
        return place if place >= 0 else None

    def place_of(self, group: OpenGroup) -> int | None:
        """Return the place of a group. None if the group is not in the list."""
        column, name = (
            (_KEY[0], group.group_id)
            if group.group_id is not None
            else (_KEY[1], group.source_file)
        )
        if name is None:
            return 0 if len(self) else None
        place = pc.index(self.table[column], name).as_py()
        return place if place >= 0 and group.batch == self.batch else None


class Import(NamedTuple):
    """The contents of one upload. `rejected`, `errors`: the first rejected lines, and the first
    errors that Kafka's tools reported (schemas REJECTED and NOTES).

    `rebalancing`: group id and file of each group that is rebalancing according to the file.
    `groups`: worst first. `has_earlier`: the upload has several readings, and `groups` describes
    the last reading.
    """

    manifest: Manifest
    rejected: pa.Table
    errors: pa.Table
    rebalancing: frozenset[tuple[str, str]]
    groups: ListedGroups
    has_earlier: bool = False


def imported(batch: str) -> Import:
    """Return the contents of an upload, or of a batch of the lake. Groups that the reader may not
    see are left out.

    Raises
    ------
    SnapshotError
        If the batch is gone, or the reader may see nothing in it.
    """
    require_batch(batch)
    who = reader()
    if who is EVERYBODY or (of := whose(batch)).is_upload or who.sees_all(of.cluster):
        return _imported(batch)
    cached = ALL.get((imported, batch, who.scope), lambda: _part(_imported(batch), of.cluster))
    if not len(cached.groups):
        raise no_upload(configuration())
    return cached


def _part(whole: Import, cluster: str | None) -> Import:
    """Return only the groups of an upload that the reader may see. Lines, counts and file names are
    left out, because they could contain names of hidden groups.
    """
    manifest = msgspec.structs.replace(whole.manifest, sources=(), counts=Counts(), problems=())
    rows = seen(whole.groups.table, cluster)
    groups = ListedGroups(
        whole.groups.batch,
        rows.drop("place").append_column("place", pa.array(np.arange(rows.num_rows))),
        is_part=True,
    )
    pairs = frozenset(
        pair for pair in whole.rebalancing if pair[0] in set(groups.table["group_id"].to_pylist())
    )
    return Import(manifest, whole.rejected.slice(0, 0), whole.errors.slice(0, 0), pairs, groups)


@kept
def _imported(batch: str) -> Import:
    lake = configuration().lake
    rejected, errors = (
        store.first_rows(lake, batch, "REJECTED", MOST_LINES),
        store.notes_of_kind(lake, batch, parsed.ERROR, MOST_LINES),
    )
    warnings = store.notes_of_kind(lake, batch, parsed.REBALANCING, _MOST_WARNINGS)
    return Import(
        store.batch(lake, batch),
        rejected,
        errors,
        parsed.groups_told(warnings, parsed.REBALANCING),
        listed_groups(lake, batch),
        has_earlier=store.notes_of_kind(lake, batch, EARLIER, 1).num_rows > 0,
    )


def is_rebalancing(opened: OpenGroup) -> bool:
    """Return whether the group is rebalancing according to the uploaded listing."""
    return bool(opened.batch) and parsed.is_told(
        imported(opened.batch).rebalancing, opened.group_id, opened.source_file
    )


def first_lines(batch: str, name: str) -> pa.Table:
    """Return the first rows of an upload's table. The result is empty if the reader may not see all
    groups of the upload.
    """
    whole = imported(batch)
    return _first_lines(batch, name).slice(0, 0 if whole.groups.is_part else MOST_LINES)


@kept
def _first_lines(batch: str, name: str) -> pa.Table:
    return store.first_rows(configuration().lake, batch, name, MOST_LINES)


# The groups of an upload in columns, because a listing may have hundreds of thousands of groups.


_KEY, _ROW_KEY = ("group_id", "unnamed_in"), ("group_id", "source_file")
_SEARCHED = ("topic", "member_id", "client_id", "host", "instance_id")

_MOST_ROWS = 100_000
"""In a list with more rows, the names are not read for the search."""


def listed_groups(lake: Place, batch: str) -> ListedGroups:
    """Return the groups of a batch."""
    loads = _latest(store.groups(lake, batch))
    # A list of names has no loads. A batch with loads may be too large to be read whole.
    table = loads if loads.num_rows else _without_loads(lake, batch)
    if (pc.sum(table["partition_count"]).as_py() or 0) <= _MOST_ROWS:
        # The page of the opened group reports a damaged file.
        with suppress(SnapshotError):
            table = table.append_column("names", _names(lake, batch, table))
    return ListedGroups(batch, table.append_column("place", pa.array(np.arange(table.num_rows))))


def _names(lake: Place, batch: str, table: pa.Table) -> pa.Array:
    names: dict[tuple, set[str]] = {}
    for rows in (store.table(lake, batch, name) for name in ("OFFSETS", "MEMBERS")):
        for column in set(_SEARCHED) & set(rows.column_names):
            named = rows.select([*_ROW_KEY, column]).group_by([*_ROW_KEY, column]).aggregate([])
            for group_id, file, name in zip(
                *(named[name].to_pylist() for name in (*_ROW_KEY, column)), strict=True
            ):
                if name is not None:
                    names.setdefault((group_id, None if group_id is not None else file), set()).add(
                        name
                    )
    keys = zip(*(table[column].to_pylist() for column in _KEY), strict=True)
    return pa.array(["\n".join(sorted(names.get(key, ()))) for key in keys], "string")


def _latest(loads: pa.Table) -> pa.Table:
    """Keep one row for each group, at its latest time. `observed_from_tables` chooses the same
    time.
    """
    numbered = loads.append_column("row", pa.array(np.arange(loads.num_rows)))
    by_time = numbered.sort_by([("taken_at", "descending"), ("row", "ascending")])
    # pyarrow computes `first` in only one thread.
    first = by_time.group_by(list(_KEY), use_threads=False).aggregate([("row", "first")])[
        "row_first"
    ]
    return loads.take(first.sort())


def _without_loads(lake: Place, batch: str) -> pa.Table:
    keys = group_keys(*store.tables(lake, batch))
    names = {
        column: pa.array([key[place] for key in keys], "string")
        for place, column in enumerate(_KEY)
    }
    return pa.table(
        {
            field.name: names.get(field.name, pa.nulls(len(keys), field.type))
            for field in schemas.GROUP_LOAD
        }
    ).sort_by("group_id")


# Moments at which uploads and stored batches have a group: the times in its rows, else the time
# when its listing was taken or read.


_MOST_STORED = 200


def moments(group: OpenGroup, batches: Iterable[str]) -> dict[str, datetime]:
    """Return the times at which the group is in these batches, latest first. The keys are the names
    that `OpenGroup.earlier` accepts.

    A group of another cluster is another group, even with the same name. A group without a name has
    no times.
    """
    require_seen(group)
    lake = configuration().lake
    times: dict[str, datetime] = {}
    if group.group_id is None:
        return times
    for batch in dict.fromkeys(batches):
        with suppress(SnapshotError):
            require_seen(group._replace(batch=batch))
            manifest = store.batch(lake, batch)
            times |= (
                _moments(manifest, group.group_id)
                if manifest.cluster == store.batch(lake, group.batch).cluster
                else {}
            )
    return dict(sorted(times.items(), key=lambda item: item[1], reverse=True))


def stored_in_lake() -> tuple[list[Manifest], list[str]]:
    """Return the lake's batches in which the reader may see groups, last stored first. Return also
    one line for each batch that cannot be read.
    """
    batches, broken = store.stored(configuration().lake)
    batches, who = [manifest for manifest in batches if manifest.holds_groups], reader()
    if who is EVERYBODY:
        return batches, broken
    return list(islice(filter(None, map(_part_of, batches)), _MOST_STORED)), broken if who.sees_all(
        None
    ) else []


def _part_of(manifest: Manifest) -> Manifest | None:
    if reader().sees_all(manifest.cluster):
        return manifest
    with suppress(SnapshotError):
        return imported(manifest.batch).manifest if reader().sees_some(manifest.cluster) else None
    return None


class StoredLast(NamedTuple):
    """The newest stored batches, newest first, and the number of older batches."""

    batches: list[str]
    older_count: int


def stored_batches(group: OpenGroup) -> StoredLast:
    """Return the newest batches of the group's cluster. For a group without a cluster, return the
    batches stored by `evenkeel ingest`.
    """
    require_seen(group)
    lake = configuration().lake
    cluster = store.batch(lake, group.batch).cluster
    newest = [
        manifest.batch
        for manifest in store.batches(lake)
        if manifest.holds_groups and manifest.cluster == cluster
    ]
    return StoredLast(newest[:_MOST_STORED], len(newest[_MOST_STORED:]))


def time_of(moment: str) -> datetime:
    """Return the time that `moment` means. `moment`: a value of `OpenGroup.earlier`."""
    batch, time = parted(moment)
    return time or _read_at(store.batch(configuration().lake, batch))


def _moments(manifest: Manifest, group_id: str) -> dict[str, datetime]:
    known = _times(manifest.batch, group_id)
    # If some rows have a time, rows without a time belong to no moment.
    times = [time for time in known if time] or known
    return {moment_of(manifest.batch, time): time or _read_at(manifest) for time in times}


def _read_at(manifest: Manifest) -> datetime:
    return manifest.taken_at or manifest.ingested_at


@kept
def _times(batch: str, group_id: str) -> tuple[datetime | None, ...]:
    return tuple(store.times(configuration().lake, batch, group_id))
