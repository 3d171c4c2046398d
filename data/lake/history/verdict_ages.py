"""Since when verdicts hold, where that is longer than the snapshots that were looked at: changes are stored once, and looked up here."""

from bisect import bisect_right
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.history.diagnosis import VerdictAge
from evenkeel.assignors.history.now import Now
from evenkeel.assignors.history.verdicts import OBSERVATIONS, VERDICTS
from evenkeel.data.lake.history.change_store import TABLES, Link, append, last_changes
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.history.recent import rows_by_groups
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slug_of, time_of
from evenkeel.data.tables import schemas
from evenkeel.data.tables.series import Axis
from evenkeel.data.tables.verdict_changes import Told, verdict_changes
from evenkeel.data.tables.verdicts import VerdictTables, times


class Since(NamedTuple):
    """When a verdict began, and whether it may be older."""

    at: datetime
    is_older: bool

    @property
    def age(self) -> VerdictAge:
        """The same in seconds since 1970."""
        return VerdictAge(self.at.timestamp(), self.is_older)


def verdict_since(lake: Place, cluster: str | None, group_id: str, now: Now, found: Instants) -> Since:
    """Return since when a group has its lasting verdict: `now` says it of the snapshots `found`, the stored changes of those before.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    since = Since(datetime.fromtimestamp(now.series.time[now.lasting_since], UTC), now.may_be_older)
    if not since.is_older:
        return since
    return older_since(lake, cluster, group_id, VERDICTS[now.lasting_verdict], found) or since


def with_older_since(lake: Place, cluster: str | None, groups: pa.Table, found: Instants) -> pa.Table:
    """GROUP_VERDICT -> GROUP_VERDICT, with `verdict_since` from the stored changes where it may be older than these snapshots.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    is_cut = groups["verdict_is_older"]
    last = _stored(lake, cluster, found) if pc.any(is_cut).as_py() else None
    if last is None:
        return groups
    place = pc.index_in(groups["group_id"], last["group_id"])
    is_same = pc.fill_null(pc.equal(last["lasting_verdict_last"].take(place), groups["lasting_verdict"]), False)
    is_known = pc.and_(is_cut, is_same)
    columns = {"verdict_since": "taken_at_last", "verdict_is_older": "verdict_is_older_last"}
    for name, column in columns.items():
        known = pc.if_else(is_known, last[column].take(place), groups[name])
        groups = groups.set_column(groups.column_names.index(name), groups.schema.field(name), known)
    return groups


def older_since(lake: Place, cluster: str | None, group_id: str, verdict: str, found: Instants) -> Since | None:
    """Return since when a group has had this verdict, None where the stored changes do not say it of these snapshots."""
    last = _stored(lake, cluster, found)
    rows = last.filter(pc.equal(last["group_id"], group_id)).to_pylist() if last else []
    return (
        Since(rows[0]["taken_at_last"], rows[0]["verdict_is_older_last"]) if rows and rows[0]["lasting_verdict_last"] == verdict else None
    )


def _stored(lake: Place, cluster: str | None, found: Instants) -> pa.Table | None:
    """Return the last change of each group, None where the stored changes end before these snapshots.

    A group that changed again after them is left out.
    """
    links = last_changes(lake, "GROUP_VERDICT", slug_of(cluster)) if cluster and found.batches else []
    if not links or links[-1].until < time_of(found.batches[0].batch):
        return None
    rows = pa.concat_tables(link.rows for link in links).sort_by("taken_at_last")
    last = rows.group_by("group_id", use_threads=False).aggregate([(name, "last") for name in rows.column_names if name != "group_id"])
    last = last.rename_columns([name.replace("_last_last", "_last") for name in last.column_names])
    return last.filter(pc.less_equal(last["taken_at_last"], times(found.axis.time[-1:])[0]))


# Follow the verdicts of a cluster: store each change once, some snapshots at a time.


SLOTS = 20
"""Snapshots that are looked at together. Fewer new ones wait."""

BEFORE = 20
"""Snapshots before them, for ten observations and the beginning of what lasts."""

AFTER = OBSERVATIONS - 1
"""Snapshots after them, which decide whether SLOW lasts."""

_CELLS = 400_000
"""Partitions times slots that are looked at together: more take no less time, and the memory of a collector."""

FIRST = timedelta(hours=24)
"""Of a cluster that was not followed before: how far back the first changes are."""


def follow_verdicts(lake: Place, cluster: str, pause: Callable[[], None] = lambda: None) -> int:
    """Store the changes of all snapshots that are decided; return how many snapshots these are. `pause` is called between two parts.

    Raises
    ------
    SnapshotError
        When the lake cannot be read or written.
    """
    count = 0
    while told := _follow_some(lake, cluster):
        count += told
        pause()
    return count


def _follow_some(lake: Place, cluster: str) -> int:
    ends = {name: _end(lake, name, cluster) for name in TABLES}
    # A process that was killed may have stored the changes of groups, and not those of members.
    after = None if None in ends.values() else min(ends.values())
    found = instants(lake, cluster)
    times = [time_of(one.batch) for one in found.batches]
    first = bisect_right(times, after or (times[-1] - FIRST if times else datetime.min))
    last = min(first + SLOTS, len(times) - AFTER)
    if last - first < (SLOTS if after else 1):
        return 0
    tables = _changes(lake, cluster, found, slice(first, last), after is None)
    for name, table in zip(TABLES, tables, strict=True):
        if ends[name] == after:
            append(lake, name, cluster, after, Link(times[first], times[last - 1], table))
    return last - first


def _end(lake: Place, name: str, cluster: str) -> datetime | None:
    links = last_changes(lake, name, slug_of(cluster))
    return links[-1].until if links else None


def _changes(lake: Place, cluster: str, found: Instants, slots: slice, is_begin: bool) -> VerdictTables:
    """Return the changes of some snapshots."""
    begin = max(slots.start - BEFORE, 0)
    part = slice(begin, slots.stop + AFTER)
    some = Instants(found.batches[part], Axis(*(column[part] for column in found.axis[:3])))
    told = Told(slice(slots.start - begin, slots.stop - begin), is_begin)
    made = [verdict_changes(*rows, some.axis, cluster, told) for rows in rows_by_groups(lake, some, (), _CELLS)]
    none = (schemas.HISTORY[name].empty_table() for name in TABLES)
    return VerdictTables(*(pa.concat_tables(tables) for tables in zip(none, *made, strict=True)))
