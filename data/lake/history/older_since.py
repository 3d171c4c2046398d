"""Since when verdicts hold, where that is longer than the snapshots that were looked at: the stored changes say it."""

from datetime import UTC, datetime
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.history.diagnosis import VerdictAge
from evenkeel.assignors.history.now import Now
from evenkeel.assignors.history.verdicts import VERDICTS
from evenkeel.data.lake.history.change_store import last_changes
from evenkeel.data.lake.history.instants import Instants
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slug_of, time_of
from evenkeel.data.tables.verdicts import times


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
