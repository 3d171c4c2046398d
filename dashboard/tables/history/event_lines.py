"""Events as the list of the Timeline draws them."""

from collections.abc import Iterable
from datetime import UTC, datetime

from dashboard.words.told_events import Told

_MARKS = {
    "OK": ("✓", "better", "OK"),
    "SLOW": ("▲", "warn", "SLOW"),
    "STALL": ("❚❚", "bad", "STALL"),
    "STOP": ("⬣", "bad", "STOP"),
    "REWIND": ("◀◀", "warn", "REWIND"),
    "rebalance": ("↻", "", "Rebalance"),
    "joined": ("+", "", "Joined"),
    "left": ("✕", "", "Left"),
    "restarted": ("↺", "warn", "Offsets"),
    "gap": ("╌", "", "Gap"),
}


def lines(events: Iterable[Told]) -> list[dict[str, str | float]]:
    """Return seconds since 1970, time, date, sign, tone, word and sentence of each; the date only where it differs from the line above."""
    found, before = [], ""
    for one in events:
        at = datetime.fromtimestamp(one.time, UTC)
        day = f"{at:%a %-d %b}"
        sign, tone, word = _MARKS[one.mark]
        found.append(
            {
                "seconds": one.time,
                "at": f"{at:%H:%M}",
                "day": day if day != before else "",
                "sign": sign,
                "tone": tone,
                "word": word,
                "text": one.text,
            }
        )
        before = day
    return found
