"""Places for names beside the marks of a scatter: a name covers nothing at any width of the plot.

The server does not know the width of the plot, but every side of a box is `share * width + pixels`.
Two boxes of one height meet for an interval of widths, which is compared with the widths that occur.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.dashboard.charts.parts.text_width import text_width

WIDTHS = (270.0, 1000.0)
"""Pixels of the narrowest and the widest plot."""

LINE = 16
SIZE = 12
MARK = 8
"""Pixels from the middle of a mark to its side, with the air around it."""

_AIR = 3
_NEAR = 20
"""Pixels from the middle of a mark within which a text beside it reads as its name."""
_USUAL_WIDTH = 400


class Side(NamedTuple):
    """The side of a mark for its text: `right` is -1 left of the mark, 0 over its middle, 1 right.

    The middle of the text is `heights` of its own heights plus `lines` lines above the mark, and `out` pixels further out.
    """

    right: int
    heights: float
    lines: float = 0.0
    out: float = 0.0


RIGHT, LEFT, ABOVE, BELOW = Side(1, 0), Side(-1, 0), Side(0, 0.5), Side(0, -0.5)
_CORNERS = tuple(Side(right, up * 0.5, up * lines) for lines in (0, 0.5) for up in (1, -1) for right in (1, -1))
_FAR = (
    Side(0, 0.5, 1),
    Side(0, -0.5, -1),
    *(Side(right, up * 0.5, up * lines) for lines in (1, 1.6) for up in (1, -1) for right in (1, -1)),
)
_OUT = tuple(Side(right, heights, 0, out) for out in (20, 44) for heights in (0, 0.5, -0.5) for right in (1, -1))
SIDES = (RIGHT, LEFT, ABOVE, BELOW, *_CORNERS, *_OUT, *_FAR)


class Text(NamedTuple):
    """A text to place: its mark (share of the plot's width, pixels from below), its shapes (lines) and sides, the best first."""

    x: float
    y: float
    shapes: Sequence[tuple[str, ...]]
    sides: Sequence[Side] = SIDES


class Place(NamedTuple):
    """The lines of a text, its distance from the mark in pixels to the right and up, and the side of the text at this place."""

    lines: tuple[str, ...]
    right: float
    up: float
    xanchor: str


Arrow = tuple[tuple[float, float], tuple[float, float]]
"""Two ends, each as share of the width and pixels from below."""


def placed(texts: Sequence[Text], marks: Sequence[tuple[float, float]], height: float, arrow: Arrow | None = None) -> list[Place | None]:
    """Choose a place inside the plot for each text in turn: its first shape on the first free side, None if there is no free side.

    A free side covers no mark, no earlier text and not the arrow, at any width of `WIDTHS`, and is not beside another mark.
    """
    x, y = np.array(marks).reshape(-1, 2).T
    taken = np.empty((0, 6))
    chosen: list[Place | None] = []
    for text in texts:
        boxes, ups = _boxes(text)
        reach = np.where(cover((x, y), (text.x, text.y)), MARK, _NEAR)
        zones = np.column_stack((x, -reach, x, reach, y - MARK, y + MARK))
        free = _inside(boxes, height) & ~_meet(boxes[:, None], np.vstack((zones, taken))[None]).any(axis=1)
        if arrow:
            free &= ~_meet(boxes, _beside(arrow, boxes))
        first = int(free.argmax())
        chosen.append(_place(text, first, float(ups[first])) if free[first] else None)
        taken = np.vstack((taken, boxes[first : first + free[first]]))
    return chosen


def cover(one: tuple, other: tuple):
    """Tell whether two marks cover each other in a plot of usual width; numbers or arrays."""
    return (abs(one[0] - other[0]) * _USUAL_WIDTH < LINE) & (abs(one[1] - other[1]) < LINE)


def _boxes(text: Text) -> tuple[np.ndarray, np.ndarray]:
    """Return the box of each shape on each side (left and right as share and pixels, bottom, top), and the height of its middle."""
    right, heights, lines, out = np.array(text.sides).T
    wide = np.array([[max(text_width(line, SIZE) for line in shape) + 2] for shape in text.shapes])
    high = np.array([[LINE * len(shape)] for shape in text.shapes])
    left = (MARK + _AIR + out) * right - wide * (1 - right) / 2
    up = heights * high + lines * LINE + MARK * np.sign(heights) * (right == 0)
    bottom = text.y + up - high / 2
    share = np.full(up.shape, text.x)
    return np.stack((share, left, share, left + wide, bottom, bottom + high), axis=-1).reshape(-1, 6), up.ravel()


def _place(text: Text, number: int, up: float) -> Place:
    shape, side = divmod(number, len(text.sides))
    right, out = text.sides[side].right, text.sides[side].out
    return Place(text.shapes[shape], (MARK + _AIR + out) * right, up, ("right", "center", "left")[right + 1])


def _inside(boxes: np.ndarray, height: float) -> np.ndarray:
    """Tell which boxes are inside the plot at its narrowest: a wider plot has more room on both sides."""
    left, right = boxes[:, 0] * WIDTHS[0] + boxes[:, 1], boxes[:, 2] * WIDTHS[0] + boxes[:, 3]
    return (left >= 0) & (right <= WIDTHS[0]) & (boxes[:, 4] >= 0) & (boxes[:, 5] <= height)


def _meet(ones: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Tell which boxes cover each other at some width."""
    first, last = np.full(np.broadcast(ones[..., 0], others[..., 0]).shape, WIDTHS[0]), np.full(1, WIDTHS[1])
    for one, other in ((ones, others), (others, ones)):
        # One's left is left of the other's right while slope * width + shift > 0.
        slope, shift = other[..., 2] - one[..., 0], other[..., 3] - one[..., 1]
        turn = -shift / np.where(slope == 0, 1, slope)
        first = np.where(slope > 0, np.maximum(first, turn), first)
        last = np.where(slope < 0, np.minimum(last, turn), np.where((slope == 0) & (shift <= 0), -np.inf, last))
    return (first < last) & (ones[..., 4] < others[..., 5]) & (others[..., 4] < ones[..., 5])


def _beside(arrow: Arrow, boxes: np.ndarray) -> np.ndarray:
    """Return for each box the part of the arrow at its height, as a box; it is empty if there is none."""
    (x, y), (end, top) = arrow
    rise = top - y or 1e-9
    parts = np.sort(np.clip((boxes[:, 4:] + (-_AIR, _AIR) - y) / rise, 0, 1), axis=1)
    ends = np.sort(x + (end - x) * parts, axis=1)
    empty = parts[:, 0] == parts[:, 1]
    low, high = np.where(empty, -np.inf, boxes[:, 4]), np.where(empty, -np.inf, boxes[:, 5])
    return np.column_stack((ends[:, 0], np.full(len(boxes), -_AIR), ends[:, 1], np.full(len(boxes), _AIR), low, high))
