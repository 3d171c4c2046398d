"""Durations as people read them, in texts and on pages."""


def passing(seconds: float) -> str:
    """`1 minute passes`, `10 minutes pass`, `1h 20m pass`."""
    text = duration(seconds)
    number, _, unit = text.partition(" ")
    words = {"s": "second", "m": "minute", "h": "hour", "d": "day"}
    if unit not in words:
        return f"{text} pass"
    return f"1 {words[unit]} passes" if number == "1" else f"{number} {words[unit]}s pass"


def duration(seconds: float) -> str:
    """`8 s`, `3m 12s`, `2h 5m`, `24 h`, `4 d`."""
    whole = int(seconds)
    if whole >= 48 * 3600:
        return f"{whole // 86400:,} d"
    for size, letter, smaller, small_letter in ((3600, "h", 60, "m"), (60, "m", 1, "s")):
        if whole >= size:
            rest = whole % size // smaller
            return f"{whole // size}{letter} {rest}{small_letter}" if rest else f"{whole // size} {letter}"
    return f"{whole} s"
