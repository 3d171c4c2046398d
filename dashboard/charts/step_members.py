"""Lag of every member after a step, two bars for each, with a tick where each member stood before."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard import theme
from dashboard.charts.numbers.loads import OVER
from dashboard.charts.numbers.step_members import Rows, Side, where_it_went
from dashboard.charts.parts import axis_names, frame
from dashboard.charts.parts.text_width import text_width
from dashboard.charts.parts.ticks import ticks
from dashboard.words.formats import compact_sum, exact
from dashboard.words.names import abbreviated, elided

ROW = 27
_THICK, _SPLIT = 0.37, 0.02
_BARS, _TEXTS = (0.0, 0.76), (0.77, 1.0)
_BEFORE, _ARROW, _AFTER = 0.42, 0.53, 1.0
_TOP, _LINE = 44, 16
_LEAST_HEIGHT = 170
_IDLE_SHARE = 0.013
NARROW = 430
"""Pixels of the figure in a narrow window."""

_MOST_STOPPED = 4


def step_members(rows: Rows, step: int, height: int | None = None, width: int = NARROW) -> go.Figure:
    """Draw the bars; `customdata` of a bar is the id of its member.

    Parameters
    ----------
    height : int or None
        Pixels; that of the rows where missing.
    width : int
        Pixels that the figure has at least; the legend stands beside the title if there is room.
    """
    stopped = rows.stopped if len(rows.stopped) <= _MOST_STOPPED else [f"{exact(len(rows.stopped))} stopped"]
    names = [elided(name) for name in (*rows.names, *[f"{exact(rows.others)} others, mean"] * bool(rows.others), *stopped)]
    high = max(1.0, *(float(np.nanmax([0.0, *side.before, *side.after])) for side in rows.sides))
    title, legend = f"{'Partitions' if rows.without_lag else 'Lag'} per member after step {step}", _legend(rows)
    has_line = text_width(f"{title}   {'   '.join(f'{glyph} {word}' for glyph, _, word in legend)}", 12.5) > width
    top = _TOP + _LINE * has_line
    figure = frame.figure(height or max(top + frame.TICKS + ROW * len(names), _LEAST_HEIGHT), axis_names.margin(names), top, frame.TICKS)
    for side in rows.sides:
        _add_side(figure, rows, side, len(rows.sides), high)
    _add_columns(figure, rows.sides, len(names) - len(stopped), len(stopped))
    _add_axes(figure, rows, names, high)
    figure.layout.annotations = [
        *_fair_note(figure, rows.sides, high),
        *_stopped_notes(rows, len(names) - len(stopped), len(stopped)),
        *_heads(figure, title, rows.without_lag, legend, has_line),
    ]
    return figure


def _legend(rows: Rows) -> list[tuple[str, str, str]]:
    sides = [("■", _color(side), abbreviated(side.name) + ("" if side.is_candidate else ", in use")) for side in rows.sides]
    over = any(side.over.any() for side in rows.sides)
    return [*sides, ("|", theme.INK, "before"), *[("▨", theme.MUTED, f"over {OVER}× fair share")] * over]


def _color(side: Side) -> str:
    return theme.CANDIDATE if side.is_candidate else theme.CURRENT


def _middle(side: Side, sides: int) -> float:
    """Return how far the middle of a side's bars lies below that of the row."""
    return 0 if sides == 1 else (_THICK / 2 + _SPLIT) * (1 if side.is_candidate else -1)


def _add_side(figure: go.Figure, rows: Rows, side: Side, sides: int, high: float) -> None:
    color, places, middle = _color(side), np.arange(side.after.size), _middle(side, sides)
    noun = "partitions" if rows.without_lag else "records"
    told = [f"before {before}, after {after} {noun}" for before, after in side.exact]
    names = [*rows.member_ids, *[f"mean of {exact(rows.others)} others"] * bool(rows.others)]
    figure.add_bar(
        orientation="h",
        name=side.name,
        x=np.where(side.idle, high * _IDLE_SHARE, side.after),
        y=places,
        width=_THICK,
        offset=middle - _THICK / 2,
        customdata=[*rows.member_ids, *[None] * bool(rows.others)],
        text=told,
        textposition="none",
        hovertext=[frame.plain(name) for name in names],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{frame.plain(side.name)}: %{{text}}<extra></extra>",
        marker={
            "color": [theme.PAPER if idle else color for idle in side.idle],
            "cornerradius": 2,
            "line": {"color": color, "width": [1.4 if idle else 0 for idle in side.idle]},
            "pattern": {
                "shape": ["/" if over else "" for over in side.over],
                "fillmode": "overlay",
                "fgcolor": theme.PAPER,
                "fgopacity": 0.55,
                "size": 6,
                "solidity": 0.25,
            },
        },
        # plotly fades all other bars once one is clicked.
        unselected={"marker": {"opacity": 1}},
    )
    figure.add_scatter(
        x=side.before,
        y=places + middle,
        name=f"{side.name}, before",
        mode="markers",
        marker={"symbol": "line-ns", "size": 7, "line": {"color": theme.INK, "width": 2}},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _add_columns(figure: go.Figure, sides: Sequence[Side], rows: int, stopped: int) -> None:
    """Write before and after of each bar at the right edge: beside a bar the tick would cover it."""
    for side in sides:
        places = np.arange(rows) + _middle(side, len(sides)) * 1.1
        before, after = [text for text, _ in side.texts], [text for _, text in side.texts]
        _add_texts(figure, _BEFORE, places, before, theme.MUTED, "middle left")
        _add_texts(figure, _ARROW, places, ["→"] * rows, theme.MUTED, "middle center")
        _add_texts(figure, _AFTER, places, after, theme.INK, "middle left")
    if stopped:
        _add_texts(figure, _AFTER, np.arange(rows, rows + stopped), ["stopped"] * stopped, theme.INK, "middle left")


def _add_texts(figure: go.Figure, x: float, places: np.ndarray, texts: Sequence[str], color: str, side: str) -> None:
    figure.add_scatter(
        x=np.full(len(places), x),
        y=places,
        xaxis="x2",
        mode="text",
        text=texts,
        textposition=side,
        textfont={"color": color, "size": frame.SMALLEST},
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
    for value in _fair(rows.sides):
        place = {"x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "paper"}
        figure.add_shape(type="line", layer="below", line=frame.FAIR, **place)


def _fair(sides: Sequence[Side]) -> list[float]:
    """Return the distinct fair shares: assignors that leave partitions unassigned have another one."""
    found: list[float] = []
    for side in sides:
        if side.fair and not any(abs(side.fair - other) <= 0.005 * other for other in found):
            found.append(side.fair)
    return found


def _fair_note(figure: go.Figure, sides: Sequence[Side], high: float) -> list[dict]:
    values = _fair(sides)
    if not values:
        return []
    is_partial = any(side.is_partial for side in sides)
    text = "fair share " + " and ".join(compact_sum(round(value, 1), is_partial) for value in values)
    half, share = text_width(text) / 2 / ((NARROW - figure.layout.margin.l) * _BARS[1]), values[0] / high
    x, side = (values[0], "center") if half <= share <= 1 - half else (0, "left") if share < half else (high, "right")
    return [frame.note(text, x, 1, xref="x", yref="paper", xanchor=side, yanchor="bottom", color=theme.INK)]


def _stopped_notes(rows: Rows, first: int, shown: int) -> list[dict]:
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
    return " or ".join(f"<span style='color:{_color(side)}'>{count}</span>" for count, side in zip(counts, sides, strict=True))


def _heads(figure: go.Figure, title: str, without: str, legend: Sequence[tuple[str, str, str]], has_line: bool) -> list[dict]:
    look = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "color": theme.INK, "xshift": -figure.layout.margin.l}
    bold = f"<b>{title}</b>{f', {without}' if without else ''}"
    head = frame.note(bold if has_line else f"{bold}   {frame.glyphs(legend)}", 0, 1, yshift=22 + _LINE * has_line, size=12.5, **look)
    below = [frame.note(frame.glyphs(legend), 0, 1, yshift=21, size=12, **look)] if has_line else []
    columns = frame.note("before → after", 1, 1, xref="paper", yref="paper", xanchor="right", yanchor="bottom")
    return [head, *below, columns]
