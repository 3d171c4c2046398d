"""Data for the component in the browser: members with their lag and partitions, now and under
another assignor, and the lag of the last hours.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.finding import Class, Code
from evenkeel.assignors.group import UNKNOWN as UNKNOWN_OFFSET
from evenkeel.dashboard.names import NO_OWNER, worst_first, worst_of_both
from evenkeel.dashboard.overview.loading import Hours, Overview
from evenkeel.dashboard.parts.labels import ticks
from evenkeel.dashboard.times import clock
from evenkeel.data.text.formats import UNKNOWN, counted, exact, number, with_more

MOST_ROWS = 12
MOST_BARS = 200
MOST_PARTITIONS = 50
WORST = 4
_NEAR = 3
"""The number of stored records is drawn if it is at most this many times the lag."""

FINE_SCALE = 1_000
"""Smallest end of a bar's scale, so that a few unread records of a fine group have a short bar."""

_STANDS = (Code.STALLED, Code.STUCK)


def who(seen: Overview) -> dict[str, Any]:
    """Return the members with their partitions, worst first.

    In large groups, each member has a bar, but only the worst members have a row.
    """
    count, lag = seen.answer.case.member_count, seen.member_lag
    order = worst_first(lag, [seen.answer.names.member(row) for row in range(count)])
    unowned = _unowned(seen)
    scale = _scale(seen, unowned)
    shown = order if count <= MOST_ROWS else order[:WORST]
    rows = [_member(seen, int(row), scale) for row in shown]
    if len(shown) < count:
        rows.append(_others(seen, order[WORST:], scale))
    if unowned.size:
        rows.append(_without_owner(seen, unowned, scale))
    is_fine = seen.answer.group_class == Class.FINE and scale == FINE_SCALE
    return {
        "scale": "lag, to 1 k" if is_fine else "lag",
        "columns": ["in /s", "read /s"] if seen.rates else ["committed", "end"],
        "rows": rows,
        "bars": _bars(seen, order) if count > MOST_ROWS else None,
        "hours": _hours(seen.hours, seen) if seen.hours else None,
        "legend": _legend(seen),
    }


def _unowned(seen: Overview) -> np.ndarray:
    """Return the row numbers (int64) of the partitions that the group reads but no member owns,
    most lag first.
    """
    case = seen.answer.case
    return _by_lag(seen, np.flatnonzero(case.now.is_read & (seen.owner == UNASSIGNED)))


def _by_lag(seen: Overview, tps: np.ndarray) -> np.ndarray:
    return tps[np.argsort(-seen.lag[tps], kind="stable")]


def _scale(seen: Overview, unowned: np.ndarray) -> int:
    most = max(int(seen.member_lag.max(initial=0)), int(seen.lag[unowned].sum()))
    return max(most, FINE_SCALE if seen.answer.group_class == Class.FINE else 1)


def _legend(seen: Overview) -> list[dict[str, str]]:
    headline = seen.answer.headline
    if seen.answer.group_class == Class.FINE or not headline.members:
        return []
    names = [seen.answer.names.name_and_host(row)[0] for row in headline.members[:1]]
    text = with_more(names[0], len(headline.members) - 1)
    if len(headline.members) == seen.answer.case.member_count > 1:
        text = f"all {len(headline.members):,}"
    entries = [{"kind": "subject", "text": text}]
    if len(headline.members) < seen.answer.case.member_count:
        entries.append({"kind": "others", "text": "others"})
    if seen.answer.code in _STANDS:
        entries.append({"kind": "still", "text": "no progress"})
    return entries


def _member(seen: Overview, row: int, scale: int) -> dict[str, Any]:
    name, host = seen.answer.names.name_and_host(row)
    group, headline = seen.answer.observed.snapshot, seen.answer.headline
    tps = _by_lag(seen, np.flatnonzero(seen.owner == row))
    is_subject = row in headline.members and seen.answer.group_class != Class.FINE
    return {
        "name": name,
        "host": host,
        "title": group.member_id[row],
        **_share_of(seen, tps, scale),
        "kind": _kind(is_subject, seen.answer.code == Code.STALLED),
        "cells": _cells(seen, tps),
        "isOpen": headline.members == (row,) or _is_named(seen, tps),
        "parts": _partitions(seen, tps, scale),
        "more": _more(tps.size),
    }


def _share_of(seen: Overview, tps: np.ndarray, scale: int) -> dict[str, Any]:
    """Return the number of a member's partitions, and their lag. Empty if the owners are
    unknown.
    """
    if seen.answer.case.owner is None:
        return {"note": "", "lag": UNKNOWN, "share": 0.0}
    return {"note": counted(tps.size, "partition"), **_size_of(seen, tps, scale)}


def _is_named(seen: Overview, tps: np.ndarray) -> bool:
    """Return whether the headline names one of the partitions `tps`. False if it names members."""
    return seen.answer.names_partitions and bool(seen.is_subject[tps].any())


def _kind(is_subject: bool, is_still: bool) -> str:
    if not is_subject:
        return ""
    return "subject still" if is_still else "subject"


def _size(lag: int, scale: int) -> dict[str, Any]:
    return {"lag": number(lag), "share": min(lag / scale, 1.0)}


def _size_of(seen: Overview, tps: np.ndarray, scale: int) -> dict[str, Any]:
    """Return the lag of partitions. If some lags are unknown: `≥` the sum of the known lags. If all
    lags are unknown: `≤` the largest possible lag, or `–`.
    """
    case, lag = seen.answer.case, int(seen.lag[tps].sum())
    is_unknown, bounds = case.is_unknown[tps], case.at_most[tps]
    if not is_unknown.any():
        return _size(lag, scale)
    if not is_unknown.all():
        return _size(lag, scale) | {"lag": f"≥ {number(lag)}"}
    text = f"≤ {number(int(bounds.sum()))}" if bounds.all() else UNKNOWN
    return {"lag": text, "share": 0.0}


def _more(size: int) -> str:
    left = size - MOST_PARTITIONS
    return f"{counted(left, 'more partition')} with less lag" if left > 0 else ""


def _cells(seen: Overview, tps: np.ndarray) -> list[str]:
    """Return incoming and read records/s. Empty if there is only one reading."""
    rates = seen.rates
    parts = (rates.arrived, rates.read) if rates else ()
    return [rate_text(known_sum(part[tps])) for part in parts]


def known_sum(rates: np.ndarray) -> float:
    """Return the sum of the known rates, NaN if no rate is known."""
    return np.nan if np.isnan(rates).all() else float(np.nansum(rates))


def rate_text(rate: float) -> str:
    """Return a rate as text, such as `0.4` or `25`. `–` for NaN."""
    if np.isnan(rate):
        return UNKNOWN
    return f"{rate:.1f}" if 0 < rate < 1 else number(round(rate))


def _partitions(seen: Overview, tps: np.ndarray, scale: int) -> list[dict[str, Any]]:
    is_fine, is_still = seen.answer.group_class == Class.FINE, seen.answer.code in _STANDS
    return [
        _partition(seen, tp, scale, _kind(bool(seen.is_subject[tp]) and not is_fine, is_still))
        for tp in tps[:MOST_PARTITIONS].tolist()
    ]


def _partition(seen: Overview, tp: int, scale: int, kind: str) -> dict[str, Any]:
    group = seen.answer.case.group
    offsets = [_offset(column[tp]) for column in (group.committed_offset, group.end_offset)]
    return {
        "name": seen.answer.names.partition(tp),
        "note": f"at {offsets[0]}" if seen.rates and offsets[0] != UNKNOWN else "",
        "kind": kind,
        **_size_of(seen, np.array([tp]), scale),
        "cells": _cells(seen, np.array([tp])) or offsets,
    }


def _offset(offset: int) -> str:
    return UNKNOWN if offset == UNKNOWN_OFFSET else exact(int(offset))


def _others(seen: Overview, rows: np.ndarray, scale: int) -> dict[str, Any]:
    """Return one row for all members that are not among the worst members, with their mean lag."""
    is_subject = np.isin(rows, seen.answer.headline.members).all()
    return {
        "name": f"{rows.size:,} others",
        "host": "mean",
        "kind": _kind(bool(is_subject), False) and "subject pale",
        **_size(round(float(seen.member_lag[rows].mean())), scale),
        "cells": [],
        "parts": [],
    }


def _without_owner(seen: Overview, tps: np.ndarray, scale: int) -> dict[str, Any]:
    case = seen.answer.case
    is_known = case.owner is not None
    is_subject = bool(seen.is_subject[tps].any())
    names = [seen.answer.names.partition(tp) for tp in tps[:1].tolist()]
    return {
        "name": NO_OWNER if is_known else "owner unknown",
        "host": "",
        "note": with_more(names[0], tps.size - 1),
        "kind": f"dashed {_kind(is_subject, False)}".strip(),
        **_size_of(seen, tps, scale),
        "cells": _cells(seen, tps),
        "isOpen": is_subject or not case.member_count,
        "parts": _partitions(seen, tps, scale),
        "more": _more(tps.size),
    }


def _bars(seen: Overview, order: np.ndarray) -> dict[str, Any]:
    """Return a bar for each member, most lag first. For more than 200 members, return a curve with
    200 points.
    """
    places = order
    if order.size > MOST_BARS:
        places = order[np.linspace(0, order.size - 1, MOST_BARS).round().astype(np.int64)]
    lag = seen.member_lag
    most, mean = max(int(lag.max()), 1), seen.share
    subject = () if seen.answer.group_class == Class.FINE else seen.answer.headline.members
    return {
        "isCurve": order.size > MOST_BARS,
        "shares": [int(lag[row]) / most for row in places.tolist()],
        "subject": [bool(is_in) for is_in in np.isin(places, subject)],
        "mean": mean / most,
        "text": f"share {number(round(mean))}",
        "label": (
            f"Lag of {counted(order.size, 'member')}, most first: {number(int(lag.max()))} to"
            f" {number(int(lag.min()))}"
        ),
    }


# Lag of each member, now and under the assignor that the headline advises.


def switched(seen: Overview) -> dict[str, Any] | None:
    """Return the members with their current lag, and their lag under the assignor of the remedy.
    None unless the assignment is uneven.
    """
    after = seen.answer.switched
    if after is None:
        return None
    count, now = seen.answer.case.member_count, seen.member_lag
    then = np.zeros_like(now)
    held = after.owner != UNASSIGNED
    np.add.at(then, after.owner[held], seen.lag[held])
    order = worst_first(now, [seen.answer.names.member(row) for row in range(count)])
    shown = worst_of_both(order, then, MOST_ROWS)[:MOST_ROWS]
    most = max(int(now.max()), int(then.max()), 1)
    sizes = [
        np.bincount(owner[owner != UNASSIGNED], minlength=count)
        for owner in (seen.owner, after.owner)
    ]
    mean = seen.share
    return {
        "before": seen.answer.observed.assignor or "now",
        "after": str(seen.answer.headline.detail["assignor"]),
        "mean": mean / most,
        "text": f"share {number(round(mean))}",
        "rows": [_both(seen, row, [now, then], sizes, most) for row in shown.tolist()],
        "more": f"{counted(count - len(shown), 'more member')}" if count > len(shown) else "",
    }


def _both(
    seen: Overview,
    row: int,
    lags: Sequence[np.ndarray],
    sizes: Sequence[np.ndarray],
    most: int,
) -> dict[str, Any]:
    name, host = seen.answer.names.name_and_host(row)
    return {
        "name": name,
        "host": host,
        "title": seen.answer.observed.snapshot.member_id[row],
        "lags": [
            number(int(lag[row])) if size[row] else "idle"
            for lag, size in zip(lags, sizes, strict=True)
        ],
        "shares": [
            int(lag[row]) / most if size[row] else None
            for lag, size in zip(lags, sizes, strict=True)
        ],
        "sizes": [f"{size[row]:,}" for size in sizes],
    }


# Hours of lag, as paths in a square of 100.


def _hours(hours: Hours, seen: Overview) -> dict[str, Any]:
    first, last = float(hours.time[0]), float(hours.time[-1])
    most = max(float(np.nanmax(hours.lag, initial=0.0)), 1.0)
    stored = hours.stored if hours.stored is not None and hours.stored <= _NEAR * most else None
    most = max(most, stored or 0)
    values, texts = ticks(most, most=3)
    x = (hours.time - first) / max(last - first, 1.0) * 100
    others = hours.lag - hours.subject
    now = hours.lag[-1]
    return {
        "line": _line(x, hours.lag, most),
        "area": _area(x, hours.lag, most) if np.nansum(hours.subject) else "",
        "others": _area(x, others, most),
        "ys": [
            {"at": 1 - value / most, "text": text}
            for value, text in zip(values, texts, strict=True)
        ],
        "xs": [
            {"at": (hour - first) / max(last - first, 1.0), "text": clock(hour)}
            for hour in _whole_hours(first, last)
        ],
        "kept": None if stored is None else {"at": 1 - stored / most, "text": "kept records"},
        "marks": [
            {"at": (mark.time - first) / max(last - first, 1.0), "text": mark.text}
            for mark in seen.marks
        ],
        "source": _source_of(hours, seen.sources.past),
        "label": (
            f"Lag from {clock(first)} to {clock(last)}:"
            f" {UNKNOWN if np.isnan(now) else number(int(now))} now, at most"
            f" {number(int(np.nanmax(hours.lag, initial=0.0)))}"
        ),
    }


def _source_of(hours: Hours, past: str) -> str:
    """Return a sentence on the hours whose lag is from a metrics store. Empty if there are no such
    hours.
    """
    if hours.of_store is None:
        return ""
    return f"Until {clock(hours.of_store)} {past or 'from a metrics store'}."


def _whole_hours(first: float, last: float) -> list[float]:
    step = 3600 if last - first > 2 * 3600 else 900
    return list(np.arange(-(-first // step) * step, last, step))


def _points(x: np.ndarray, y: np.ndarray, most: float) -> list[str]:
    is_known = ~np.isnan(y)
    heights = 100 - y[is_known] / most * 100
    return [f"{place:.2f} {other:.2f}" for place, other in zip(x[is_known], heights, strict=True)]


def _line(x: np.ndarray, y: np.ndarray, most: float) -> str:
    points = _points(x, y, most)
    return f"M{' L'.join(points)}" if points else ""


def _area(x: np.ndarray, y: np.ndarray, most: float) -> str:
    points = _points(x, y, most)
    if not points:
        return ""
    first, last = points[0].split()[0], points[-1].split()[0]
    return f"M{first} 100 L{' L'.join(points)} L{last} 100 Z"
