"""Words for the start of a finding, and for the time until unread records are deleted."""

from typing import NamedTuple

from evenkeel.assignors.diagnosis.reading import LEAST_SECONDS
from evenkeel.dashboard.times import clock, day, local
from evenkeel.data.episodes.past import Outlook
from evenkeel.data.text.formats import UNKNOWN, duration

WAIT = f"Wait at least {LEAST_SECONDS} s: readings less than {LEAST_SECONDS} s apart count as one"
"""Advice: how long to wait for a later reading."""

_WEEK = 6 * 86_400.0


class Loss(NamedTuple):
    """The time until unread records are deleted, in words; `title`: how the time was computed."""

    text: str = UNKNOWN
    title: str = "Neither the growth of begin offsets nor the retention of the topics is known"


def since(start: float, now: float, is_least: bool = False) -> str:
    """Return the time at which a finding started: `13:31`, `Thu 15:10`, `8 Nov 15:10`.

    `is_least`: the first reading already shows the finding, so the text is `≤ 13:31`.
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

    `≈` is predicted from the growth of begin offsets, `≥` is computed from the topic's retention.
    """
    if outlook is None:
        return Loss()
    if outlook.is_losing:
        return Loss("already", "Kafka already deletes records that the group has not read")
    if outlook.expected is not None:
        return Loss(
            f"≈ {_left(outlook.expected, now)}", "Predicted from the growth of the begin offsets"
        )
    if outlook.not_before is not None:
        title = (
            "Earliest time, from the topic's retention; Kafka deletes whole segments, often later"
        )
        if outlook.not_before <= now:
            return Loss("any time", "The oldest unread record is older than the retention")
        return Loss(f"≥ {_left(outlook.not_before, now)}", title)
    if outlook.is_safe:
        return Loss("safe", "The members read records long before the retention ends")
    return Loss()


def _left(moment: float, now: float) -> str:
    return duration(max(moment - now, 0))
