"""Words about a group's past: the start of a finding, and the time until unread records are
deleted.
"""

from typing import NamedTuple

from evenkeel.assignors.diagnosis.reading import LEAST_SECONDS
from evenkeel.dashboard.times import clock, day, local
from evenkeel.data.episodes.past import Outlook
from evenkeel.data.text.formats import UNKNOWN, duration

WAIT = f"Wait at least {LEAST_SECONDS} s: readings that are closer count as one reading"
"""Advice: how long to wait for a later reading."""

_WEEK = 6 * 86_400.0


class Loss(NamedTuple):
    """Words about the time until unread records are deleted; `title`: the explanation."""

    text: str = UNKNOWN
    title: str = "Neither the growth of begin offsets nor the retention of the topics is known"


def since(start: float, now: float, is_least: bool = False) -> str:
    """Return the start of a finding: `13:31`, `Thu 15:10`, `8 Nov 15:10`.

    `≤ 13:31` if the first reading already shows the finding.
    """
    if local(start).date() == local(now).date():
        text = clock(start)
    elif now - start < _WEEK:
        text = f"{local(start):%a} {clock(start)}"
    else:
        text = f"{day(start).partition(' ')[2]} {clock(start)}"
    return f"≤ {text}" if is_least else text


def loss(outlook: Outlook | None, now: float) -> Loss:
    """Return the time until unread records are deleted: `≈ 1h 27m`, `≥ 23h 28m` or `safe`.

    `≈` is predicted from the growth of begin offsets, `≥` is from the retention.
    """
    if outlook is None:
        return Loss()
    if outlook.is_losing:
        return Loss("already", "Unread records are deleted when they are too old")
    if outlook.expected is not None:
        return Loss(
            f"≈ {_left(outlook.expected, now)}", "Predicted from the steps of the begin offsets"
        )
    if outlook.not_before is not None:
        title = "The earliest time by the topic's retention: whole segments are deleted later"
        if outlook.not_before <= now:
            return Loss("any time", "The oldest unread record is older than the retention")
        return Loss(f"≥ {_left(outlook.not_before, now)}", title)
    if outlook.is_safe:
        return Loss("safe", "Its members read records long before their retention ends")
    return Loss()


def _left(moment: float, now: float) -> str:
    return duration(max(moment - now, 0))
