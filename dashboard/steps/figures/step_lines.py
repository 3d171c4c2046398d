"""A figure of two panels, worst lag and moves, over the steps of a scenario. Each of two or three
assignors has one line.
"""

from collections.abc import Sequence
from math import isfinite, log10
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.arrays import all_known
from evenkeel.dashboard import theme
from evenkeel.dashboard.names import abbreviated, under
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.labels import apart, plain, ticks
from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.data.scenarios.run.step_figures import Figures, StepFigures
from evenkeel.data.text.formats import compact_sum, exact

IN_USE, CANDIDATE, OTHER = "in use", "candidate", "other"


class StepLine(NamedTuple):
    """The line of one assignor, with one value for each step. An unknown value is NaN. `moves` of
    step 0 is NaN too. `lag_is_least`: the lag is a lower bound, because some partitions' lags are
    unknown.
    """

    name: str
    role: str
    lag: np.ndarray
    lag_is_least: np.ndarray
    moves: np.ndarray

    def lag_text(self, step: int) -> str:
        """Return the text of the line's lag at a step."""
        return compact_sum(float(self.lag[step]), bool(self.lag_is_least[step]))


def lines_of(
    figures: Figures, in_use: str | None, candidate: str | None, third: str | None = None
) -> list[StepLine]:
    """Return the lines in drawing order, the candidate last. All lines start at step 0 with the lag
    of the group as listed.

    `third`: the assignor of the third line. By default, the assignor whose worst lag over all steps
    is lowest.
    """
    roles = {candidate: CANDIDATE, in_use: IN_USE}
    other = third if third is not None else _lowest(figures, roles)
    named = (
        {other: OTHER, **dict(reversed(roles.items()))}
        if other not in roles
        else dict(reversed(roles.items()))
    )
    listed = next((step for step in figures[0].values() if step.members_before is not None), None)
    return [
        _line(figures, listed, name, role)
        for name, role in named.items()
        if name is not None and name in figures[0]
    ]


def _line(figures: Figures, listed: StepFigures | None, name: str, role: str) -> StepLine:
    steps = [answers.get(name, StepFigures(name)) for answers in figures[1:]]
    first = listed or StepFigures(name)
    return StepLine(
        name,
        role,
        _numbers([first.lag_before, *(step.lag for step in steps)]),
        np.array([first.lag_before_is_least, *(step.lag_is_least for step in steps)]),
        _numbers([None, *(step.moved_partitions for step in steps)]),
    )


def _numbers(values: list[int | None]) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def _lowest(figures: Figures, roles: dict) -> str | None:
    worst = {
        name: all_known(answers[name].lag for answers in figures[1:] if name in answers)
        for name in figures[0]
        if name not in roles
    }
    known = {name: max(lags) for name, lags in worst.items() if lags}
    return min(known, key=known.__getitem__, default=None)


def finding(lines: list[StepLine], selected: int) -> str:
    """Return the worst lag and the moves of all lines at a step, in one sentence."""
    texts = [f"{line.lag_text(selected)} {under(line.name)}" for line in reversed(lines)]
    moved = [f"{exact(float(line.moves[selected]))} {under(line.name)}" for line in reversed(lines)]
    moves = f"; moves into the step: {', '.join(moved)}" if selected else ""
    return (
        f"Worst member's lag {f'after step {selected}' if selected else 'as listed'}:"
        f" {', '.join(texts)}{moves}"
    )


# Two panels on one axis of steps: the worst lag after each step, and below it the moves into each
# step.


HEIGHT = 408
_LOOKS = {
    IN_USE: (2, {"symbol": "square", "size": 10}),
    CANDIDATE: (2, {"symbol": "diamond", "size": 11}),
    OTHER: (
        1.2,
        {
            "symbol": "circle",
            "size": 8,
            "color": theme.PAPER,
            "line": {"color": theme.MUTED, "width": 1.4},
        },
    ),
}
_LAG, _MOVES = (0.54, 1.0), (0.0, 0.37)
_TOP, _BOTTOM, _RIGHT = 26, frame.TICKS, 12
_MOST_TICKS = 9
_AIR = 1.1
"""The lag axis is longer than the highest lag, so that texts fit above it."""


def step_lines(
    lines: Sequence[StepLine], selected: int, names: Sequence[str] = (), height: int = HEIGHT
) -> go.Figure:
    """Draw both panels. `customdata` of a point is the number of its step. `names`: names of the
    steps, the group as listed first.
    """
    lag_high = float(np.nanmax([1.0, *(np.nanmax(line.lag, initial=0) for line in lines)]))
    moves_high = float(np.nanmax([1.0, *(np.nanmax(line.moves, initial=0) for line in lines)]))
    upwards, outwards = ticks(lag_high, most=3), _log_ticks(moves_high)
    figure = frame.figure(height, labels.margin([*upwards[1], *outwards[1]]), _TOP, _BOTTOM)
    figure.layout.margin.r = _RIGHT + round(
        max((text_width(abbreviated(line.name), 12, bold=True) for line in lines), default=0)
    )
    steps = max((line.lag.size for line in lines), default=1)
    texts = [
        f"step {step}{', ' + name if name else ''}"
        for step, name in enumerate([*names, *[""] * steps][:steps])
    ]
    for line in lines:
        _add_line(
            figure,
            line,
            line.lag,
            [f"{line.lag_text(step)} records" for step in range(steps)],
            texts,
            ("x", "y"),
        )
        _add_line(
            figure,
            line,
            np.log10(1 + line.moves),
            [f"{exact(each)} moves" for each in line.moves],
            texts,
            ("x2", "y2"),
        )
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
    figure: go.Figure,
    line: StepLine,
    values: np.ndarray,
    texts: Sequence[str],
    step_texts: Sequence[str],
    axes: tuple[str, str],
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
        text=[
            f"<b>{plain(step)}</b><br>{plain(line.name)}: {text}"
            for step, text in zip(step_texts, texts, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
        cliponaxis=False,
        # plotly fades all other points after a click on a point.
        unselected={"marker": {"opacity": 1}},
    )


def _add_axes(
    figure: go.Figure,
    selected: int,
    steps: int,
    upwards: tuple,
    lag_high: float,
    outwards: tuple,
    moves_high: float,
) -> None:
    band = {
        "x0": selected - 0.42,
        "x1": selected + 0.42,
        "y0": 0,
        "y1": 1,
        "fillcolor": theme.SURFACE,
        "line": {"width": 0},
    }
    for axis, domain in (("x", "y domain"), ("x2", "y2 domain")):
        figure.add_shape(type="rect", xref=axis, yref=domain, layer="below", **band)
    still = {"fixedrange": True, "zeroline": False}
    numbers = frame.value_axis(_step_ticks(selected, steps), range=[-0.5, steps - 0.5], **still) | {
        "showgrid": False
    }
    figure.update_layout(
        xaxis=numbers | {"anchor": "y"},
        xaxis2=numbers | {"anchor": "y2", "matches": "x"},
        yaxis=frame.value_axis(upwards, range=[0, lag_high * _AIR], domain=_LAG, **still),
        yaxis2=frame.value_axis(
            outwards,
            range=[-0.06 * moves_high, moves_high * 1.12],
            domain=_MOVES,
            anchor="x2",
            **still,
        ),
    )


def _step_ticks(selected: int, steps: int) -> tuple[list[int], list[str]]:
    """Return the ticks of the step axis. All steps have a tick if there is room, else every second
    or third step, and so on. The selected step always has a tick.
    """
    every = -(-steps // _MOST_TICKS)
    shown = list(range(selected % every, steps, every))
    texts = [f"<b>{step}</b>" if step == selected else str(step) for step in shown]
    return shown, [f"step {texts[0]}" if shown[0] == 0 and selected else texts[0], *texts[1:]]


def _log_ticks(high: float) -> tuple[list[float], list[str]]:
    """Return the ticks of an axis with the scale log(1 + n), which can show 0: ticks at 0 and at
    powers of ten.
    """
    values = [0, *(value for value in (1, 10, 100, 1_000, 10_000, 100_000) if value <= high * 1.2)]
    shown = values if high < 20 else [value for value in values if value != 1]
    return [log10(1 + value) for value in shown], [
        ticks(value, value)[1][0] if value else "0" for value in shown
    ]


# Texts of the lines over steps: titles, assignor names at the ends of lines, and figures at the
# points.


COLORS = {IN_USE: theme.CURRENT, CANDIDATE: theme.CANDIDATE, OTHER: theme.MUTED}
_LINE = 13
NARROWEST = 200
"""Width in pixels of the narrowest plot."""


def titles(shift: int, lag_top: float, moves_top: float) -> list[dict]:
    """Return the titles above both panels. `lag_top`, `moves_top`: top of each panel as a fraction
    of the height. `shift`: pixels from the left end of the plot.
    """
    look: dict[str, Any] = {
        "xref": "paper",
        "yref": "paper",
        "xshift": shift,
        "yanchor": "bottom",
        "size": 12.5,
        "color": theme.INK,
    }
    return [
        frame.note("<b>Worst member's lag</b> after each step", 0, lag_top, yshift=8, **look),
        frame.note("<b>Moves</b> into each step, log", 0, moves_top, yshift=8, **look),
    ]


def ends(lines: Sequence[StepLine], pixel: float, top: float) -> list[dict]:
    """Return the name of each line, next to its last known point. `pixel`: records of lag that one
    pixel stands for. `top`: records at the end of the axis.
    """
    known = [(line, np.flatnonzero(np.isfinite(line.lag))) for line in lines]
    named = [(line, float(line.lag[places[-1]])) for line, places in known if places.size]
    heights = apart([value for _, value in named], _LINE * pixel, 0, top)
    return [
        frame.note(
            plain(abbreviated(line.name))
            if line.role == OTHER
            else f"<b>{plain(abbreviated(line.name))}</b>",
            line.lag.size - 1,
            height,
            xref="x",
            yref="y",
            xshift=9,
            size=12,
            color=COLORS[line.role],
        )
        for (line, _), height in zip(named, heights, strict=True)
    ]


def lags(lines: Sequence[StepLine], selected: int, pixel: float, top: float) -> list[dict]:
    """Return the texts of the lags at the selected step. The lowest text is below its point, the
    others are above. At the last step the texts are to the left of the lines' names.
    """
    known = sorted(
        (line for line in lines if np.isfinite(line.lag[selected])),
        key=lambda line: (line.lag[selected], line.role != OTHER),
    )
    distinct = {line.lag_text(selected): line for line in known}
    shifts = [
        -_LINE if place == 0 and len(distinct) > 1 else _LINE for place in range(len(distinct))
    ]
    values = [
        float(line.lag[selected]) + shift * pixel
        for line, shift in zip(distinct.values(), shifts, strict=True)
    ]
    heights = apart(values, 11 * pixel, 0, top)
    steps = max((line.lag.size for line in lines), default=0)
    look = {"xref": "x", "yref": "y", "xanchor": "center", "size": frame.SMALLEST} | _beside(
        selected, steps
    )
    return [
        # The group as listed is no assignor's answer.
        frame.note(
            text, selected, height, color=COLORS[line.role] if selected else theme.INK, **look
        )
        for (text, line), height in zip(distinct.items(), heights, strict=True)
    ]


def moves(lines: Sequence[StepLine], selected: int) -> list[dict]:
    """Return the texts of the moves of two assignors, the assignor in use and the candidate. The
    larger number is above the smaller number. Equal numbers are one text.
    """
    pair = [line for line in lines if line.role != OTHER]
    steps = max((line.moves.size for line in lines), default=0)
    notes = []
    for step in range(1, steps) if _fit(pair, steps) else [selected]:
        known = sorted(
            (line for line in pair if np.isfinite(line.moves[step])),
            key=lambda line: -line.moves[step],
        )
        # The text has the background's colour, so that no line between two steps crosses it.
        behind = {
            "bgcolor": theme.SURFACE if step == selected else theme.PAPER,
            "borderpad": 0,
            "height": 11,
        }
        look = {"xref": "x2", "yref": "y2", "xanchor": "center", "size": frame.SMALLEST} | behind
        if len(known) == 2 and known[0].moves[step] == known[1].moves[step]:
            notes.append(
                _note(known[0], step, f"both {exact(known[0].moves[step])}", look | {"yshift": 14})
            )
            continue
        for line, shift in zip(known, (12, -12), strict=False):
            notes.append(
                _note(
                    line,
                    step,
                    exact(line.moves[step]),
                    look | {"color": COLORS[line.role], "yshift": shift},
                )
            )
    return notes


def _fit(lines: Sequence[StepLine], steps: int) -> bool:
    """Return whether the numbers of moves at all steps fit next to each other in the narrowest
    plot.
    """
    known = [moves for line in lines for moves in line.moves[1:].tolist() if isfinite(moves)]
    return (
        steps * (text_width(f"both {exact(max(known, default=0))}", frame.SMALLEST) + 4)
        <= NARROWEST
    )


def _beside(step: int, steps: int) -> dict:
    """Return the horizontal alignment of a text at a step. The texts of the first and the last step
    must not leave the plot.
    """
    if step == 0:
        return {"xanchor": "left", "xshift": -9}
    return {"xanchor": "right", "xshift": 6} if step == steps - 1 else {}


def _note(line: StepLine, step: int, text: str, look: dict) -> dict:
    return frame.note(text, step, log10(1 + line.moves[step]), **look)
