"""Verdicts of all groups of a cluster from its last slots, in one process: what gauges and lists show."""

from collections.abc import Sequence

import pyarrow as pa

from evenkeel.data.lake.history.group_parts import rows_by_groups
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.place import Place
from evenkeel.data.tables import schemas
from evenkeel.data.tables.series import Axis
from evenkeel.data.tables.verdicts import VerdictTables, verdict_tables

SLOTS = 40
"""Enough for ten observations with gaps among them, and for three windows in which a member may be busy."""

CELLS = 400_000
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


def group_verdicts(lake: Place, found: Instants, cluster: str | None, groups: Sequence[str], cells: int = CELLS) -> VerdictTables:
    """Return the verdicts of some groups in these batches, of none named for all; `cells` of them are looked at together."""
    none = VerdictTables(schemas.GROUP_VERDICT.empty_table(), schemas.MEMBER_VERDICT.empty_table())
    if not found.batches:
        return none
    made = [verdict_tables(*rows, found.axis, cluster, found.lead) for rows in rows_by_groups(lake, found, groups, cells)]
    return VerdictTables(*(pa.concat_tables(tables) for tables in zip(none, *made, strict=True)))
