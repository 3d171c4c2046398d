"""Follow the verdicts of a cluster: store each change once, some snapshots at a time."""

from bisect import bisect_right
from collections.abc import Callable
from datetime import datetime, timedelta

import pyarrow as pa

from evenkeel.assignors.history.verdicts import OBSERVATIONS
from evenkeel.data.lake.history.change_store import TABLES, Link, append, last_changes
from evenkeel.data.lake.history.group_parts import rows_by_groups
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slug_of, time_of
from evenkeel.data.tables import schemas
from evenkeel.data.tables.series import Axis
from evenkeel.data.tables.verdict_changes import Told, verdict_changes
from evenkeel.data.tables.verdicts import VerdictTables

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
