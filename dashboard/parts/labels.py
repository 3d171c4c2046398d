"""Fit names into a chart: places next to marks, names and ticks of axes."""

import re
from collections.abc import Sequence
from html import escape
from math import ceil, floor, inf, log10
from typing import NamedTuple

import numpy as np

from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.data.text.formats import compact
from evenkeel.data.text.names import elided

# Places for names next to the marks of a scatter: a name covers nothing at any width of the plot.
# The server does not know the width of the plot, but every side of a box is `share * width +
# pixels`. Two boxes of one height meet for an interval of widths, which is compared with the widths
# that occur.


WIDTHS = (270.0, 1000.0)
"""Pixels of the narrowest and the widest plot."""

LINE = 16
SIZE = 12
MARK = 8
"""Pixels from the middle of a mark to its side, with the air around it."""

_AIR = 3
_NEAR = 20
"""Pixels from the middle of a mark within which a neighbouring text reads as its name."""
_USUAL_WIDTH = 400


class Side(NamedTuple):
    """The side of a mark for its text: `right` is -1 left of the mark, 0 over its middle, 1 right.

    The text's middle is `heights` text heights plus `lines` lines above the mark, and `out` pixels
    further out.
    """

    right: int
    heights: float
    lines: float = 0.0
    out: float = 0.0


RIGHT, LEFT, ABOVE, BELOW = Side(1, 0), Side(-1, 0), Side(0, 0.5), Side(0, -0.5)
_CORNERS = tuple(
    Side(right, up * 0.5, up * lines) for lines in (0, 0.5) for up in (1, -1) for right in (1, -1)
)
_FAR = (
    Side(0, 0.5, 1),
    Side(0, -0.5, -1),
    *(
        Side(right, up * 0.5, up * lines)
        for lines in (1, 1.6)
        for up in (1, -1)
        for right in (1, -1)
    ),
)
_OUT = tuple(
    Side(right, heights, 0, out)
    for out in (20, 44)
    for heights in (0, 0.5, -0.5)
    for right in (1, -1)
)
SIDES = (RIGHT, LEFT, ABOVE, BELOW, *_CORNERS, *_OUT, *_FAR)


class Text(NamedTuple):
    """A text to place: its mark (share of the plot's width, pixels from below), its shapes (lines)
    and sides, best first.
    """

    x: float
    y: float
    shapes: Sequence[tuple[str, ...]]
    sides: Sequence[Side] = SIDES


class Place(NamedTuple):
    """A text's lines, its distance from the mark in pixels to the right and up, and its side
    here.
    """

    lines: tuple[str, ...]
    right: float
    up: float
    xanchor: str


Arrow = tuple[tuple[float, float], tuple[float, float]]
"""Two ends, each as share of the width and pixels from below."""


def placed(
    texts: Sequence[Text],
    marks: Sequence[tuple[float, float]],
    height: float,
    arrow: Arrow | None = None,
    narrowest: float = WIDTHS[0],
) -> list[Place | None]:
    """Choose a place in the plot for each text in turn: its first shape on the first free side,
    None without a free side.

    A free side covers no mark, no earlier text and not the arrow, at any width of `WIDTHS` from
    `narrowest` on, and is not next to another mark.
    """
    x, y = np.array(marks).reshape(-1, 2).T
    taken = np.empty((0, 6))
    chosen: list[Place | None] = []
    for text in texts:
        boxes, ups = _boxes(text)
        reach = np.where(cover((x, y), (text.x, text.y)), MARK, _NEAR)
        zones = np.column_stack((x, -reach, x, reach, y - MARK, y + MARK))
        free = _inside(boxes, height, narrowest) & ~_meet(
            boxes[:, None], np.vstack((zones, taken))[None], narrowest
        ).any(axis=1)
        if arrow:
            free &= ~_meet(boxes, _beside(arrow, boxes), narrowest)
        first = int(free.argmax())
        chosen.append(_place(text, first, float(ups[first])) if free[first] else None)
        taken = np.vstack((taken, boxes[first : first + free[first]]))
    return chosen


def cover(mark: tuple, other: tuple):
    """Return whether two marks cover each other in a plot of usual width; numbers or arrays."""
    return (abs(mark[0] - other[0]) * _USUAL_WIDTH < LINE) & (abs(mark[1] - other[1]) < LINE)


def _boxes(text: Text) -> tuple[np.ndarray, np.ndarray]:
    """Return the box of each shape on each side (left and right as share and pixels, bottom, top),
    and the height of its middle.
    """
    right, heights, lines, out = np.array(text.sides).T
    wide = np.array([[max(text_width(line, SIZE) for line in shape) + 2] for shape in text.shapes])
    high = np.array([[LINE * len(shape)] for shape in text.shapes])
    left = (MARK + _AIR + out) * right - wide * (1 - right) / 2
    up = heights * high + lines * LINE + MARK * np.sign(heights) * (right == 0)
    bottom = text.y + up - high / 2
    share = np.full(up.shape, text.x)
    return np.stack((share, left, share, left + wide, bottom, bottom + high), axis=-1).reshape(
        -1, 6
    ), up.ravel()


def _place(text: Text, number: int, up: float) -> Place:
    shape, side = divmod(number, len(text.sides))
    right, out = text.sides[side].right, text.sides[side].out
    return Place(
        text.shapes[shape], (MARK + _AIR + out) * right, up, ("right", "center", "left")[right + 1]
    )


def _inside(boxes: np.ndarray, height: float, narrowest: float) -> np.ndarray:
    """Return which boxes are inside the plot at its narrowest: a wider plot has more room on both
    sides.
    """
    left, right = boxes[:, 0] * narrowest + boxes[:, 1], boxes[:, 2] * narrowest + boxes[:, 3]
    return (left >= 0) & (right <= narrowest) & (boxes[:, 4] >= 0) & (boxes[:, 5] <= height)


def _meet(ones: np.ndarray, others: np.ndarray, narrowest: float) -> np.ndarray:
    """Return which boxes cover each other at this width or a larger one."""
    first, last = (
        np.full(np.broadcast(ones[..., 0], others[..., 0]).shape, narrowest),
        np.full(1, WIDTHS[1]),
    )
    for first_box, other in ((ones, others), (others, ones)):
        # One's left is left of the other's right while slope * width + shift > 0.
        slope, shift = other[..., 2] - first_box[..., 0], other[..., 3] - first_box[..., 1]
        turn = -shift / np.where(slope == 0, 1, slope)
        first = np.where(slope > 0, np.maximum(first, turn), first)
        last = np.where(
            slope < 0, np.minimum(last, turn), np.where((slope == 0) & (shift <= 0), -np.inf, last)
        )
    return (first < last) & (ones[..., 4] < others[..., 5]) & (others[..., 4] < ones[..., 5])


def _beside(arrow: Arrow, boxes: np.ndarray) -> np.ndarray:
    """Return, for each box, the arrow's part at its height, as a box; empty without such a part."""
    (x, y), (end, top) = arrow
    rise = top - y or 1e-9
    parts = np.sort(np.clip((boxes[:, 4:] + (-_AIR, _AIR) - y) / rise, 0, 1), axis=1)
    ends = np.sort(x + (end - x) * parts, axis=1)
    empty = parts[:, 0] == parts[:, 1]
    low, high = np.where(empty, -np.inf, boxes[:, 4]), np.where(empty, -np.inf, boxes[:, 5])
    return np.column_stack(
        (ends[:, 0], np.full(len(boxes), -_AIR), ends[:, 1], np.full(len(boxes), _AIR), low, high)
    )


# Names left of and above a plot: the axes that show them, and the pixels that they take.


NAMES = 20
"""Pixels of a line of names above a plot."""

WIDTH = 500
"""Pixels of a plot with tiles or cells in a narrow window."""


def cut(name: str) -> str:
    """Cut a name for the left margin or for a column."""
    return elided(name, 16)


def row_axis(names: Sequence[str]) -> dict:
    """Return the axis of rows with names, the first on top."""
    return {
        "range": [len(names) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": axis_texts(names),
    }


def axis_texts(names: Sequence[str]) -> list[str]:
    """Return names as an axis shows them."""
    return [plain(cut(name)) for name in names]


def name_margin(names: Sequence[str]) -> int:
    """Return the left margin in pixels for cut names."""
    return margin([cut(name) for name in names])


def margin(texts: Sequence[str]) -> int:
    """Return the left margin in pixels for texts."""
    return 14 + round(max(map(text_width, texts), default=0))


def are_turned(names: Sequence[str], room: float) -> bool:
    """Return whether names above columns of `room` pixels must be vertical: horizontal names would
    overlap.
    """
    return _longest(names) > room


def names_height(names: Sequence[str], room: float) -> int:
    """Return the height of names above columns of `room` pixels."""
    return max(NAMES, 8 + round(_longest(names))) if are_turned(names, room) else NAMES


def _longest(names: Sequence[str]) -> float:
    return max((text_width(cut(name)) for name in names), default=0)


# Texts one above the other that would cover each other are moved apart.


def apart(
    places: Sequence[float], least: float, low: float = -inf, high: float = inf
) -> list[float]:
    """Return the places in the same order, moved as little as possible so that any two are at least
    `least` apart.

    They end at `high` and, if there is room, begin at `low`.
    """
    order = sorted(range(len(places)), key=lambda row: places[row])
    blocks: list[list[float]] = []
    for row in order:
        # A block: its middle and the number of texts in it; blocks that meet become one.
        block = [places[row], 1]
        while blocks and blocks[-1][0] + (blocks[-1][1] + block[1]) * least / 2 > block[0] + 1e-9:
            middle, count = blocks.pop()
            block = [(middle * count + block[0] * block[1]) / (count + block[1]), count + block[1]]
        blocks.append(block)
    moved = [
        middle + (number - (count - 1) / 2) * least
        for middle, count in blocks
        for number in range(int(count))
    ]
    moved = [max(place, low + number * least) for number, place in enumerate(moved)]
    moved = [
        min(place, high - (len(moved) - 1 - number) * least) for number, place in enumerate(moved)
    ]
    places_apart = [0.0] * len(places)
    for row, place in zip(order, moved, strict=True):
        places_apart[row] = place
    return places_apart


# Values and texts of an axis; d3 cannot write `50 k`.


_STEPS = (1, 2, 2.5, 5, 10)


def ticks(
    high: float, low: float = 0, most: int = 5, whole: bool = True
) -> tuple[list[float], list[str]]:
    """Return about `most` round values between `low` and `high` at the most, and their texts.

    `whole`: steps are whole numbers, because there is no half partition.
    """
    span = high - low
    if span <= 0:
        return [low], [_text(low, 1)]
    power = 10.0 ** floor(log10(span / most))
    step = next(
        (
            power * step
            for step in _STEPS
            if span / (power * step) <= most and (not whole or (power * step).is_integer())
        ),
        1.0,
    )
    # 1e-9: in floats 0.3 / 0.1 is below 3.
    values = [
        index * step for index in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    ]
    return values, [_text(value, step) for value in values]


def _text(value: float, step: float) -> str:
    if step < 1:
        return f"{value:.{len(f'{step:.6f}'.rstrip('0')) - 2}f}"
    # `1 M`, not `1.00 M`: a round value has no more digits than it needs.
    return re.sub(r"\.?0+(?=\D*$)", "", text) if "." in (text := compact(value)) else text


def plain(name: str) -> str:
    """Escape a name: plotly treats `<b>` in any text as markup."""
    return escape(name, quote=False)
