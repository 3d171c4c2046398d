"""Fit texts into charts: names next to marks, names and values on axes."""

import re
from collections.abc import Sequence
from html import escape
from math import ceil, floor, inf, log10
from typing import NamedTuple

import numpy as np

from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.data.text.formats import compact
from evenkeel.data.text.names import elided

# Places for names next to the marks of a scatter plot. A name covers nothing at any width of the
# plot. The server does not know that width, but each side of a box is `share * width + pixels`. Two
# boxes at the same height overlap for an interval of widths. This interval is compared with the
# possible widths.


WIDTHS = (270.0, 1000.0)
"""Pixels of the narrowest and the widest plot."""

LINE = 16
SIZE = 12
MARK = 8
"""Pixels from the middle of a mark to its edge, with a small gap."""

_AIR = 3
_NEAR = 20
"""Radius in pixels: a text this close to a mark seems to be the mark's name."""
_USUAL_WIDTH = 400


class Side(NamedTuple):
    """Position of a text relative to its mark. `right`: -1 for left of the mark, 1 for right, 0 for
    above or below.

    The middle of the text is above the mark, by `heights` times the text's height plus `lines`
    times the height of a line. `out`: additional distance in pixels.
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
    """A text to place next to its mark.

    `x`: the mark's position as a share of the plot's width. `y`: pixels from the bottom. `shapes`:
    the text broken into lines, in several ways, best first. `sides`: allowed sides, best first.
    """

    x: float
    y: float
    shapes: Sequence[tuple[str, ...]]
    sides: Sequence[Side] = SIDES


class Place(NamedTuple):
    """Place of a text: its lines, its distance from the mark in pixels, and plotly's `xanchor`."""

    lines: tuple[str, ...]
    right: float
    up: float
    xanchor: str


Arrow = tuple[tuple[float, float], tuple[float, float]]
"""Start and end of an arrow; each is (share of the plot's width, pixels from the bottom)."""


def placed(
    texts: Sequence[Text],
    marks: Sequence[tuple[float, float]],
    height: float,
    arrow: Arrow | None = None,
    narrowest: float = WIDTHS[0],
) -> list[Place | None]:
    """Choose a place in the plot for each text, in the given order; None if a text fits nowhere.

    A text gets its first shape that fits on any of its sides, and the first side on which this
    shape fits. A text fits if it covers no mark, no placed text and no part of the arrow, and is
    not near another mark, at every plot width of at least `narrowest`.
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
    """Return whether two marks overlap in a plot of usual width. Each mark is (x, y): numbers or
    arrays.
    """
    return (abs(mark[0] - other[0]) * _USUAL_WIDTH < LINE) & (abs(mark[1] - other[1]) < LINE)


def _boxes(text: Text) -> tuple[np.ndarray, np.ndarray]:
    """Return a box for each shape and side of the text, and the height of each box's middle above
    the mark.

    A box: left end (share of the plot's width, and pixels to add), right end (likewise), bottom,
    top.
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
    """Return for each box whether it is inside a plot of width `narrowest`; wider plots have more
    room.
    """
    left, right = boxes[:, 0] * narrowest + boxes[:, 1], boxes[:, 2] * narrowest + boxes[:, 3]
    return (left >= 0) & (right <= narrowest) & (boxes[:, 4] >= 0) & (boxes[:, 5] <= height)


def _meet(ones: np.ndarray, others: np.ndarray, narrowest: float) -> np.ndarray:
    """Return, for each pair of boxes, whether they overlap at any width from `narrowest` up."""
    first, last = (
        np.full(np.broadcast(ones[..., 0], others[..., 0]).shape, narrowest),
        np.full(1, WIDTHS[1]),
    )
    for first_box, other in ((ones, others), (others, ones)):
        # The left side of a box is left of the other box's right side while slope * width + shift >
        # 0.
        slope, shift = other[..., 2] - first_box[..., 0], other[..., 3] - first_box[..., 1]
        turn = -shift / np.where(slope == 0, 1, slope)
        first = np.where(slope > 0, np.maximum(first, turn), first)
        last = np.where(
            slope < 0, np.minimum(last, turn), np.where((slope == 0) & (shift <= 0), -np.inf, last)
        )
    return (first < last) & (ones[..., 4] < others[..., 5]) & (others[..., 4] < ones[..., 5])


def _beside(arrow: Arrow, boxes: np.ndarray) -> np.ndarray:
    """Return, for each box, a box around the part of the arrow at the same height.

    The returned box is empty if no part of the arrow is at this height.
    """
    (x, y), (end, top) = arrow
    rise = top - y or 1e-9
    parts = np.sort(np.clip((boxes[:, 4:] + (-_AIR, _AIR) - y) / rise, 0, 1), axis=1)
    ends = np.sort(x + (end - x) * parts, axis=1)
    empty = parts[:, 0] == parts[:, 1]
    low, high = np.where(empty, -np.inf, boxes[:, 4]), np.where(empty, -np.inf, boxes[:, 5])
    return np.column_stack(
        (ends[:, 0], np.full(len(boxes), -_AIR), ends[:, 1], np.full(len(boxes), _AIR), low, high)
    )


# Names left of a plot and above it: their axes, and the pixels that they need.


NAMES = 20
"""Height in pixels of a line of names above a plot."""

WIDTH = 500
"""Width in pixels of a plot with tiles or cells in a narrow window."""


def cut(name: str) -> str:
    """Shorten a name to 16 characters, for the left margin or a column."""
    return elided(name, 16)


def row_axis(names: Sequence[str]) -> dict:
    """Return a y axis with one name for each row; the first row is on top."""
    return {
        "range": [len(names) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": axis_texts(names),
    }


def axis_texts(names: Sequence[str]) -> list[str]:
    """Return names as axis texts, shortened and escaped."""
    return [plain(cut(name)) for name in names]


def name_margin(names: Sequence[str]) -> int:
    """Return the left margin in pixels that the shortened names need."""
    return margin([cut(name) for name in names])


def margin(texts: Sequence[str]) -> int:
    """Return the left margin in pixels that the texts need."""
    return 14 + round(max(map(text_width, texts), default=0))


def are_turned(names: Sequence[str], room: float) -> bool:
    """Return whether the names above columns must be vertical: horizontal names would overlap.

    `room`: width of a column in pixels.
    """
    return _longest(names) > room


def names_height(names: Sequence[str], room: float) -> int:
    """Return the height in pixels of the names above columns. `room`: width of a column."""
    return max(NAMES, 8 + round(_longest(names))) if are_turned(names, room) else NAMES


def _longest(names: Sequence[str]) -> float:
    return max((text_width(cut(name)) for name in names), default=0)


# Texts above each other that would overlap are moved apart.


def apart(
    places: Sequence[float], least: float, low: float = -inf, high: float = inf
) -> list[float]:
    """Move positions apart as little as possible, so that any two differ by at least `least`.

    Their order stays. The highest is at most `high`. The lowest is at least `low` if there is room.
    """
    order = sorted(range(len(places)), key=lambda row: places[row])
    blocks: list[list[float]] = []
    for row in order:
        # A block: its middle, and its number of texts. Overlapping blocks are merged.
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


# Values and texts of an axis. The texts are made here, because d3 cannot write `50 k`.


_STEPS = (1, 2, 2.5, 5, 10)


def ticks(
    high: float, low: float = 0, most: int = 5, whole: bool = True
) -> tuple[list[float], list[str]]:
    """Return about `most` round values from `low` to `high`, and their texts.

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
    # 1e-9: as floats, 0.3 / 0.1 is less than 3.
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
    """Escape a name. Plotly would read `<b>` in a text as HTML."""
    return escape(name, quote=False)
