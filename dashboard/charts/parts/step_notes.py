"""Texts of the figure of a step's members: title and legend, fair share, where the partitions of stopped members went."""

from collections.abc import Sequence

from evenkeel.assignors.figures.comparison import CURRENT
from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.loads import OVER
from evenkeel.dashboard.charts.numbers.step_members import Rows
from evenkeel.dashboard.charts.numbers.step_sides import Side, where_it_went
from evenkeel.dashboard.charts.parts import frame
from evenkeel.dashboard.charts.parts.text_width import text_width
from evenkeel.dashboard.words.names import abbreviated
from evenkeel.data.words.formats import compact_sum

LINE = 16
"""Pixels of the legend where it has a line of its own."""


def side_color(side: Side) -> str:
    """Return the colour of a side's marks."""
    return theme.CANDIDATE if side.is_candidate else theme.CURRENT


def legend_of(rows: Rows) -> list[tuple[str, str, str]]:
    """Return glyph, colour and word of each mark that the figure has."""
    sides = [("■", side_color(side), abbreviated(side.name) + _in_use(side)) for side in rows.sides]
    over = [("▨", theme.MUTED, f"over {OVER}× fair share")] * any(side.over.any() for side in rows.sides)
    if rows.is_listed:
        return [*sides, *over] if rows.is_compared else over
    return [*sides, ("|", theme.INK, "before"), *over]


def _in_use(side: Side) -> str:
    return "" if side.is_candidate or side.name == CURRENT else ", in use"


def fair_shares(sides: Sequence[Side]) -> list[float]:
    """Return the distinct fair shares: assignors that leave partitions unassigned have another one."""
    found: list[float] = []
    for side in sides:
        if side.fair and not any(abs(side.fair - other) <= 0.005 * other for other in found):
            found.append(side.fair)
    return found


def fair_note(sides: Sequence[Side], high: float, width: float) -> list[dict]:
    """Write the fair share above its line; the bars have `width` pixels at least."""
    values = fair_shares(sides)
    if not values:
        return []
    is_partial = any(side.is_partial for side in sides)
    text = "fair share " + " and ".join(compact_sum(round(value, 1), is_partial) for value in values)
    half, share = text_width(text) / 2 / width, values[0] / high
    x, side = (values[0], "center") if half <= share <= 1 - half else (0, "left") if share < half else (high, "right")
    return [frame.note(text, x, 1, xref="x", yref="paper", xanchor=side, yanchor="bottom", color=theme.INK)]


def stopped_notes(rows: Rows, first: int, shown: int) -> list[dict]:
    """Write into the rows of stopped members, from row `first` on, where their partitions went."""
    if not shown:
        return []
    if shown < len(rows.stopped):
        return [frame.note("their partitions went to others", 0, first, xref="x", yref="y", xshift=4)]
    return [
        frame.note(_went(rows.sides, place), 0, first + place, xref="x", yref="y", xshift=4, bgcolor=theme.PAPER) for place in range(shown)
    ]


def _went(sides: Sequence[Side], place: int) -> str:
    counts = where_it_went(sides, place)
    if counts == ["0"]:
        return "it had no partitions"
    numbers = counts[0] if len(counts) == 1 else _colored(counts, sides)
    return f"its {numbers} {'partition' if counts == ['1'] else 'partitions'} went to others"


def _colored(counts: Sequence[str], sides: Sequence[Side]) -> str:
    return " or ".join(f"<span style='color:{side_color(side)}'>{count}</span>" for count, side in zip(counts, sides, strict=True))


def heads(title: str, without: str, legend: Sequence[tuple[str, str, str]], has_line: bool, shift: int, columns: str) -> list[dict]:
    """Write title, legend and the name of the `columns`; `shift` in pixels from the left end of the plot."""
    look = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "color": theme.INK, "xshift": shift}
    bold = f"<b>{title}</b>{f', {without}' if without else ''}"
    head = frame.note(
        bold if has_line or not legend else f"{bold}   {frame.glyphs(legend)}", 0, 1, yshift=22 + LINE * has_line, size=12.5, **look
    )
    below = [frame.note(frame.glyphs(legend), 0, 1, yshift=21, size=12, **look)] if has_line else []
    right = frame.note(columns, 1, 1, xref="paper", yref="paper", xanchor="right", yanchor="bottom")
    return [head, *below, *[right] * bool(columns)]
