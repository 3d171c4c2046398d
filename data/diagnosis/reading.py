"""Two readings of one group, the latest and an earlier one: from tables, documents or a cluster."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.reading import LEAST_SECONDS, PATIENCE_SECONDS, Reading
from evenkeel.assignors.group import UNKNOWN
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns.from_tables import (
    GroupKey,
    instant_of,
    observed_from_tables,
    of_group,
)
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.state_lines import with_notes
from evenkeel.data.group.document import EMPTY
from evenkeel.data.group.tables.arrow import as_datetime, names_owners_in, times
from evenkeel.data.group.tables.lost_rows import LostRow, LostRows
from evenkeel.data.group.tables.parsed import ParsedTables
from evenkeel.data.sources.group_notes import growth_of, notes_of

if TYPE_CHECKING:
    import pyarrow as pa

_PLACE = ["source_file", "source_line"]


class Readings(NamedTuple):
    """The latest reading of a group, and an earlier reading (None if there is none).

    `seconds`: time between the two readings. `group_name`: from a message of Kafka's tool, for a
    listing without group names. `names_owners`: the source lists owners, so an empty owner means no
    owner. `notes`, `growth`: as in `compare --json`; empty for a cluster. `lost_count`: number of
    the group's unreadable rows. `reason`: why a cluster gave no offsets.
    """

    now: ObservedGroup
    earlier: ObservedGroup | None = None
    seconds: float = 0.0
    group_name: str | None = None
    names_owners: bool = False
    notes: Sequence[Mapping[str, Any]] = ()
    growth: Mapping[str, Any] | None = None
    lost_count: int = 0
    reason: str | None = None


def earlier_slot(time: np.ndarray) -> int:
    """Return the slot to compare with the last slot; `time`: seconds, ascending.

    Returns the latest slot that is 300 s or more before the last slot, because some groups commit
    rarely. Returns the first slot if all slots are within 300 s.
    """
    return max(int(np.searchsorted(time, time[-1] - PATIENCE_SECONDS, side="right")) - 1, 0)


def between(earlier: ObservedGroup, later: Readings) -> Readings:
    """Return `later` with `earlier` as its earlier reading; only `later` if a time is unknown."""
    if earlier.taken_at is None or later.now.taken_at is None:
        return later
    seconds = (later.now.taken_at - earlier.taken_at).total_seconds()
    return later._replace(earlier=earlier, seconds=seconds)


def reading_of(
    observed: ObservedGroup, *, names_owners: bool = False, lost_count: int = 0
) -> Reading:
    """Return a reading as arrays; `names_owners`, `lost_count`: as in `Readings`."""
    group = observed.snapshot
    are_members_known = "members" not in observed.assumed
    owner = _owner(
        observed, names_owners, names_owners or are_members_known or observed.group_state == EMPTY
    )
    return Reading(
        group,
        owner,
        _is_read(observed, owner),
        are_members_known and not observed.is_named_alone,
        None if observed.group_state == "Unknown" else observed.group_state,
        observed.group_type,
        is_whole=not lost_count,
    )


def _owner(observed: ObservedGroup, names_owners: bool, are_told: bool) -> np.ndarray | None:
    """Return the owner of each partition, None if unknown.

    `are_told`: the input can list members or owners. If it lists none, partitions have no owner.
    """
    if observed.current is None:
        return observed.snapshot.unowned() if names_owners else None
    return observed.current.owner if observed.snapshot.member_count or are_told else None


def _is_read(observed: ObservedGroup, owner: np.ndarray | None) -> np.ndarray:
    """Return which partitions the input lists, bool (P,).

    If a topic's partition count is unknown, Evenkeel adds the partitions that the input skips.
    """
    group = observed.snapshot
    has_end = group.end_offset != UNKNOWN
    if has_end.all():
        return has_end
    is_read = np.ones(group.tp_count, dtype=bool)
    grown = [
        topic
        for topic, place in enumerate(observed.topic_order.tolist())
        if f"topics[{place}].partitions" in observed.assumed
    ]
    if not grown:
        return is_read
    says = has_end | (group.committed_offset != UNKNOWN) | (group.given_lag != UNKNOWN)
    if owner is not None:
        says |= owner != UNASSIGNED
    if says.all():
        return is_read
    for topic in grown:
        is_read[group.tps_of(topic)] = says[group.tps_of(topic)]
    return is_read


# Readings of tables.


def readings_of(
    parsed: ParsedTables,
    key: GroupKey,
    budget: Budget | None = None,
    *,
    has_notes: bool = False,
    uploaded: Collection[datetime] = (),
    lost_rows: LostRows | None = None,
) -> Readings:
    """Return a group's latest reading, and the earlier reading that `earlier_slot` chooses.

    `has_notes`: include notes about the input. `uploaded`: times at which files were uploaded; they
    are ignored as times of readings. `lost_rows`: unreadable rows of all groups; may be None if
    `parsed` has all groups.
    """
    lost = _lost_rows(parsed, key, lost_rows or LostRows.of_all(parsed))
    readings = _readings(parsed, key, budget)._replace(lost_count=len(lost))
    if not has_notes:
        return readings
    owner = reading_of(readings.now, names_owners=readings.names_owners).owner
    growth = growth_of(parsed, key, uploaded)
    notes = notes_of(parsed, key, readings.now, owner, growth, lost)
    return readings._replace(notes=notes, growth=growth)


def _lost_rows(parsed: ParsedTables, key: GroupKey, lost_rows: LostRows) -> list[LostRow]:
    """Return the unreadable rows of the latest reading.

    In each file, these are the unreadable rows below the last row of the earlier readings.
    """
    lost = lost_rows.of(*key)
    if not lost:
        return lost
    offsets = of_group(parsed.offsets, key)
    time = times(offsets)
    early = [of_group(parsed.earlier, key)]
    if not np.isnat(time).all():
        early.append(offsets.filter(time < np.nanmax(time)))
    last: dict[str | None, int] = {}
    for row in (row for table in early for row in table.select(_PLACE).to_pylist()):
        last[row["source_file"]] = max(row["source_line"] or 0, last.get(row["source_file"], 0))
    return [row for row in lost if row.line > last.get(row.file, 0)]


def _readings(parsed: ParsedTables, key: GroupKey, budget: Budget | None) -> Readings:
    offsets, members = (of_group(table, key) for table in (parsed.offsets, parsed.members))
    group_id, source_file = key
    tables = offsets, members, parsed.topics
    latest = instant_of([offsets, members])
    now = observed_from_tables(*tables, group_id, source_file, budget=budget)
    now, name = with_notes(now, parsed.notes, key, offsets)
    names_owners = names_owners_in(offsets)
    before = _instant_before(offsets, latest)
    if before is None:
        return Readings(now, group_name=name, names_owners=names_owners)
    earlier = observed_from_tables(*tables, group_id, source_file, as_datetime(before), budget)
    seconds = float((latest - before) / np.timedelta64(1, "s"))
    return Readings(now, earlier, seconds, name, names_owners)


def _instant_before(offsets: "pa.Table", latest: np.datetime64 | None) -> np.datetime64 | None:
    if latest is None:
        return None
    known = np.unique(times(offsets))
    early = known[~np.isnat(known) & (known <= latest - np.timedelta64(LEAST_SECONDS, "s"))]
    if not early.size:
        return None
    seconds = np.append(early, latest).astype("datetime64[ms]").astype(np.int64) / 1000
    return early[min(earlier_slot(seconds), early.size - 1)]
