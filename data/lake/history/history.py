"""History: the one way to read a group at many instants."""

from datetime import datetime
from typing import NamedTuple

from evenkeel.assignors.history.series import Identity, Series, by_lineage
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.history.rows import group_rows
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.tables.series import IDENTITY_COLUMNS, MEMBER_COLUMNS, OFFSET_COLUMNS, Missed, identities_of, series_of


class History(NamedTuple):
    """One group: its series, the batch of each slot, or its moment where files were read, its manifest, and the gaps between them.

    `lead`: how many of the first slots stand before the range. `identity`: what each member of the series says of itself.
    """

    group_id: str
    cluster: str | None
    series: Series
    batch: tuple[str, ...]
    manifest: tuple[Manifest, ...]
    missed: tuple[Missed, ...]
    lead: int = 0
    identity: tuple[Identity, ...] = ()

    @property
    def by_lineage(self) -> "History":
        """The same with one member for each consumer, across its restarts; ids of the others are gone."""
        return self._replace(series=by_lineage(self.series, self.identity, self.lead), identity=()) if self.identity else self

    @property
    def within(self) -> "History":
        """The slots of the range alone."""
        rest = slice(self.lead, None)
        return self._replace(series=self.series.at(rest), batch=self.batch[rest], manifest=self.manifest[rest], lead=0)


def read_history(
    lake: Place, group_id: str, cluster: str | None = None, since: datetime | None = None, until: datetime | None = None
) -> History:
    """Read a group's snapshots of a cluster from `since` to `until`, both included, by default all that the lake has.

    Slots without a row of the group are part of it: nothing is listed in them.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    return history_in(lake, group_id, instants(lake, cluster, since, until, group_id), cluster)


def history_in(lake: Place, group_id: str, found: Instants, cluster: str | None = None) -> History:
    """Read a group in these batches alone."""
    offsets = group_rows(lake, "OFFSETS", found.batches, [group_id], (*OFFSET_COLUMNS, *IDENTITY_COLUMNS))
    members = group_rows(lake, "MEMBERS", found.batches, [group_id], (*MEMBER_COLUMNS, *IDENTITY_COLUMNS))
    series = series_of(offsets, members, found.axis)
    identity = identities_of(series, offsets, members)
    return History(group_id, cluster, series, found.axis.batch, found.batches, found.axis.missed, found.lead, identity)
