"""The room that names take beside and above a plot, in pixels."""

from collections.abc import Sequence

from dashboard.charts.parts.text_width import text_width
from dashboard.words.names import elided

NAMES = 20
"""Pixels of a line of names above a plot."""


def cut(name: str) -> str:
    """Return a name for the left margin."""
    return elided(name, 16)


def name_margin(names: Sequence[str]) -> int:
    """Return the pixels that the longest name, cut, takes on the left."""
    return margin([cut(name) for name in names])


def margin(texts: Sequence[str]) -> int:
    """Return the pixels that the longest text takes on the left."""
    return 14 + round(max(map(text_width, texts), default=0))


def are_turned(names: Sequence[str], room: float) -> bool:
    """Tell whether names above columns of `room` pixels are written upwards, because they would run into each other."""
    return _longest(names) > room


def names_height(names: Sequence[str], room: float) -> int:
    """Return the pixels that names above columns of `room` pixels take."""
    return max(NAMES, 8 + round(_longest(names))) if are_turned(names, room) else NAMES


def _longest(names: Sequence[str]) -> float:
    return max((text_width(cut(name)) for name in names), default=0)
