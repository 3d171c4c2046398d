"""Events as the list of the Timeline draws them."""

from collections.abc import Iterable

from evenkeel.assignors.history.events import BACK, FIRST, GONE
from evenkeel.assignors.history.now import GROUP, MEMBER, PARTITION, TOPIC, UNSTABLE
from evenkeel.dashboard.words.events import PEAK, TimelineEvent
from evenkeel.dashboard.words.times import clock, day
from evenkeel.data.words.verdicts import WORDS

_MARKS = {
    "rebalance": ("↻", "", "Rebalance"),
    "joined": ("+", "", "Joined"),
    "left": ("✕", "", "Left"),
    "restarted": ("↺", "warn", "Offsets"),
    FIRST: ("+", "", "First"),
    GONE: ("✕", "warn", "Gone"),
    BACK: ("+", "", "Back"),
    "gap": ("╌", "", "Gap"),
    PEAK: ("⌃", "", "Peak"),
    MEMBER: ("•", "warn", "Member"),
    PARTITION: ("↑", "warn", "Hot"),
    TOPIC: ("•", "warn", "Topic"),
    GROUP: ("•", "warn", "Too small"),
    UNSTABLE: ("•", "warn", "Unstable"),
}


def lines(events: Iterable[TimelineEvent]) -> list[dict[str, str | float]]:
    """Return seconds since 1970, `before` of the event, time, date, sign, tone, word, title and sentence of each.

    The date only where it changes.
    """
    found, before = [], ""
    for one in events:
        at = day(one.time)
        sign, tone, word = _verdict(one.mark) if one.mark in WORDS else _MARKS[one.mark]
        found.append(
            {
                "seconds": one.time,
                "before": one.before,
                "at": clock(one.time),
                "day": at if at != before else "",
                "sign": sign,
                "tone": tone,
                "word": word,
                "title": one.title,
                "text": one.text,
            }
        )
        before = at
    return found


def _verdict(name: str) -> tuple[str, str, str]:
    words = WORDS[name]
    return words.mark, "better" if words.tone == "fine" else words.tone, name
