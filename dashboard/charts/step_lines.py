"""Worst lag after each step, and moves into each step below it on one axis of steps."""

from collections.abc import Sequence
from math import log10

import numpy as np
import plotly.graph_objects as go

from dashboard import theme
from dashboard.charts.numbers.step_lines import CANDIDATE, IN_USE, OTHER, StepLine
from dashboard.charts.parts import axis_names, frame
from dashboard.charts.parts.apart import apart
from dashboard.charts.parts.text_width import text_width
from dashboard.charts.parts.ticks import ticks
from dashboard.words.formats import exact
from dashboard.words.names import abbreviated

HEIGHT = 408
_LOOKS = {
    IN_USE: (theme.CURRENT, 2, {"symbol": "square", "size": 10}),
    CANDIDATE: (theme.CANDIDATE, 2, {"symbol": "diamond", "size": 11}),
    OTHER: (theme.MUTED, 1.2, {"symbol": "circle", "size": 8, "color": theme.PAPER, "line": {"color": theme.MUTED, "width": 1.4}}),
}
_LAG, _MOVES = (0.54, 1.0), (0.0, 0.37)
_TOP, _BOTTOM, _RIGHT = 26, frame.TICKS, 12
_MOST_TICKS, _MOST_TEXTS = 9, 8
_LINE = 13
_AIR = 1.1
"""The lag axis is longer than the highest lag."""


def step_lines(lines: Sequence[StepLine], selected: int, names: Sequence[str] = (), height: int = HEIGHT) -> go.Figure:
    """Draw two panels; `customdata` of a point is its step. `names`: of the steps, the group as listed first."""
    lag_high = float(np.nanmax([1.0, *(np.nanmax(line.lag, initial=0) for line in lines)]))
    moves_high = float(np.nanmax([1.0, *(np.nanmax(line.moves, initial=0) for line in lines)]))
    upwards, outwards = ticks(lag_high, most=3), _log_ticks(moves_high)
    figure = frame.figure(height, axis_names.margin([*upwards[1], *outwards[1]]), _TOP, _BOTTOM)
    figure.layout.margin.r = _RIGHT + round(max((text_width(abbreviated(line.name), 12, bold=True) for line in lines), default=0))
    steps = max((line.lag.size for line in lines), default=1)
    told = [f"step {step}{', ' + name if name else ''}" for step, name in enumerate([*names, *[""] * steps][:steps])]
    for line in lines:
        _add_line(figure, line, line.lag, [f"{line.lag_text(step)} records" for step in range(steps)], told, ("x", "y"))
        _add_line(figure, line, np.log10(1 + line.moves), [f"{exact(moves)} moves" for moves in line.moves], told, ("x2", "y2"))
    _add_axes(figure, selected, steps, upwards, lag_high, outwards, log10(1 + moves_high))
    pixel = lag_high * _AIR / ((height - _TOP - _BOTTOM) * (_LAG[1] - _LAG[0]))
    figure.layout.annotations = [*_titles(figure), *_ends(lines, pixel), *_lags(lines, selected, pixel), *_moves(lines, selected)]
    return figure


def _add_line(
    figure: go.Figure, line: StepLine, values: np.ndarray, texts: Sequence[str], told: Sequence[str], axes: tuple[str, str]
) -> None:
    color, width, marker = _LOOKS[line.role]
    figure.add_scatter(
        x=np.arange(values.size),
        y=values,
        xaxis=axes[0],
        yaxis=axes[1],
        name=line.name,
        mode="lines+markers",
        line={"color": color, "width": width},
        marker={"color": color} | marker,
        customdata=np.arange(values.size),
        text=[f"<b>{frame.plain(step)}</b><br>{frame.plain(line.name)}: {text}" for step, text in zip(told, texts, strict=True)],
        hovertemplate="%{text}<extra></extra>",
        cliponaxis=False,
        # plotly fades all other points once one is clicked.
        unselected={"marker": {"opacity": 1}},
    )


def _add_axes(figure: go.Figure, selected: int, steps: int, upwards: tuple, lag_high: float, outwards: tuple, moves_high: float) -> None:
    band = {"x0": selected - 0.42, "x1": selected + 0.42, "y0": 0, "y1": 1, "fillcolor": theme.SURFACE, "line": {"width": 0}}
    for axis, domain in (("x", "y domain"), ("x2", "y2 domain")):
        figure.add_shape(type="rect", xref=axis, yref=domain, layer="below", **band)
    still = {"fixedrange": True, "zeroline": False}
    numbers = frame.value_axis(_step_ticks(selected, steps), range=[-0.5, steps - 0.5], **still) | {"showgrid": False}
    figure.update_layout(
        xaxis=numbers | {"anchor": "y"},
        xaxis2=numbers | {"anchor": "y2", "matches": "x"},
        yaxis=frame.value_axis(upwards, range=[0, lag_high * _AIR], domain=_LAG, **still),
        yaxis2=frame.value_axis(outwards, range=[-0.06 * moves_high, moves_high * 1.12], domain=_MOVES, anchor="x2", **still),
    )


def _step_ticks(selected: int, steps: int) -> tuple[list[int], list[str]]:
    """Return every step if there is room, else every second, third … that meets the selected one."""
    every = -(-steps // _MOST_TICKS)
    shown = list(range(selected % every, steps, every))
    texts = [f"<b>{step}</b>" if step == selected else str(step) for step in shown]
    return shown, [f"step {texts[0]}" if shown[0] == 0 and selected else texts[0], *texts[1:]]


def _log_ticks(high: float) -> tuple[list[float], list[str]]:
    """Return 0 and the powers of ten: log(1 + n) has a place for 0."""
    values = [0, *(value for value in (1, 10, 100, 1_000, 10_000, 100_000) if value <= high * 1.2)]
    shown = values if high < 20 else [value for value in values if value != 1]
    return [log10(1 + value) for value in shown], [ticks(value, value)[1][0] if value else "0" for value in shown]


def _titles(figure: go.Figure) -> list[dict]:
    look = {"xref": "paper", "yref": "paper", "xshift": -figure.layout.margin.l, "yanchor": "bottom", "size": 12.5, "color": theme.INK}
    return [
        frame.note("<b>Worst member's lag</b> after each step", 0, _LAG[1], yshift=8, **look),
        frame.note("<b>Moves</b> into each step, log", 0, _MOVES[1], yshift=8, **look),
    ]


def _ends(lines: Sequence[StepLine], pixel: float) -> list[dict]:
    """Name each line beside its last known point; `pixel`: records of one."""
    known = [(line, np.flatnonzero(np.isfinite(line.lag))) for line in lines]
    named = [(line, float(line.lag[places[-1]])) for line, places in known if places.size]
    heights = apart([value for _, value in named], _LINE * pixel)
    return [
        frame.note(
            frame.plain(abbreviated(line.name)) if line.role == OTHER else f"<b>{frame.plain(abbreviated(line.name))}</b>",
            line.lag.size - 1,
            height,
            xref="x",
            yref="y",
            xshift=9,
            size=12,
            color=_LOOKS[line.role][0],
        )
        for (line, _), height in zip(named, heights, strict=True)
    ]


def _lags(lines: Sequence[StepLine], selected: int, pixel: float) -> list[dict]:
    """Write the lags of the selected step: the lowest below its point, the others above theirs."""
    known = sorted((line for line in lines if np.isfinite(line.lag[selected])), key=lambda line: (line.lag[selected], line.role != OTHER))
    distinct = {line.lag_text(selected): line for line in known}
    shifts = [-_LINE if place == 0 and len(distinct) > 1 else _LINE for place in range(len(distinct))]
    values = [float(line.lag[selected]) + shift * pixel for line, shift in zip(distinct.values(), shifts, strict=True)]
    heights = apart(values, 11 * pixel)
    look = {"xref": "x", "yref": "y", "xanchor": "center", "size": frame.SMALLEST}
    return [
        frame.note(text, selected, height, color=_LOOKS[line.role][0], **look)
        for (text, line), height in zip(distinct.items(), heights, strict=True)
    ]


def _moves(lines: Sequence[StepLine], selected: int) -> list[dict]:
    """Write the moves of the assignor in use and of the candidate, the more above and the fewer below; equal ones once."""
    pair = [line for line in lines if line.role != OTHER]
    steps = max((line.moves.size for line in lines), default=0)
    notes = []
    for step in range(1, steps) if steps <= _MOST_TEXTS + 1 else [selected]:
        known = sorted((line for line in pair if np.isfinite(line.moves[step])), key=lambda line: -line.moves[step])
        look = {"xref": "x2", "yref": "y2", "xanchor": "center", "size": frame.SMALLEST}
        if len(known) == 2 and known[0].moves[step] == known[1].moves[step]:
            beside = {"xanchor": "left", "xshift": 9} if step == steps - 1 else {"yshift": 12}
            notes.append(_note(known[0], step, f"both {exact(known[0].moves[step])}", look | beside))
            continue
        for line, shift in zip(known, (12, -12), strict=False):
            notes.append(_note(line, step, exact(line.moves[step]), look | {"color": _LOOKS[line.role][0], "yshift": shift}))
    return notes


def _note(line: StepLine, step: int, text: str, look: dict) -> dict:
    return frame.note(text, step, log10(1 + line.moves[step]), **look)
