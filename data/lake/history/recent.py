"""Verdicts of all groups of a cluster from its last slots, in one process: what gauges and lists show."""

from collections.abc import Iterator, Sequence, Set

import numpy as np
import pyarrow as pa

from data.lake.history.instants import Instants, instants
from data.lake.history.rows import group_rows
from data.lake.place import Place
from data.tables import history_schemas
from data.tables.arrow import Names, names
from data.tables.transforms.history.axis import Axis
from data.tables.transforms.history.series import MEMBER_COLUMNS, OFFSET_COLUMNS
from data.tables.transforms.history.verdicts import VerdictTables, verdict_tables

SLOTS = 40
"""Enough for ten observations with gaps among them, and for three windows in which a member may be busy."""

_CELLS = 400_000
"""Partitions times slots that are looked at together: with 2,000,000 it takes a tenth longer and twice the memory."""


def recent_verdicts(lake: Place, cluster: str, slots: int = SLOTS) -> VerdictTables:
    """Return GROUP_VERDICT and MEMBER_VERDICT of a cluster's last slots, empty without any.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    return verdicts_in(lake, last_of(instants(lake, cluster), slots), cluster)


def last_of(found: Instants, slots: int) -> Instants:
    """Return the last snapshots."""
    axis = found.axis
    return Instants(found.batches[-slots:], Axis(axis.batch[-slots:], axis.slot[-slots:], axis.time[-slots:], axis.missed))


def verdicts_in(lake: Place, found: Instants, cluster: str | None) -> VerdictTables:
    """Return the verdicts of all groups in these batches."""
    return group_verdicts(lake, found, cluster, ())


def group_verdicts(lake: Place, found: Instants, cluster: str | None, groups: Sequence[str]) -> VerdictTables:
    """Return the verdicts of some groups in these batches, of none named for all."""
    none = VerdictTables(history_schemas.GROUP_VERDICT.empty_table(), history_schemas.MEMBER_VERDICT.empty_table())
    if not found.batches:
        return none
    offsets = group_rows(lake, "OFFSETS", found.batches, groups, OFFSET_COLUMNS)
    members = group_rows(lake, "MEMBERS", found.batches, groups, MEMBER_COLUMNS)
    made = [verdict_tables(*rows, found.axis, cluster) for rows in by_groups(offsets, members, _CELLS)]
    return VerdictTables(*(pa.concat_tables(tables) for tables in zip(none, *made, strict=True)))


def by_groups(offsets: pa.Table, members: pa.Table, most: int) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Yield the rows of some whole groups at a time, about `most` of partitions."""
    if offsets.num_rows <= most:
        yield offsets, members
        return
    ids = pa.chunked_array([*offsets["group_id"].chunks, *members["group_id"].chunks]).unique().drop_null().to_pylist()
    at_once = max(len(ids) * most // offsets.num_rows, 1)
    coded = [(rows, names(rows["group_id"])) for rows in (offsets, members)]
    for start in range(0, len(ids), at_once):
        wanted = set(ids[start : start + at_once])
        yield tuple(_of_groups(rows, group, wanted) for rows, group in coded)


def _of_groups(rows: pa.Table, group: Names, wanted: Set[str]) -> pa.Table:
    is_wanted = np.array([name in wanted for name in group.name] + [False])[group.code]
    places = np.flatnonzero(is_wanted)
    if places.size and places[-1] - places[0] < places.size:
        # A day's file has its groups one after the other: no row is copied.
        return rows.slice(places[0], places.size)
    return rows.filter(pa.array(is_wanted))
