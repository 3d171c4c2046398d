"""Worst lag after each step, and moves into each step below it on one axis of steps."""

from collections.abc import Sequence
from math import log10

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.step_lines import CANDIDATE, IN_USE, OTHER, StepLine
from evenkeel.dashboard.charts.parts import axis_names, frame
from evenkeel.dashboard.charts.parts.step_line_texts import COLORS, ends, lags, moves, titles
from evenkeel.dashboard.charts.parts.text_width import text_width
from evenkeel.dashboard.charts.parts.ticks import ticks
from evenkeel.dashboard.words.names import abbreviated
from evenkeel.data.words.formats import exact

HEIGHT = 408
_LOOKS = {
    IN_USE: (2, {"symbol": "square", "size": 10}),
    CANDIDATE: (2, {"symbol": "diamond", "size": 11}),
    OTHER: (1.2, {"symbol": "circle", "size": 8, "color": theme.PAPER, "line": {"color": theme.MUTED, "width": 1.4}}),
}
_LAG, _MOVES = (0.54, 1.0), (0.0, 0.37)
_TOP, _BOTTOM, _RIGHT = 26, frame.TICKS, 12
_MOST_TICKS = 9
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
        _add_line(figure, line, np.log10(1 + line.moves), [f"{exact(each)} moves" for each in line.moves], told, ("x2", "y2"))
    _add_axes(figure, selected, steps, upwards, lag_high, outwards, log10(1 + moves_high))
    pixel = lag_high * _AIR / ((height - _TOP - _BOTTOM) * (_LAG[1] - _LAG[0]))
    figure.layout.annotations = [
        *titles(-figure.layout.margin.l, _LAG[1], _MOVES[1]),
        *ends(lines, pixel, lag_high * _AIR),
        *lags(lines, selected, pixel, lag_high * _AIR),
        *moves(lines, selected),
    ]
    return figure


def _add_line(
    figure: go.Figure, line: StepLine, values: np.ndarray, texts: Sequence[str], told: Sequence[str], axes: tuple[str, str]
) -> None:
    color, (width, marker) = COLORS[line.role], _LOOKS[line.role]
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
