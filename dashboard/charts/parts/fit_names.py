"""The places of names on the scatter of fits."""

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.dashboard.charts.numbers.fits import Point
from evenkeel.dashboard.charts.parts.labels import ABOVE, BELOW, LEFT, RIGHT, SIDES, Place, Side, Text, cover, placed
from evenkeel.data.words.names import elided

EVEN = "even"
"""The role of the words at the point where both are even."""

_LINE_LETTERS, _NAME_LETTERS, _MOST_STACKED = (22, 30), 28, 3


class Plot(NamedTuple):
    """Ranges of both axes, and the height in pixels."""

    xs: list[float]
    ys: list[float]
    height: int

    def place(self, point: Point) -> tuple[float, float]:
        """Return the place of a point: share of the width, pixels from below."""
        return (point.partitions - self.xs[0]) / (self.xs[1] - self.xs[0]), self.height * (point.lag - self.ys[0]) / (
            self.ys[1] - self.ys[0]
        )


def named(found: Sequence[Point], plot: Plot) -> list[tuple[Point, Place | None]]:
    """Place the names of the current assignment, of the candidate, of the others (the longest texts first), and the words for both even.

    Others that cover each other in a plot of usual width share one text: all their names, or the first and the number of the rest. A text
    without a free place has None: the hover names its marks.
    """
    joined = _joined(
        sorted(found, key=lambda point: (point.role != "current", point.role != "candidate", -len(point.names), point.lag)), plot
    )
    texts = [Text(*plot.place(point), _shapes(point.names), _sides(point, found)) for point in joined]
    corner = Point(("even in both",), plot.xs[1], 1.0, EVEN)
    ends = {point.role: plot.place(point) for point in found}
    arrow = (ends["current"], ends["candidate"]) if {"current", "candidate"} <= ends.keys() else None
    places = placed([*texts, Text(*plot.place(corner), [corner.names], _CORNER)], list(map(plot.place, found)), plot.height, arrow)
    return list(zip([*joined, corner], places, strict=True))


_CORNER = (Side(-1, 0.5), Side(-1, -0.5))


def _sides(point: Point, found: Sequence[Point]) -> Sequence[Side]:
    """Return the sides to try: above or below first for the ends of the arrow, away from it."""
    if point.role == "other":
        return SIDES
    other = next((one for one in found if one.role not in ("other", point.role)), point)
    first, second = (ABOVE, BELOW) if point.lag >= other.lag else (BELOW, ABOVE)
    return (first, LEFT, RIGHT, second, *SIDES[4:])


def _joined(found: Sequence[Point], plot: Plot) -> list[Point]:
    joined: list[Point] = []
    for point in found:
        near = (
            place
            for place, other in enumerate(joined)
            if other.role == point.role == "other" and cover(plot.place(other), plot.place(point))
        )
        place = next(near, None)
        if place is None:
            joined.append(point)
        else:
            joined[place] = joined[place]._replace(names=(*joined[place].names, *point.names))
    return joined


def _shapes(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the texts to try: a line for each name, all names wrapped, all in one line, the first and the number of the rest."""
    cut = [elided(name, _NAME_LETTERS) for name in names]
    text = ", ".join(cut)
    wrapped = [tuple(textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False)) for letters in _LINE_LETTERS]
    stacked = [tuple(cut)] * (1 < len(cut) <= _MOST_STACKED)
    return [*stacked, *wrapped, (text,), *[(f"{cut[0]} + {len(cut) - 1}",)] * (len(cut) > 1)]
