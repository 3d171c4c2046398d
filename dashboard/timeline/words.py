"""The Timeline's events, and the result of the replay, in words. An event is a line with a mark, a
title and a sentence.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.timeline.events import (
    BACK,
    FIRST,
    GONE,
    PARTITIONS,
    REBALANCE,
    RESTARTED,
    VERDICT,
    Event,
    events,
)
from evenkeel.assignors.timeline.now import Now, Unstable
from evenkeel.assignors.timeline.ownership import bursts
from evenkeel.assignors.timeline.pictures.member_lags import MemberLags
from evenkeel.assignors.timeline.replay import CLEAR, Regret
from evenkeel.assignors.timeline.verdicts import OK, VERDICTS, Verdicts
from evenkeel.data.group.tables.series import MissedSlots
from evenkeel.data.lake.history.history import History
from evenkeel.data.text.formats import compact, count, duration, percent, with_more
from evenkeel.data.text.names import names_in
from evenkeel.data.timeline.words import (
    WORDS,
    event_words,
    first_partition,
    seen_by,
    unstable_words,
)

PEAK = "peak"
_HIGH = 2
"""A peak is at least this factor times the median lag of the range, and times the lag at its
end.
"""


MARK, RESTART, UNSTABLE = "mark", "restart of all", "unstable member"


class TimelineEvent(NamedTuple):
    """A line in the list of events. `time`: seconds since 1970. `mark`: the name of a verdict, the
    kind of an event, or `UNSTABLE`, `gap` or `peak`.

    `before`: time of the previous reading that contains the group. At the first reading, `before`
    is equal to `time`.
    """

    time: float
    mark: str
    title: str
    text: str
    before: float = np.nan


def timeline_events(
    history: History, present: Now, seen: Verdicts, lags: MemberLags
) -> tuple[TimelineEvent, ...]:
    """Return the events in the range of a history, latest first. Rebalances within half an hour are
    one event.

    `seen`: verdicts of all slots, also of slots before the range. An event about an unstable member
    has the time of `present`, or of the member's last restart if the restarts have ended.
    """
    series = history.series
    listed = [event for event in events(series, seen) if event.row >= history.lead]
    lines = [
        _line(series.time[event.row], _mark(event), of_event(event, series, history.group_id))
        for event in listed
        if event.kind != REBALANCE
    ]
    lines += _bursts(history, [event for event in listed if event.kind == REBALANCE])
    lines += [
        _line(_told_at(each, present.series), UNSTABLE, of_unstable(each, present.series))
        for each in present.unstable
    ]
    lines += _gaps(history) + peaks(lags)
    return tuple(
        sorted(
            (line._replace(before=_before(history.within.series, line.time)) for line in lines),
            key=lambda event: -event.time,
        )
    )


def _told_at(unstable: Unstable, series: Series) -> float:
    until, again = float(series.time[-1]), unstable.restarts
    return again.times[-1] if again and again.is_over(until) else until


def _before(series: Series, time: float) -> float:
    earlier = series.time < time
    rows = np.flatnonzero(earlier & series.is_listed.any(axis=1))
    if rows.size:
        return float(series.time[rows[-1]])
    return float(series.time[earlier][-1] if earlier.any() else time)


class EventTitle(NamedTuple):
    """The subject of an event, and what happened."""

    title: str
    text: str


def _line(time: float, mark: str, titled: EventTitle) -> TimelineEvent:
    return TimelineEvent(float(time), mark, *titled)


def _mark(event: Event) -> str:
    return VERDICTS[event.after] if event.kind in (VERDICT, PARTITIONS) else event.kind


def _bursts(history: History, rebalances: Sequence[Event]) -> list[TimelineEvent]:
    series, by_row = history.series, {event.row: event for event in rebalances}
    lines = []
    for burst in bursts(series.time, np.array([event.row for event in rebalances], dtype=np.int64)):
        titled = of_event(by_row[burst.rows[0]], series, history.group_id)
        if len(burst.rows) > 1:
            moved = sum(len(by_row[row].rows) for row in burst.rows)
            words = f"{len(burst.rows)} rebalances in {duration(burst.last - burst.first)}"
            titled = EventTitle(words, f"Owners changed {count(moved, 'time')}.")
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


def _length(gap: MissedSlots, time: np.ndarray) -> float:
    """Return the length of a gap in seconds, from the reading before to the reading after it. If
    one of these readings is missing, return the length of the gap itself.
    """
    before, after = time[time < gap.first][-1:], time[time > gap.last][:1]
    return float(after[0] - before[0]) if before.size and after.size else gap.last - gap.first


def peaks(lags: MemberLags) -> list[TimelineEvent]:
    """Return the highest total lag as an event. Empty unless this lag is much higher than the
    median and than the lag at the end.
    """
    if not lags.total.size:
        return []
    row, last = int(np.argmax(lags.total)), float(lags.total[-1])
    high = float(lags.total[row])
    if high < _HIGH * max(float(np.median(lags.total)), last, 1.0):
        return []
    return [
        TimelineEvent(
            float(lags.time[row]),
            PEAK,
            f"{compact(high)} records",
            f"The highest lag of the range; {compact(last)} at its end.",
        )
    ]


# Events and unstable members of a group, each as a title and a sentence.


def of_event(event: Event, series: Series, group_id: str) -> EventTitle:
    """Return the title and the sentence of an event."""
    rows = list(event.rows)
    if event.kind in (FIRST, GONE, BACK):
        return EventTitle(group_id, event_words(event, series))
    if event.kind == VERDICT and event.after == OK:
        return EventTitle(group_id, f"No longer {VERDICTS[event.before]}.")
    if event.kind in (VERDICT, PARTITIONS):
        return EventTitle(first_partition(series, rows), _reason(event, series))
    if event.kind == REBALANCE:
        step = f"Generation {event.after:,}" if event.after != UNKNOWN else "1 rebalance"
        seen = (
            ""
            if event.after != UNKNOWN
            else f" Seen by {seen_by(event)}: the generation is unknown."
        )
        return EventTitle(step, f"{count(len(rows), 'partition')} changed owner.{seen}")
    if event.kind == RESTARTED:
        return EventTitle(
            first_partition(series, rows),
            "The offsets went back, so the topic was created again or records were lost.",
        )
    members = count(int(np.count_nonzero(series.is_member[event.row])), "member")
    return EventTitle(_members(series, rows), f"The group then has {members}.")


def of_unstable(unstable: Unstable, series: Series) -> EventTitle:
    """Return the title and the sentence of a member that loses its partitions again and again."""
    return EventTitle(_members(series, [unstable.member]), unstable_words(unstable, series))


def _reason(event: Event, series: Series) -> str:
    verdict = WORDS[VERDICTS[event.after]]
    owners = np.setdiff1d(series.owner[event.row, list(event.rows)], [UNASSIGNED]).tolist()
    owner = f" Owner {_members(series, owners)}." if verdict.has_owner and owners else ""
    return f"{verdict.reason[0].upper()}{verdict.reason[1:]}.{owner}"


def _members(series: Series, rows: Sequence[int]) -> str:
    return with_more(names_in(series)[rows[0]], len(rows) - 1)


# The result of a replay of other assignors, in one sentence.


LIMIT = (
    "The peaks of the worst member's lag are compared. An assignor is better if its peak is more"
    f" than {percent(CLEAR)} lower.<br>Each assignor was run at these readings. Each run starts"
    " from the assignor's previous answer.<br>The lags are the recorded lags, because the lag under"
    " another assignor is unknown."
)
"""Markup."""


def finding(regret: Regret, is_stalled: bool) -> str:
    """Return the result of the replay in words: how much lower the highest lag of the worst member
    would be under the best assignor. `is_stalled`: a partition was stalled when the lag was
    highest.
    """
    if regret.best is None:
        return "no assignor has an answer at every reading"
    if regret.candidate is None:
        return "no assignor would have been clearly better"
    if is_stalled:
        # A stalled partition's lag moves with it to every owner.
        return "a stalled member stalls under any assignor"
    spared = float(regret.peaks[0] - regret.peaks[regret.candidate])
    return (
        f"{regret.names[regret.candidate]} would have lowered the worst member's peak by"
        f" {compact(spared)}"
    )
