"""What happened to a group, as lines of a list: a mark, what it is about, and a sentence."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.history.events import PARTITIONS, REBALANCE, VERDICT, Event, events
from evenkeel.assignors.history.now import Finding, Now
from evenkeel.assignors.history.ownership import bursts
from evenkeel.assignors.history.pictures import MemberLags
from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.verdicts import VERDICTS, Verdicts
from evenkeel.dashboard.words.history.event_titles import Titled, of_event, of_finding
from evenkeel.data.lake.history.history import History
from evenkeel.data.tables.series import Missed
from evenkeel.data.words.formats import compact, count, duration

PEAK = "peak"
_HIGH = 2
"""A peak is at least so many times the median of the range, and of the lag at its end."""


class TimelineEvent(NamedTuple):
    """`time`: seconds since 1970; `mark`: a verdict's name, the kind of the event or finding, `gap` or `peak`.

    `before`: of the reading before it, the last one that lists the group if there is any; that of the event where it is the first.
    """

    time: float
    mark: str
    title: str
    text: str
    before: float = np.nan


def timeline_events(history: History, found: Now, seen: Verdicts, lags: MemberLags) -> tuple[TimelineEvent, ...]:
    """Return the events of the range of a history, the latest first; rebalances within half an hour are one.

    `seen`: the verdicts of all slots, with those before the range. What partitions have in common at the slot of `found` stands at its
    time, restarts that have ended at the last of them.
    """
    series = history.series
    told = [one for one in events(series, seen) if one.row >= history.lead]
    lines = [_line(series.time[one.row], _mark(one), of_event(one, series, history.group_id)) for one in told if one.kind != REBALANCE]
    lines += _bursts(history, [one for one in told if one.kind == REBALANCE])
    lines += [_line(_told_at(one, found.series), one.what, of_finding(one, found.series, history.group_id)) for one in found.findings]
    lines += _gaps(history) + peaks(lags)
    return tuple(sorted((one._replace(before=_before(history.within.series, one.time)) for one in lines), key=lambda one: -one.time))


def _told_at(finding: Finding, series: Series) -> float:
    until, again = float(series.time[-1]), finding.restarts
    return again.times[-1] if again and again.is_over(until) else until


def _before(series: Series, time: float) -> float:
    earlier = series.time < time
    rows = np.flatnonzero(earlier & series.is_listed.any(axis=1))
    return float(series.time[rows[-1]] if rows.size else series.time[earlier][-1] if earlier.any() else time)


def _line(time: float, mark: str, titled: Titled) -> TimelineEvent:
    return TimelineEvent(float(time), mark, *titled)


def _mark(event: Event) -> str:
    return VERDICTS[event.after] if event.kind in (VERDICT, PARTITIONS) else event.kind


def _bursts(history: History, found: Sequence[Event]) -> list[TimelineEvent]:
    series, by_row = history.series, {one.row: one for one in found}
    lines = []
    for burst in bursts(series.time, np.array([one.row for one in found], dtype=np.int64)):
        titled = of_event(by_row[burst.rows[0]], series, history.group_id)
        if len(burst.rows) > 1:
            moved = sum(len(by_row[row].rows) for row in burst.rows)
            words = f"{len(burst.rows)} rebalances in {duration(burst.last - burst.first)}"
            titled = Titled(words, f"Owners changed {count(moved, 'time')}.")
        lines.append(_line(burst.first, REBALANCE, titled))
    return lines


def _gaps(history: History) -> list[TimelineEvent]:
    return [
        TimelineEvent(
            gap.first,
            "gap",
            f"No reading for {duration(_length(gap, history.series.time))}",
            f"{gap.reason}; nothing is drawn.".capitalize(),
        )
        for gap in history.missed
    ]


def _length(gap: Missed, time: np.ndarray) -> float:
    """Return the seconds between the readings beside a gap; at an end of the range those of the gap."""
    before, after = time[time < gap.first][-1:], time[time > gap.last][:1]
    return float(after[0] - before[0]) if before.size and after.size else gap.last - gap.first


def peaks(lags: MemberLags) -> list[TimelineEvent]:
    """Tell the highest total lag where it stands out and has passed."""
    if not lags.total.size:
        return []
    row, last = int(np.argmax(lags.total)), float(lags.total[-1])
    high = float(lags.total[row])
    if high < _HIGH * max(float(np.median(lags.total)), last, 1.0):
        return []
    return [
        TimelineEvent(
            float(lags.time[row]), PEAK, f"{compact(high)} records", f"The highest total lag of the range; {compact(last)} at its end."
        )
    ]
