"""A range of the Timeline in words."""

from evenkeel.dashboard.words.times import day_and_clock, zone

_LEAST_SECONDS, _LEAST_SHARE = 60.0, 0.01
"""So much of a range may be missing without a word."""


def outside(asked: tuple[float, float], whole: tuple[float, float]) -> str:
    """Return which part of a range has readings, empty where all of it has; each from, until, seconds since 1970."""
    least = max(_LEAST_SECONDS, _LEAST_SHARE * (asked[1] - asked[0]))
    is_early, is_late = whole[0] - asked[0] > least, asked[1] - whole[1] > least
    ends = [f"from {day_and_clock(whole[0])}"] * is_early + [f"until {day_and_clock(whole[1])}"] * is_late
    missing = " or ".join(["earlier"] * is_early + ["later"] * is_late)
    return f"Shown {' '.join(ends)} {zone(whole[1])}: there are no {missing} readings." if ends else ""


def of_link(text: str, is_fixed: bool) -> str:
    """Return what a link to a range opens: `text`, such as `24 h`, which is counted back from the last reading unless it `is_fixed`."""
    opens = "Opens this range." if is_fixed else f"Opens the last {text} that there are then; choose Custom to fix the range."
    return f"{opens} Who opens it needs access to this Evenkeel."
