"""A bar chart of each member's lag after a step. Each of two assignors has one bar; a tick marks
the member's lag before the step.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.protocol import CURRENT
from evenkeel.dashboard import theme
from evenkeel.dashboard.names import abbreviated
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.frame import bar_lengths, load_marker
from evenkeel.dashboard.parts.labels import plain, ticks
from evenkeel.dashboard.parts.loads import OVER
from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.dashboard.steps.figures.step_sides import Rows, Side, of_step, where_it_went
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.text.formats import compact_sum, exact
from evenkeel.data.text.names import elided

ROW = 27
_THICK, _SPLIT = 0.37, 0.02
_BARS, _TEXTS = (0.0, 0.76), (0.77, 1.0)
_TOP = 44
_LEAST_HEIGHT = 170
NARROW = 430
"""Width of the figure in pixels in a narrow window."""

_MOST_STOPPED = 4


def step_members(rows: Rows, step: int, width: int = NARROW, row: int = ROW) -> go.Figure:
    """Draw the bars. `customdata` of a bar is the id of its member.

    Parameters
    ----------
    width : int
        The figure is at least this many pixels wide. If it is wide, the legend is next to the
        title.
    row : int
        Height of a member's row in pixels.
    """
    stopped = (
        rows.stopped
        if len(rows.stopped) <= _MOST_STOPPED
        else [f"{exact(len(rows.stopped))} stopped"]
    )
    names = [
        elided(name)
        for name in (
            *rows.names,
            *[f"{exact(rows.others)} others, mean"] * bool(rows.others),
            *stopped,
        )
    ]
    high = max(1.0, *(float(np.nanmax([0.0, *side.before, *side.after])) for side in rows.sides))
    title = f"{'Partitions' if rows.without_lag else 'Lag'} per member{of_step(rows, step)}"
    legend = legend_of(rows)
    has_line = (
        text_width(f"{title}   {'   '.join(f'{glyph} {word}' for glyph, _, word in legend)}", 12.5)
        > width
    )
    top = _TOP + LINE * has_line
    figure = frame.figure(
        max(top + frame.TICKS + row * len(names), _LEAST_HEIGHT),
        labels.margin(names),
        top,
        frame.TICKS,
    )
    for side in rows.sides:
        _add_side(figure, rows, side, len(rows.sides), high)
        places = np.arange(side.after.size) + 1.1 * _middle(side, len(rows.sides))
        if rows.is_listed:
            _add_after(figure, places, [after for _, after in side.texts])
        else:
            _add_before_after(figure, places, side.texts)
    member_count = len(names) - len(stopped)
    _add_after(figure, np.arange(member_count, len(names)), ["stopped"] * len(stopped))
    _add_axes(figure, rows, names, high)
    left = figure.layout.margin.l
    figure.layout.annotations = [
        *fair_note(rows.sides, high, (NARROW - left) * _BARS[1]),
        *stopped_notes(rows, member_count, len(stopped)),
        *heads(
            title,
            rows.without_lag,
            legend,
            has_line,
            -left,
            "" if rows.is_listed else "before → after",
        ),
    ]
    return figure


def _middle(side: Side, sides: int) -> float:
    """Return the distance from the middle of a member's row down to the middle of an assignor's
    bar.
    """
    return 0 if sides == 1 else (_THICK / 2 + _SPLIT) * (1 if side.is_candidate else -1)


def _add_side(figure: go.Figure, rows: Rows, side: Side, sides: int, high: float) -> None:
    color, places, middle = side_color(side), np.arange(side.after.size), _middle(side, sides)
    noun = "partitions" if rows.without_lag else "records"
    side_texts = [
        f"{after} {noun}" if rows.is_listed else f"before {before}, after {after} {noun}"
        for before, after in side.exact
    ]
    name = AS_LISTED if rows.is_listed and not rows.is_compared else side.name
    names = [*rows.member_ids, *[f"mean of {exact(rows.others)} others"] * bool(rows.others)]
    figure.add_bar(
        orientation="h",
        name=name,
        x=bar_lengths(side.after, side.idle, high),
        y=places,
        width=_THICK,
        offset=middle - _THICK / 2,
        customdata=[*rows.member_ids, *[None] * bool(rows.others)],
        text=side_texts,
        textposition="none",
        hovertext=[plain(name) for name in names],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{plain(name)}: %{{text}}<extra></extra>",
        marker=load_marker(color, side.idle, side.over),
        # plotly fades all other bars after a click on a bar.
        unselected={"marker": {"opacity": 1}},
    )
    if rows.is_listed:
        return
    figure.add_scatter(
        x=side.before,
        y=places + middle,
        name=f"{side.name}, before",
        mode="markers",
        marker={"symbol": "line-ns", "size": 7, "line": {"color": theme.INK, "width": 2}},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _add_axes(figure: go.Figure, rows: Rows, names: Sequence[str], high: float) -> None:
    still = {"fixedrange": True, "zeroline": False}
    figure.update_layout(
        xaxis=frame.value_axis(ticks(high, most=4), range=[0, high * 1.03], domain=_BARS, **still),
        xaxis2={"range": [0, 1], "domain": _TEXTS, "visible": False, **still},
    )
    texts = [plain(name) for name in names]
    figure.update_yaxes(
        range=[len(names) - 0.45, -0.6], tickvals=list(range(len(names))), ticktext=texts
    )
    for value in fair_shares(rows.sides):
        frame.upright(figure, value, frame.FAIR, layer="below")


# Texts before and after the step are in columns at the right edge. Next to a bar, its tick would
# cover the text.


_BEFORE, _ARROW, _AFTER = 0.42, 0.53, 1.0
"""Places of the three columns, as fractions of their axis."""


def _add_before_after(
    figure: go.Figure, places: np.ndarray, texts: Sequence[tuple[str, str]]
) -> None:
    _add(figure, _BEFORE, places, [before for before, _ in texts], theme.MUTED, "middle left")
    _add(figure, _ARROW, places, ["→"] * len(texts), theme.MUTED, "middle center")
    _add_after(figure, places, [after for _, after in texts])


def _add_after(figure: go.Figure, places: np.ndarray, texts: Sequence[str]) -> None:
    _add(figure, _AFTER, places, texts, theme.INK, "middle left")


def _add(
    figure: go.Figure,
    x: float,
    places: np.ndarray,
    texts: Sequence[str],
    color: str,
    side: str,
) -> None:
    figure.add_scatter(
        x=np.full(len(places), x),
        y=places,
        xaxis="x2",
        mode="text",
        text=list(texts),
        textposition=side,
        textfont={"color": color, "size": frame.SMALLEST},
        hoverinfo="skip",
        cliponaxis=False,
    )


# Texts of a step's member figure: title, legend, fair share, and the new owners of stopped members'
# partitions.


LINE = 16
"""Height in pixels of a legend on a separate line."""


def side_color(side: Side) -> str:
    """Return the colour of an assignor's bars."""
    return theme.CANDIDATE if side.is_candidate else theme.CURRENT


def legend_of(rows: Rows) -> list[tuple[str, str, str]]:
    """Return glyph, colour and word of each mark in the figure."""
    sides = [("■", side_color(side), abbreviated(side.name) + _in_use(side)) for side in rows.sides]
    over = [("▨", theme.MUTED, f"over {OVER}× fair share")] * any(
        side.over.any() for side in rows.sides
    )
    if rows.is_listed:
        return [*sides, *over] if rows.is_compared else over
    return [*sides, ("|", theme.INK, "before"), *over]


def _in_use(side: Side) -> str:
    return "" if side.is_candidate or side.name == CURRENT else ", in use"


def fair_shares(sides: Sequence[Side]) -> list[float]:
    """Return the different fair shares of the two assignors. They differ if an assignor leaves
    partitions unassigned.
    """
    shares: list[float] = []
    for side in sides:
        if side.fair and not any(abs(side.fair - other) <= 0.005 * other for other in shares):
            shares.append(side.fair)
    return shares


def fair_note(sides: Sequence[Side], high: float, width: float) -> list[dict]:
    """Return the text of the fair share, above its line. `width`: least width of the bars in
    pixels.
    """
    values = fair_shares(sides)
    if not values:
        return []
    is_partial = any(side.is_partial for side in sides)
    text = "fair share " + " and ".join(
        compact_sum(round(value, 1), is_partial) for value in values
    )
    half, share = text_width(text) / 2 / width, values[0] / high
    x, side = values[0], "center"
    if share < half:
        x, side = 0, "left"
    elif share > 1 - half:
        x, side = high, "right"
    return [
        frame.note(
            text, x, 1, xref="x", yref="paper", xanchor=side, yanchor="bottom", color=theme.INK
        )
    ]


def stopped_notes(rows: Rows, first: int, shown: int) -> list[dict]:
    """Return a text for each stopped member: how many partitions went to other members. `first`:
    the row of the first text.
    """
    if not shown:
        return []
    if shown < len(rows.stopped):
        return [
            frame.note("their partitions went to others", 0, first, xref="x", yref="y", xshift=4)
        ]
    return [
        frame.note(
            _went(rows.sides, place),
            0,
            first + place,
            xref="x",
            yref="y",
            xshift=4,
            bgcolor=theme.PAPER,
        )
        for place in range(shown)
    ]


def _went(sides: Sequence[Side], place: int) -> str:
    counts = where_it_went(sides, place)
    if counts == ["0"]:
        return "it had no partitions"
    numbers = counts[0] if len(counts) == 1 else _colored(counts, sides)
    return f"its {numbers} {'partition' if counts == ['1'] else 'partitions'} went to others"


def _colored(counts: Sequence[str], sides: Sequence[Side]) -> str:
    return " or ".join(
        f"<span style='color:{side_color(side)}'>{count}</span>"
        for count, side in zip(counts, sides, strict=True)
    )


def heads(
    title: str,
    without: str,
    legend: Sequence[tuple[str, str, str]],
    has_line: bool,
    shift: int,
    columns: str,
) -> list[dict]:
    """Return the title, the legend, and the heading `columns` above the texts at the right.
    `shift`: pixels from the left end of the plot.
    """
    note = partial(
        frame.note, xref="paper", yref="paper", yanchor="bottom", color=theme.INK, xshift=shift
    )
    bold = f"<b>{title}</b>{f', {without}' if without else ''}"
    head = note(
        bold if has_line or not legend else f"{bold}   {frame.glyphs(legend)}",
        0,
        1,
        yshift=22 + LINE * has_line,
        size=12.5,
    )
    below = [note(frame.glyphs(legend), 0, 1, yshift=21, size=12)] if has_line else []
    right = frame.note(columns, 1, 1, xref="paper", yref="paper", xanchor="right", yanchor="bottom")
    return [head, *below, *[right] * bool(columns)]
