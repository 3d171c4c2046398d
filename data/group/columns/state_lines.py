"""Facts from notes about a listing: no members, a rebalancing group, or a time without zone."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from evenkeel.data.group.columns.from_tables import GroupKey, instant_of
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import EMPTY
from evenkeel.data.group.tables.arrow import times
from evenkeel.data.group.tables.parsed import (
    ASSUMES_ZONE,
    NO_MEMBERS,
    REBALANCING,
    groups_told,
    is_told,
    remarks,
)

if TYPE_CHECKING:
    import pyarrow as pa

_PREPARING = "PreparingRebalance"
_STATES = {NO_MEMBERS: EMPTY, REBALANCING: _PREPARING}


def with_notes(
    observed: ObservedGroup, notes: "pa.Table", key: GroupKey, offsets: "pa.Table"
) -> tuple[ObservedGroup, str | None]:
    """Return the group with the state from a message of Kafka's tool, and the name in the message.

    `offsets`: rows of the group. A message is outdated if rows of an earlier reading follow it. The
    message that a group rebalances does not name the exact state, so `state` is assumed. If the
    group's time has no zone, the time is assumed too.
    """
    observed = _with_assumed_time(observed, notes, key, offsets)
    if observed.group_state is not None or not notes.num_rows:
        return observed, None
    for kind, state in _STATES.items():
        some = notes.filter(pc.equal(notes["reason"], kind))
        groups_named = (
            groups_told(some.filter(_is_of_now(some, offsets)), kind)
            if some.num_rows
            else frozenset()
        )
        if is_told(groups_named, *key):
            name = next((group for group, file in groups_named if file == key.source_file), None)
            return _with_state(observed, state), name
    return observed, None


def _with_state(observed: ObservedGroup, state: str) -> ObservedGroup:
    if state == EMPTY:
        known = observed.without_members() if observed.may_have_members else observed
        return replace(known, group_state=state)
    return replace(observed, group_state=state, assumed=tuple(sorted({*observed.assumed, "state"})))


def _with_assumed_time(
    observed: ObservedGroup, notes: "pa.Table", key: GroupKey, offsets: "pa.Table"
) -> ObservedGroup:
    if observed.taken_at is None:
        return observed
    files = {*offsets["source_file"].unique().to_pylist()}
    zones = notes.filter(ASSUMES_ZONE)
    if zones.num_rows:
        zones = zones.filter(_is_of_now(zones, offsets))
    lines = zones["source_file"].to_pylist()
    groups = [each.group_id for each in remarks(notes) if each.code == "zone_assumed"]
    if files.isdisjoint(lines) and key.group_id not in groups:
        return observed
    return replace(observed, assumed=tuple(sorted({*observed.assumed, "taken_at"})))


def _is_of_now(notes: "pa.Table", offsets: "pa.Table") -> "pa.Array":
    """Return whether each note comes after all rows of earlier readings in its file."""
    latest = instant_of([offsets])
    if latest is None:
        return pc.is_valid(notes["reason"])
    early = offsets.filter(times(offsets) < latest)
    last = dict(
        zip(early["source_file"].to_pylist(), early["source_line"].to_pylist(), strict=True)
    )
    rows = zip(notes["source_file"].to_pylist(), notes["source_line"].to_pylist(), strict=True)
    return pc.equal([line > last.get(file, 0) for file, line in rows], True)
