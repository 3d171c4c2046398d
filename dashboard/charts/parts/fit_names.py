"""Which names stand where on the scatter of fits."""

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from dashboard.charts.numbers.fits import Point
from dashboard.charts.parts.labels import ABOVE, BELOW, LEFT, RIGHT, SIDES, Place, Side, Text, cover, placed
from dashboard.words.names import elided

EVEN = "even"
"""The role of the words where both are even."""

_LINE_LETTERS, _NAME_LETTERS, _MOST_STACKED = (22, 30), 28, 3


class Plot(NamedTuple):
    """Ranges of both axes, and the height in pixels."""

    xs: list[float]
    ys: list[float]
    height: int

    def place(self, point: Point) -> tuple[float, float]:
        """Return the share of the width and the pixels from below."""
        return (point.partitions - self.xs[0]) / (self.xs[1] - self.xs[0]), self.height * (point.lag - self.ys[0]) / (
            self.ys[1] - self.ys[0]
        )


def named(found: Sequence[Point], plot: Plot) -> list[tuple[Point, Place | None]]:
    """Place the names of the current assignment, of the candidate and of the others, the longest texts first, then the words at the even line.

    Others whose marks cover each other in a plot of usual width share one text. It holds all names, or the first and how many more.
    Where not even that finds a free place, None: the hover names them.
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
    """The ends of the arrow have their names above and below, away from it."""
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
    """From the most that can be said to the least: a line for each name, all in lines, all in one line, the first and how many more."""
    cut = [elided(name, _NAME_LETTERS) for name in names]
    text = ", ".join(cut)
    wrapped = [tuple(textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False)) for letters in _LINE_LETTERS]
    stacked = [tuple(cut)] * (1 < len(cut) <= _MOST_STACKED)
    return [*stacked, *wrapped, (text,), *[(f"{cut[0]} + {len(cut) - 1}",)] * (len(cut) > 1)]
