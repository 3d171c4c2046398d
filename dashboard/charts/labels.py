"""Places for names beside marks, so that they cover neither each other nor a mark."""

from collections.abc import Sequence
from typing import NamedTuple

LETTER = 6.3
LINE = 15
_MARK = 7
_GAP = 11
_THIN = 4


class Place(NamedTuple):
    """How far the middle of a text stands from its mark, in pixels to the right and up, and the side of the text that is anchored there."""

    right: float
    up: float
    xanchor: str


_SIDES = (
    Place(_GAP, 0, "left"),
    Place(-_GAP, 0, "right"),
    Place(0, -LINE, "center"),
    Place(0, LINE, "center"),
    Place(_GAP, LINE, "left"),
    Place(_GAP, -LINE, "left"),
    Place(-_GAP, LINE, "right"),
    Place(-_GAP, -LINE, "right"),
    Place(_GAP, 2 * LINE, "left"),
    Place(_GAP, -2 * LINE, "left"),
    Place(-_GAP, 2 * LINE, "right"),
    Place(-_GAP, -2 * LINE, "right"),
    Place(_GAP, 3 * LINE, "left"),
    Place(_GAP, -3 * LINE, "left"),
    Place(_GAP, 4 * LINE, "left"),
)
ABOVE, BELOW = _SIDES[3], _SIDES[2]

Box = tuple[float, float, float, float]


def placed(
    marks: Sequence[tuple[float, float]],
    texts: Sequence[tuple[str, ...]],
    wanted: Sequence[Place | None],
    width: float,
    lines: Sequence[tuple[tuple[float, float], tuple[float, float]]] = (),
) -> list[Place]:
    """Choose a place for each mark's text, one after the other: the first side that is free, beginning with the wanted one.

    `marks` are pixels from the left and from below; `texts` the lines of each text; `width` that of the plot, which no text leaves;
    `lines` are crossed by none, from one point to another.
    """
    taken = [(x - _MARK, y - _MARK, x + _MARK, y + _MARK) for x, y in marks] + [box for line in lines for box in _boxes_along(*line)]
    chosen = []
    for mark, lines, wish in zip(marks, texts, wanted, strict=True):
        sides = (wish, *_SIDES[1::-1], *_SIDES[2:]) if wish else _SIDES
        side = next((side for side in sides if _is_free(_box(mark, lines, side), taken, width)), sides[0])
        chosen.append(side)
        taken.append(_box(mark, lines, side))
    return chosen


def _boxes_along(start: tuple[float, float], end: tuple[float, float]) -> list[Box]:
    """A line as small boxes; its ends belong to the marks."""
    steps = max(int(max(abs(end[0] - start[0]), abs(end[1] - start[1])) / _THIN), 1)
    points = [(start[0] + (end[0] - start[0]) * step / steps, start[1] + (end[1] - start[1]) * step / steps) for step in range(2, steps - 1)]
    return [(x - _THIN / 2, y - _THIN / 2, x + _THIN / 2, y + _THIN / 2) for x, y in points]


def _box(mark: tuple[float, float], lines: tuple[str, ...], place: Place) -> Box:
    length, height = LETTER * max(map(len, lines)), LINE * len(lines)
    left = mark[0] + place.right - {"left": 0, "right": length, "center": length / 2}[place.xanchor]
    middle = mark[1] + place.up
    return left, middle - height / 2, left + length, middle + height / 2


def _is_free(box: Box, taken: Sequence[Box], width: float) -> bool:
    inside = box[0] >= 0 and box[2] <= width and box[1] >= -_GAP
    return inside and all(box[2] <= other[0] or other[2] <= box[0] or box[3] <= other[1] or other[3] <= box[1] for other in taken)
