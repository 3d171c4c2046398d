"""Durations as people read them, in texts and on pages."""


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
