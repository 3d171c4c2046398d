"""Lag of every member after a step, two bars for each, with a tick where each member stood before."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.step_members import Rows
from evenkeel.dashboard.charts.numbers.step_sides import Side
from evenkeel.dashboard.charts.parts import axis_names, frame
from evenkeel.dashboard.charts.parts.before_after import add_after, add_before_after
from evenkeel.dashboard.charts.parts.load_marker import bar_lengths, load_marker
from evenkeel.dashboard.charts.parts.step_notes import LINE, fair_note, fair_shares, heads, legend_of, side_color, stopped_notes
from evenkeel.dashboard.charts.parts.text_width import text_width
from evenkeel.dashboard.charts.parts.ticks import ticks
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.words.formats import exact
from evenkeel.data.words.names import elided

ROW = 27
_THICK, _SPLIT = 0.37, 0.02
_BARS, _TEXTS = (0.0, 0.76), (0.77, 1.0)
_TOP = 44
_LEAST_HEIGHT = 170
NARROW = 430
"""Pixels of the figure in a narrow window."""

_MOST_STOPPED = 4


def step_members(rows: Rows, step: int, height: int | None = None, width: int = NARROW, row: int = ROW) -> go.Figure:
    """Draw the bars; `customdata` of a bar is the id of its member.

    Parameters
    ----------
    height : int or None
        Pixels; that of the rows where missing.
    width : int
        Pixels that the figure has at least; the legend stands beside the title if there is room.
    row : int
        Pixels of a member where `height` is missing.
    """
    stopped = rows.stopped if len(rows.stopped) <= _MOST_STOPPED else [f"{exact(len(rows.stopped))} stopped"]
    names = [elided(name) for name in (*rows.names, *[f"{exact(rows.others)} others, mean"] * bool(rows.others), *stopped)]
    high = max(1.0, *(float(np.nanmax([0.0, *side.before, *side.after])) for side in rows.sides))
    when = "" if rows.is_compared else f" {AS_LISTED}" if rows.is_listed else f" after step {step}"
    title, legend = f"{'Partitions' if rows.without_lag else 'Lag'} per member{when}", legend_of(rows)
    has_line = text_width(f"{title}   {'   '.join(f'{glyph} {word}' for glyph, _, word in legend)}", 12.5) > width
    top = _TOP + LINE * has_line
    figure = frame.figure(height or max(top + frame.TICKS + row * len(names), _LEAST_HEIGHT), axis_names.margin(names), top, frame.TICKS)
    for side in rows.sides:
        _add_side(figure, rows, side, len(rows.sides), high)
        places = np.arange(side.after.size) + 1.1 * _middle(side, len(rows.sides))
        if rows.is_listed:
            add_after(figure, "x2", places, [after for _, after in side.texts])
        else:
            add_before_after(figure, "x2", places, side.texts)
    kept = len(names) - len(stopped)
    add_after(figure, "x2", np.arange(kept, len(names)), ["stopped"] * len(stopped))
    _add_axes(figure, rows, names, high)
    left = figure.layout.margin.l
    figure.layout.annotations = [
        *fair_note(rows.sides, high, (NARROW - left) * _BARS[1]),
        *stopped_notes(rows, kept, len(stopped)),
        *heads(title, rows.without_lag, legend, has_line, -left, "" if rows.is_listed else "before → after"),
    ]
    return figure


def _middle(side: Side, sides: int) -> float:
    """Return how far the middle of a side's bars lies below that of the row."""
    return 0 if sides == 1 else (_THICK / 2 + _SPLIT) * (1 if side.is_candidate else -1)


def _add_side(figure: go.Figure, rows: Rows, side: Side, sides: int, high: float) -> None:
    color, places, middle = side_color(side), np.arange(side.after.size), _middle(side, sides)
    noun = "partitions" if rows.without_lag else "records"
    told = [f"{after} {noun}" if rows.is_listed else f"before {before}, after {after} {noun}" for before, after in side.exact]
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
        text=told,
        textposition="none",
        hovertext=[frame.plain(name) for name in names],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{frame.plain(name)}: %{{text}}<extra></extra>",
        marker=load_marker(color, side.idle, side.over),
        # plotly fades all other bars once one is clicked.
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
    texts = [frame.plain(name) for name in names]
    figure.update_yaxes(range=[len(names) - 0.45, -0.6], tickvals=list(range(len(names))), ticktext=texts)
    for value in fair_shares(rows.sides):
        place = {"x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "paper"}
        figure.add_shape(type="line", layer="below", line=frame.FAIR, **place)
