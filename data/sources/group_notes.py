"""What a reader should know of a group that was read: remarks with a code, and how its lag grew
between the first and the last of several readings.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.data.group.columns.from_tables import GroupKey, of_group
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import EMPTY
from evenkeel.data.group.tables.arrow import names_owners_in
from evenkeel.data.group.tables.parsed import REBALANCING, Parsed, groups_told, is_told
from evenkeel.data.text.formats import counted

_REBALANCES = ("PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling")

Rows = dict[tuple[str, int], dict[str, Any]]


def readings_of(parsed: Parsed, key: GroupKey) -> list[tuple[datetime | None, Rows]]:
    """Return the readings of a group, the first one first: by their times, else in the order of the
    lines.
    """
    now = of_group(parsed.offsets, key).to_pylist()
    times = sorted({row["taken_at"] for row in now if row["taken_at"] is not None})
    if len(times) > 1:
        return [(time, _by_place(row for row in now if row["taken_at"] == time)) for time in times]
    readings: list[tuple[datetime | None, Rows]] = []
    rows: Rows = {}
    for row in of_group(parsed.earlier, key).to_pylist():
        if (row["topic"], row["partition"]) in rows:
            readings.append((None, rows))
            rows = {}
        rows[row["topic"], row["partition"]] = row
    if rows:
        readings.append((None, rows))
    return [*readings, (times[0] if times else None, _by_place(now))]


def growth_of(parsed: Parsed, key: GroupKey) -> dict[str, Any] | None:
    """Return how lag and offsets grew from the first reading to the last, in records, over the
    partitions that are known in both; None with a single reading.
    """
    readings = readings_of(parsed, key)
    if len(readings) < 2:
        return None
    (start, first), (end, last) = readings[0], readings[-1]
    pairs = [(first[place], last[place]) for place in first.keys() & last.keys()]
    seconds = None if start is None or end is None else (end - start).total_seconds()
    return {
        "lag": _grown([(_lag(before), _lag(after)) for before, after in pairs]),
        "produced": _of_column(pairs, "end_offset"),
        "consumed": _of_column(pairs, "committed_offset"),
        "readings": len(readings),
        "seconds": seconds,
        "from": start and start.isoformat(),
        "to": end and end.isoformat(),
    }


def notes_of(parsed: Parsed, key: GroupKey, group: ObservedGroup) -> list[dict[str, Any]]:
    """Return the remarks about a group: code, text, count, and the first lines that show them."""
    notes = [*_of_readings(parsed, key), *_of_state(parsed, key, group), *_of_lag(parsed, key)]
    lag = page_lag(group.snapshot)
    are_told = "members" not in group.assumed or names_owners_in(of_group(parsed.offsets, key))
    if group.current is not None and are_told:
        unread = (group.current.owner == UNASSIGNED) & (lag > 0)
        if unread.any():
            total = int(lag[unread].sum())
            text = f"{counted(int(unread.sum()), 'partition')} without an owner: {total:,} records that nobody reads"
            notes.append(_note("unread_lag", text, int(unread.sum())))
    unknown = int(((lag == UNKNOWN_LAG) & (group.snapshot.committed_offset == UNKNOWN)).sum())
    if unknown and (group.snapshot.committed_offset != UNKNOWN).any():
        text = f"{counted(unknown, 'partition')} without a commit: the lag is unknown, not 0"
        notes.append(_note("unknown_commits", text, unknown))
    return notes


def _of_readings(parsed: Parsed, key: GroupKey) -> Iterable[dict[str, Any]]:
    readings = readings_of(parsed, key)
    if len(readings) < 2:
        return
    lines = sorted(row["source_line"] for row in readings[-1][1].values())
    text = f"{len(readings):,} readings of the group: the last one counts"
    yield _note("repeated_readings", text, len(readings), lines[:1])
    (_, first), (_, last) = readings[0], readings[-1]
    both = first.keys() & last.keys()
    changed = sum(first[place]["member_id"] != last[place]["member_id"] for place in both)
    if changed:
        text = f"{counted(changed, 'partition')} with another owner than in the first reading"
        yield _note("owners_changed", text, changed)


def _of_state(parsed: Parsed, key: GroupKey, group: ObservedGroup) -> Iterable[dict[str, Any]]:
    told = groups_told(parsed.notes, REBALANCING)
    if is_told(told, *key) or group.group_state in _REBALANCES:
        yield _note("rebalancing", "the group was rebalancing: owners are those of a moment", 1)
    if group.group_state == EMPTY:
        yield _note("empty_group", "the group has no active members", 1)


def _of_lag(parsed: Parsed, key: GroupKey) -> Iterable[dict[str, Any]]:
    _, rows = readings_of(parsed, key)[-1]
    apart = {row["source_line"]: by for row in rows.values() if (by := _difference(row))}
    if apart:
        text = (
            f"{counted(len(apart), 'partition')} with a printed lag that is not end less commit, "
            f"{sum(apart.values()):,} records apart: the offsets count"
        )
        yield _note("lag_differs", text, len(apart), sorted(apart)[:1])


def _difference(row: dict[str, Any]) -> int:
    """Return by how many records a printed lag differs from the offsets beside it; -1 is no lag."""
    end, committed, listed = row["end_offset"], row["committed_offset"], row["listed_lag"]
    if None in (end, committed, listed) or listed in (-1, end - committed):
        return 0
    return abs(max(listed, 0) - (_lag(row) or 0))


def _note(code: str, text: str, count: int, lines: Sequence[int] = ()) -> dict[str, Any]:
    return {"code": code, "text": text, "count": count, "lines": list(lines)}


def _by_place(rows: Iterable[dict[str, Any]]) -> Rows:
    return {(row["topic"], row["partition"]): row for row in rows}


def _lag(row: dict[str, Any]) -> int | None:
    end, committed = row["end_offset"], row["committed_offset"]
    if end is None or committed is None:
        listed = row["listed_lag"]
        return None if listed is None else max(listed, 0)
    return max(0, end - max(committed, row["begin_offset"] or 0))


def _of_column(pairs: Sequence[tuple[dict[str, Any], dict[str, Any]]], column: str) -> int | None:
    return _grown([(before[column], after[column]) for before, after in pairs])


def _grown(pairs: Sequence[tuple[int | None, int | None]]) -> int | None:
    known = [after - before for before, after in pairs if None not in (before, after)]
    return sum(known) if known else None
