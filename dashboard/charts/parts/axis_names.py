"""Names beside and above a plot: the axes that show them, and the pixels that they take."""

from collections.abc import Sequence

from evenkeel.dashboard.charts.parts.frame import plain
from evenkeel.dashboard.charts.parts.text_width import text_width
from evenkeel.data.words.names import elided

NAMES = 20
"""Pixels of a line of names above a plot."""

WIDTH = 500
"""Pixels of a plot with tiles or cells in a narrow window."""


def cut(name: str) -> str:
    """Cut a name for the left margin or for a column."""
    return elided(name, 16)


def row_axis(names: Sequence[str]) -> dict:
    """Return the axis of rows with names, the first on top."""
    return {"range": [len(names) - 0.5, -0.5], "tickvals": list(range(len(names))), "ticktext": axis_texts(names)}


def axis_texts(names: Sequence[str]) -> list[str]:
    """Return names as an axis shows them."""
    return [plain(cut(name)) for name in names]


def name_margin(names: Sequence[str]) -> int:
    """Return the pixels of the left margin for names that are cut."""
    return margin([cut(name) for name in names])


def margin(texts: Sequence[str]) -> int:
    """Return the pixels of the left margin for texts."""
    return 14 + round(max(map(text_width, texts), default=0))


def are_turned(names: Sequence[str], room: float) -> bool:
    """Tell whether names above columns of `room` pixels must be written upwards: in a line they would overlap."""
    return _longest(names) > room


def names_height(names: Sequence[str], room: float) -> int:
    """Return the height of names above columns of `room` pixels."""
    return max(NAMES, 8 + round(_longest(names))) if are_turned(names, room) else NAMES


def _longest(names: Sequence[str]) -> float:
    return max((text_width(cut(name)) for name in names), default=0)
