"""Makes the notes about a group's input, and measures the growth of the group's lag from the first
reading to the last.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.facts import input_faults
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.assignors.protocol import SHARE, STREAMS
from evenkeel.data.group.columns.from_tables import GroupKey, at_instant, instant_of, of_group
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import EMPTY
from evenkeel.data.group.tables.arrow import as_datetime, integers, names, times
from evenkeel.data.group.tables.lost_rows import LostRow
from evenkeel.data.group.tables.parsed import (
    ASSUMES_ZONE,
    REBALANCING,
    ParsedTables,
    groups_told,
    is_told,
    remarks,
)
from evenkeel.data.group.tables.row_lag import lag_of_rows
from evenkeel.data.text.formats import counted

_REBALANCES = ("PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling")
_MOST_LINES = 3
"""Limit of the lines that a note names."""


class Reading(NamedTuple):
    """One reading of a group. `at`: its time, None if unknown. `rows`: rows of OFFSETS."""

    at: datetime | None
    rows: pa.Table


def readings_in(parsed: ParsedTables, key: GroupKey) -> list[Reading]:
    """Return a group's readings, oldest first. If their times are unknown, they are in the order of
    the lines.
    """
    now = of_group(parsed.offsets, key)
    time = times(now)
    instants = np.unique(time[~np.isnat(time)])
    if instants.size > 1:
        return [Reading(as_datetime(each), now.filter(time == each)) for each in instants]
    last = Reading(as_datetime(instants[0]) if instants.size else None, now)
    earlier = of_group(parsed.earlier, key)
    return [*(Reading(None, rows) for rows in _one_by_one(earlier)), last]


def _one_by_one(earlier: pa.Table) -> Iterator[pa.Table]:
    """Yield the rows of each earlier reading. A repeated partition starts the next reading."""
    start = 0
    seen: set[int] = set()
    for row, place in enumerate(_places(earlier).tolist()):
        if place in seen:
            yield earlier.slice(start, row - start)
            start, seen = row, set()
        seen.add(place)
    if earlier.num_rows:
        yield earlier.slice(start)


def growth_of(
    parsed: ParsedTables, key: GroupKey, uploaded: Collection[datetime] = ()
) -> dict[str, Any] | None:
    """Return by how many records lag and offsets grew from the first reading to the last. Only
    partitions that are known in both readings count. Return None if there is only one reading.

    `uploaded`: times of uploads; they are not times of readings.
    """
    readings = readings_in(parsed, key)
    if len(readings) < 2:
        return None
    first, last = readings[0], readings[-1]
    before, after = _rows_in_both(first.rows, last.rows)
    start, end = (None if each.at in uploaded else each.at for each in (first, last))
    return {
        "lag": _grown(lag_of_rows(before), lag_of_rows(after)),
        "produced": _grown(*(integers(rows["end_offset"]) for rows in (before, after))),
        "consumed": _grown(*(integers(rows["committed_offset"]) for rows in (before, after))),
        "readings": len(readings),
        "seconds": None if start is None or end is None else (end - start).total_seconds(),
        "from": start and start.isoformat(),
        "to": end and end.isoformat(),
    }


def _rows_in_both(first: pa.Table, last: pa.Table) -> tuple[pa.Table, pa.Table]:
    both = pa.concat_tables([first, last])
    place = _places(both)
    _, of_first, of_last = np.intersect1d(
        place[: first.num_rows], place[first.num_rows :], return_indices=True
    )
    return first.take(pa.array(of_first)), last.take(pa.array(of_last))


def _places(offsets: pa.Table) -> np.ndarray:
    """Return a number that identifies each row's topic and partition, int64."""
    topic = names(offsets["topic"]).code.astype(np.int64)
    return (topic << 32) + integers(offsets["partition"])


def _grown(before: np.ndarray, after: np.ndarray) -> int | None:
    is_known = (before != UNKNOWN) & (after != UNKNOWN)
    return int((after - before)[is_known].sum()) if is_known.any() else None


def growth_words(growth: dict[str, Any]) -> str:
    """`the lag grew by 8,409 records in 60 s: 8,500 came in, 91 were read`."""
    lag, produced, consumed = growth["lag"], growth["produced"], growth["consumed"]
    if lag is None:
        return "the growth of the lag is unknown"
    verb = "grew" if lag > 0 else "fell"
    text = f"the lag {verb} by {counted(abs(lag), 'record')}" if lag else "the lag is the same"
    if growth["seconds"]:
        text += f" in {growth['seconds']:,.0f} s"
    # If an end offset or commit fell, the group was reset or the topic is new.
    if min(produced or 0, consumed or 0) >= 0 and None not in (produced, consumed):
        text += f": {produced:,} came in, {consumed:,} were read"
    return text


# Notes: first from rows, then from remarks of sources.


def notes_of(
    parsed: ParsedTables,
    key: GroupKey,
    group: ObservedGroup,
    owner: np.ndarray | None,
    growth: dict[str, Any] | None,
    lost: Sequence[LostRow] = (),
) -> list[dict[str, Any]]:
    """Return the notes about a group. Each has a code, a text, a count, and up to three line
    numbers.

    `owner`: owner of each partition, None if owners are unknown. `lost`: rows that could not be
    read.
    """
    offsets = of_group(parsed.offsets, key)
    latest = at_instant(offsets, instant_of([offsets]))
    notes = [
        *_of_lost_rows(lost),
        *_of_readings(parsed, key, growth),
        *_of_state(parsed, key, group),
        *_of_lag(latest, group),
        *_of_owners(of_group(parsed.members, key), group, owner),
    ]
    if parsed.notes.num_rows:
        notes += [*_of_times(parsed.notes, offsets), *_of_sources(parsed.notes, key)]
    # A source's remark may repeat a note from the rows.
    return list({note["code"]: note for note in reversed(notes)}.values())[::-1]


def _of_lost_rows(lost: Sequence[LostRow]) -> Iterable[dict[str, Any]]:
    if not lost:
        return
    text = f"{counted(len(lost), 'row')} could not be read"
    if lost[-1].is_half:
        text = (
            "the input ends in the middle of a row"
            if len(lost) == 1
            else f"{text}, the last row is truncated"
        )
    lines = [row.line for row in lost]
    yield _note("lost_rows", f"{text}: partitions may be missing", len(lost), lines)


def _of_readings(
    parsed: ParsedTables, key: GroupKey, growth: dict[str, Any] | None
) -> Iterable[dict[str, Any]]:
    if growth is None:
        return
    readings = readings_in(parsed, key)
    lines = readings[-1].rows["source_line"].drop_null().to_pylist()
    text = f"{len(readings):,} readings, the latest is used: {growth_words(growth)}"
    yield _note("repeated_readings", text, len(readings), lines and [min(lines)])
    before, after = _rows_in_both(readings[0].rows, readings[-1].rows)
    pairs = zip(before["member_id"].to_pylist(), after["member_id"].to_pylist(), strict=True)
    changed = sum(None not in pair and pair[0] != pair[1] for pair in pairs)
    if changed:
        text = f"{counted(changed, 'partition')} with another owner than in the first reading"
        yield _note("owners_changed", text, changed)


def _of_state(
    parsed: ParsedTables, key: GroupKey, group: ObservedGroup
) -> Iterable[dict[str, Any]]:
    rebalancing = groups_told(parsed.notes, REBALANCING)
    if is_told(rebalancing, *key) or group.group_state in _REBALANCES:
        yield _note("rebalancing", "the group was rebalancing: owners are temporary", 1)
    if group.group_state == EMPTY:
        yield _note("empty_group", "the group has no active members", 1)


def _of_lag(latest: pa.Table, group: ObservedGroup) -> Iterable[dict[str, Any]]:
    """Yield notes about three things: printed lags that differ from the offsets, log lengths that a
    tool printed as lags, and partitions without a commit.
    """
    apart = _differences(latest)
    if apart.any():
        lines = np.sort(integers(latest["source_line"])[apart > 0])
        yield _differs(int((apart > 0).sum()), f"{int(apart.sum()):,}", lines.tolist())
    has_offsets = latest["committed_offset"].null_count + latest["end_offset"].null_count
    if group.group_type == STREAMS and has_offsets == 2 * latest.num_rows > 0:
        text = "OFFSET-LAG without CURRENT-OFFSET: some releases print the log's length there"
        yield _note("offset_lag_is_length", text, latest.num_rows)
    lag = page_lag(group.snapshot)
    unknown = int(((lag == UNKNOWN_LAG) & (group.snapshot.committed_offset == UNKNOWN)).sum())
    if unknown and (group.snapshot.committed_offset != UNKNOWN).any():
        text = f"{counted(unknown, 'partition')} without a commit: the lag is unknown, not 0"
        yield _note("unknown_commits", text, unknown)


def _differences(offsets: pa.Table) -> np.ndarray:
    """Return by how many records each printed lag differs from its row's offsets. A lag of -1 is
    skipped.
    """
    end, committed = (integers(offsets[name]) for name in ("end_offset", "committed_offset"))
    listed = offsets["listed_lag"].fill_null(-1).to_numpy()
    is_judged = (end != UNKNOWN) & (committed != UNKNOWN) & (listed != -1)
    is_judged &= listed != end - committed
    return np.where(is_judged, np.abs(np.maximum(listed, 0) - lag_of_rows(offsets)), 0)


def _of_owners(
    members: pa.Table, group: ObservedGroup, owner: np.ndarray | None
) -> Iterable[dict[str, Any]]:
    """Yield notes about partitions with lag but no owner, and about partitions with several
    owners.
    """
    lag = page_lag(group.snapshot)
    unread = np.zeros(0, dtype=bool) if owner is None else (owner == UNASSIGNED) & (lag > 0)
    if unread.any():
        total = int(lag[unread].sum())
        text = (
            f"{counted(int(unread.sum()), 'partition')} without an owner: {total:,} records that"
            " nobody reads"
        )
        yield _note("unread_lag", text, int(unread.sum()))
    claimed = np.sort(group.snapshot.claim_tp)
    if group.group_type == SHARE or not (claimed[1:] == claimed[:-1]).any():
        return
    tps, claimants = input_faults(group.snapshot).contested.T
    if count := np.unique(tps).size:
        names_of = pa.array([group.snapshot.member_id[row] for row in np.unique(claimants)])
        rows = members.filter(pc.is_in(members["member_id"], value_set=names_of))
        lines = sorted(set(rows["source_line"].drop_null().to_pylist()))
        text = f"{counted(count, 'partition')} with several owners"
        yield _note("contested", text, count, lines)


def _of_times(notes: pa.Table, offsets: pa.Table) -> Iterable[dict[str, Any]]:
    """Yield a note if times without a zone were read as UTC."""
    files = set(offsets["source_file"].unique().to_pylist())
    lines = notes.filter(ASSUMES_ZONE).to_pylist()
    assumed = [row for row in lines if row["source_file"] in files]
    if assumed:
        zone = assumed[0]["reason"].partition("; ")[2]
        text = _WORDS["zone_assumed"] if zone.startswith("no zone") else f"times: {zone}"
        yield _note("zone_assumed", text, len(assumed), [row["source_line"] for row in assumed])


def _differs(count: int, records: str, lines: Sequence[int]) -> dict[str, Any]:
    text = (
        f"{counted(count, 'partition')} with a printed lag that is not end less commit, "
        f"{records} records apart: the offsets are used"
    )
    return _note("lag_differs", text, count, lines)


_WORDS = {
    "guessed_columns": (
        "columns are guessed; in all {count} rows, LAG is end less commit. To change columns:"
        " {detail}"
    ),
    "guessed_topic": "no column for the topic: the heading {detail} is used",
    "guessed_member_ids": (
        "{count} without a member id: named by instance id, or by client id and host"
    ),
    "total_differs": "a printed total is not the sum of its rows; the rows are used: {detail}",
    "owners_differ": "{count} with another owner in the list of members: the rows' owners are used",
    "conflicting_rows": "{count} printed twice with different figures: the first row is used",
    "contested": "{count} printed with two owners: the first row is used",
    "one_client": "metrics of only one client: the group's other members are missing",
    "two_sources": (
        "{count} with different values from two sources: the newer value is used, else the larger"
    ),
    "lag_differs": "{count} with a printed lag that is not end less commit: the offsets are used",
    "zone_assumed": "times without a zone are taken as UTC",
}
"""The sentence for each code of a source's remark."""

_THINGS = {"guessed_member_ids": "member", "guessed_columns": ""}
"""The noun that a remark counts, if not partitions."""


def _of_sources(notes: pa.Table, key: GroupKey) -> Iterable[dict[str, Any]]:
    by_code: dict[str, list] = {}
    for remark in remarks(notes):
        is_of_file = key.group_id is None and remark.file == key.source_file
        if remark.group_id == key.group_id and (key.group_id is not None or is_of_file):
            by_code.setdefault(remark.code, []).append(remark)
    for code, some in by_code.items():
        total = sum(remark.total for remark in some)
        thing = _THINGS.get(code, "partition")
        shown = counted(total, thing) if thing else f"{total:,}"
        text = _WORDS[code].format(count=shown, detail=some[0].detail)
        yield _note(code, text, total, [remark.line for remark in some])


def _note(code: str, text: str, count: int, lines: Sequence[int] = ()) -> dict[str, Any]:
    return {"code": code, "text": text, "count": count, "lines": list(lines)[:_MOST_LINES]}
