"""The tables of the Timeline: the list of events, and the comparison of two readings."""

from collections.abc import Iterable
from typing import NamedTuple

from evenkeel.assignors.arrays import all_known
from evenkeel.assignors.timeline.events import BACK, FIRST, GONE
from evenkeel.dashboard.timeline.words import MARK, PEAK, RESTART, UNSTABLE, TimelineEvent
from evenkeel.dashboard.times import clock, day
from evenkeel.data.text.formats import UNKNOWN, change, compact_sum, exact, factor, percent, signed
from evenkeel.data.timeline.words import WORDS

_MARKS = {
    "rebalance": ("↻", "", "Rebalance"),
    "joined": ("+", "", "Joined"),
    "left": ("✕", "", "Left"),
    "restarted": ("↺", "warn", "Offsets"),
    FIRST: ("+", "", "First"),
    GONE: ("✕", "warn", "Gone"),
    BACK: ("+", "", "Back"),
    MARK: ("⚑", "", "Mark"),
    RESTART: ("↺", "", "Restart"),
    "gap": ("╌", "", "Gap"),
    PEAK: ("⌃", "", "Peak"),
    UNSTABLE: ("•", "warn", "Unstable"),
}


def lines(events: Iterable[TimelineEvent]) -> list[dict[str, str | float]]:
    """Return each event as a row: its time and the previous reading's time (`before`), both in
    seconds since 1970; clock time, date, sign, tone, word, title and sentence.

    The date is empty if it is the same as in the previous row.
    """
    texts, before = [], ""
    for event in events:
        at = day(event.time)
        sign, tone, word = _verdict(event.mark) if event.mark in WORDS else _MARKS[event.mark]
        texts.append(
            {
                "seconds": event.time,
                "before": event.before,
                "at": clock(event.time),
                "day": at if at != before else "",
                "sign": sign,
                "tone": tone,
                "word": word,
                "title": event.title,
                "text": event.text,
            }
        )
        before = at
    return texts


def _verdict(name: str) -> tuple[str, str, str]:
    words = WORDS[name]
    return words.mark, "better" if words.tone == "fine" else words.tone, name


# Rows of the table of two moments.


_MANY = 10
"""A change of at least this factor is shown as a factor, because a large percentage is hard to
read.
"""

_LEAST = 0.01
"""A smaller change is neither worse nor better."""


class MomentRow(NamedTuple):
    """A row of the comparison. `tone`: the colour of `change`: `worse`, `better` or empty."""

    name: str
    first: str
    second: str
    change: str = ""
    tone: str = ""


def lag_row(name: str, lag: tuple[int | None, ...], unknown: tuple[int, ...]) -> MomentRow:
    """Return the row of a lag at two readings. If the lag of some partitions is unknown, the row's
    numbers are lower bounds.
    """
    partial = unknown[0] > 0, unknown[1] > 0
    before, after = (compact_sum(*each) for each in zip(lag, partial, strict=True))
    was, now = lag
    if was is None or now is None or was == now:
        return MomentRow(name, before, after, UNKNOWN if None in lag or any(partial) else "=")
    is_more = now > was
    grown = now / was if was else 0.0
    text = (
        factor(grown, 0 if grown >= 100 else 1)
        if grown >= _MANY and not any(partial)
        else change(was, now, *partial)
    )
    if abs(grown - 1) < _LEAST:
        return MomentRow(name, before, after, text)
    return MomentRow(
        name, before, after, f"{'▲' if is_more else '▼'} {text}", "worse" if is_more else "better"
    )


def member_row(members: tuple[int | None, ...], idle: tuple[int | None, ...]) -> MomentRow:
    """Return the row with the numbers of members and idle members. A number is unknown if the
    reading does not contain the group.
    """
    before, after = (
        UNKNOWN if member is None else f"{exact(member)}, {exact(other)}"
        for member, other in zip(members, idle, strict=True)
    )
    known = all_known((*members, *idle))
    if known is None:
        return MomentRow("Members, idle", before, after, UNKNOWN)
    more, more_idle = known[1] - known[0], known[3] - known[2]
    if more_idle:
        tone = "worse" if more_idle > 0 else "better"
        return MomentRow("Members, idle", before, after, _arrow(more_idle), tone)
    return MomentRow("Members, idle", before, after, _arrow(more) if more else "=")


def owner_row(changed: int | None, partitions: int) -> MomentRow:
    """Return the row that counts the partitions with another owner. The count is unknown if one
    reading does not contain the group.
    """
    if changed is None:
        return MomentRow("Owners changed", "", UNKNOWN, UNKNOWN)
    return MomentRow(
        "Owners changed",
        "",
        f"{exact(changed)} of {exact(partitions)}",
        percent(changed / partitions) if partitions else "",
    )


def _arrow(more: int) -> str:
    return f"{'▲' if more > 0 else '▼'} {signed(more)}"
