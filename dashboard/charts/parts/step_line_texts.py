"""Texts of the lines over steps: titles, names at the ends, figures at the points."""

from collections.abc import Sequence
from math import isfinite, log10

import numpy as np

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.step_lines import CANDIDATE, IN_USE, OTHER, StepLine
from evenkeel.dashboard.charts.parts import frame
from evenkeel.dashboard.charts.parts.apart import apart
from evenkeel.dashboard.charts.parts.text_width import text_width
from evenkeel.dashboard.words.names import abbreviated
from evenkeel.data.words.formats import exact

COLORS = {IN_USE: theme.CURRENT, CANDIDATE: theme.CANDIDATE, OTHER: theme.MUTED}
_LINE = 13
NARROWEST = 200
"""Pixels of the narrowest plot."""


def titles(shift: int, lag_top: float, moves_top: float) -> list[dict]:
    """Write the titles of both panels above their tops, shares of the height; `shift` in pixels from the left end of the plot."""
    look = {"xref": "paper", "yref": "paper", "xshift": shift, "yanchor": "bottom", "size": 12.5, "color": theme.INK}
    return [
        frame.note("<b>Worst member's lag</b> after each step", 0, lag_top, yshift=8, **look),
        frame.note("<b>Moves</b> into each step, log", 0, moves_top, yshift=8, **look),
    ]


def ends(lines: Sequence[StepLine], pixel: float, top: float) -> list[dict]:
    """Name each line beside its last known point; `pixel`: records of one, `top`: of the end of the axis."""
    known = [(line, np.flatnonzero(np.isfinite(line.lag))) for line in lines]
    named = [(line, float(line.lag[places[-1]])) for line, places in known if places.size]
    heights = apart([value for _, value in named], _LINE * pixel, 0, top)
    return [
        frame.note(
            frame.plain(abbreviated(line.name)) if line.role == OTHER else f"<b>{frame.plain(abbreviated(line.name))}</b>",
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
    """Write the lags of the selected step: the lowest below its point, the others above theirs, all left of the names at the last step."""
    known = sorted((line for line in lines if np.isfinite(line.lag[selected])), key=lambda line: (line.lag[selected], line.role != OTHER))
    distinct = {line.lag_text(selected): line for line in known}
    shifts = [-_LINE if place == 0 and len(distinct) > 1 else _LINE for place in range(len(distinct))]
    values = [float(line.lag[selected]) + shift * pixel for line, shift in zip(distinct.values(), shifts, strict=True)]
    heights = apart(values, 11 * pixel, 0, top)
    steps = max((line.lag.size for line in lines), default=0)
    look = {"xref": "x", "yref": "y", "xanchor": "center", "size": frame.SMALLEST} | _beside(selected, steps)
    return [
        # The group as listed is nobody's answer.
        frame.note(text, selected, height, color=COLORS[line.role] if selected else theme.INK, **look)
        for (text, line), height in zip(distinct.items(), heights, strict=True)
    ]


def moves(lines: Sequence[StepLine], selected: int) -> list[dict]:
    """Write the moves of the assignor in use and of the candidate, the more above and the fewer below; equal ones once."""
    pair = [line for line in lines if line.role != OTHER]
    steps = max((line.moves.size for line in lines), default=0)
    notes = []
    for step in range(1, steps) if _fit(pair, steps) else [selected]:
        known = sorted((line for line in pair if np.isfinite(line.moves[step])), key=lambda line: -line.moves[step])
        # On the colour behind it: a line between two steps does not run through a figure.
        behind = {"bgcolor": theme.SURFACE if step == selected else theme.PAPER, "borderpad": 0, "height": 11}
        look = {"xref": "x2", "yref": "y2", "xanchor": "center", "size": frame.SMALLEST} | behind
        if len(known) == 2 and known[0].moves[step] == known[1].moves[step]:
            notes.append(_note(known[0], step, f"both {exact(known[0].moves[step])}", look | {"yshift": 14}))
            continue
        for line, shift in zip(known, (12, -12), strict=False):
            notes.append(_note(line, step, exact(line.moves[step]), look | {"color": COLORS[line.role], "yshift": shift}))
    return notes


def _fit(lines: Sequence[StepLine], steps: int) -> bool:
    """Tell whether the moves of every step fit beside each other in the narrowest plot."""
    known = [moves for line in lines for moves in line.moves[1:].tolist() if isfinite(moves)]
    return steps * (text_width(f"both {exact(max(known, default=0))}", frame.SMALLEST) + 4) <= NARROWEST


def _beside(step: int, steps: int) -> dict:
    """Return where a text at a step stands that must not reach beyond the plot: right of the first one, left of the last one."""
    if step == 0:
        return {"xanchor": "left", "xshift": -9}
    return {"xanchor": "right", "xshift": 6} if step == steps - 1 else {}


def _note(line: StepLine, step: int, text: str, look: dict) -> dict:
    return frame.note(text, step, log10(1 + line.moves[step]), **look)
