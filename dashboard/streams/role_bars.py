"""The number of tasks by role in each round.

The roles: active in the final place, active but still to move, standby, warm-up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.labels import ticks
from evenkeel.data.text.formats import count, exact


@dataclass(frozen=True, eq=False)
class RoleCounts:
    """Number of stateful tasks by role in each round, int64 (R,).

    `in_place`: active tasks in their final place. `moving`: active tasks that still move.
    """

    in_place: np.ndarray
    moving: np.ndarray
    standby: np.ndarray
    warmup: np.ndarray
    task_count: int


def role_counts(answers: Sequence[TaskAssignment], is_stateful: np.ndarray) -> RoleCounts:
    """Return the number of tasks by role in each round. `is_stateful`: bool (K,).

    A task is in place if it runs on the same instance in the last round.
    """
    last, total = answers[-1].active, int(is_stateful.sum())
    in_place = np.array(
        [np.count_nonzero((answer.active == last) & is_stateful) for answer in answers],
        dtype=np.int64,
    )
    copies = np.array([len(answer.standby) for answer in answers], dtype=np.int64)
    warmup = np.array([len(answer.warmup) for answer in answers], dtype=np.int64)
    return RoleCounts(in_place, total - in_place, copies - warmup, warmup, total)


HEIGHT = 244
_GAP = 0.012
"""Gap between two roles, as a fraction of the axis."""

_TOP, _RIGHT, _LEFT = 26, 118, 34
_MOST_LETTERS, _MOST_TICKS, _LEAST_ROOM = 24, 14, 4
_WIDTH, _THIN, _MOST_THICK = 0.5, 0.8, 24
_NAMES = (
    ("in_place", "active, in place", theme.CURRENT),
    ("moving", "active, still to move", theme.CURRENT),
    ("standby", "standby", theme.CURRENT),
    ("warmup", "warm-up (extra)", theme.CANDIDATE),
)
_LOOKS: dict[str, dict] = {
    "in_place": {"color": theme.CURRENT},
    "moving": {
        "color": theme.CURRENT,
        "pattern": {
            "shape": "/",
            "fgcolor": theme.PAPER,
            "fillmode": "overlay",
            "size": 5,
            "solidity": 0.35,
        },
    },
    "standby": {"color": theme.PAPER, "line": {"color": theme.CURRENT, "width": 1.5}},
    "warmup": {
        "color": theme.PAPER,
        "line": {"color": theme.CANDIDATE, "width": 1.5},
        "pattern": {
            "shape": "/",
            "fgcolor": theme.CANDIDATE,
            "fillmode": "overlay",
            "size": 5,
            "solidity": 0.35,
        },
    },
}


def role_bars(counts: RoleCounts, selected: int) -> go.Figure:
    """Draw a stacked bar for each round, and a band behind the bar of the open round.

    `customdata` of a bar: number of its round.
    """
    figure = frame.figure(HEIGHT, _LEFT, _TOP, frame.TICKS)
    figure.layout.margin.r = _RIGHT
    rounds = len(counts.in_place)
    base, high = np.zeros(rounds), float((counts.task_count + counts.standby + counts.warmup).max())
    notes, gap = [_title(counts)], _GAP * high
    is_thin = rounds > _MOST_THICK
    for key, name, color in _NAMES:
        values = getattr(counts, key)
        _add(figure, name, values, base, _look(key, is_thin), _THIN if is_thin else _WIDTH)
        if rounds * len(exact(int(high))) <= _MOST_LETTERS:
            notes += _texts(key, values, base, high)
        at = int(np.flatnonzero(values)[-1]) if values.any() else None
        if at is not None:
            notes.append(
                _name(
                    name,
                    color,
                    float(base[-1] + values[-1] / 2 if values[-1] else base[-1] - gap / 2),
                )
            )
        base = base + values + np.where(values > 0, gap, 0)
    figure.add_shape(
        type="rect",
        xref="x",
        yref="y domain",
        x0=selected - 0.45,
        x1=selected + 0.45,
        y0=0,
        y1=1,
        layer="below",
        **_BAND,
    )
    every = -(-rounds // _MOST_TICKS)
    shown = list(range(0, rounds, every))
    figure.update_layout(
        barmode="overlay",
        xaxis={
            "range": [-0.6, max(rounds, _LEAST_ROOM) - 0.4],
            "tickvals": shown,
            "ticktext": ["now" if not at else exact(at) for at in shown],
        },
        yaxis=frame.value_axis(
            ticks(high, most=3), range=[0, high * 1.06], fixedrange=True, zeroline=False
        ),
    )
    figure.layout.annotations = _apart(notes, high)
    return figure


_BAND = {"fillcolor": theme.SURFACE, "line": {"width": 0}}


def _look(key: str, is_thin: bool) -> dict:
    """Return plotly's marker for a role, with thin outlines if there are many bars."""
    look = _LOOKS[key]
    return look | {"line": look["line"] | {"width": 0.8}} if is_thin and "line" in look else look


def _add(
    figure: go.Figure, name: str, values: np.ndarray, base: np.ndarray, look: dict, width: float
) -> None:
    there = np.flatnonzero(values)
    figure.add_bar(
        name=name,
        x=there,
        y=values[there],
        base=base[there],
        width=width,
        customdata=there,
        marker=look,
        hovertemplate=f"round %{{x}}<br>%{{y:,}} {name}<extra></extra>",
    )


def _title(counts: RoleCounts) -> dict:
    text = f"<b>Task copies by role in each round</b>, {count(counts.task_count, 'stateful task')}"
    return frame.note(
        text,
        0,
        1,
        xref="paper",
        yref="paper",
        xshift=-_LEFT,
        yshift=6,
        yanchor="bottom",
        size=12.5,
        color=theme.INK,
    )


def _texts(key: str, values: np.ndarray, base: np.ndarray, high: float) -> list[dict]:
    """Return the texts with the number of tasks: next to short or hatched bars, else inside."""
    result, is_hatched = [], "pattern" in _LOOKS[key]
    for at in np.flatnonzero(values).tolist():
        middle = float(base[at] + values[at] / 2)
        is_tall = values[at] > 0.1 * high and not is_hatched
        color = theme.CANDIDATE if key == "warmup" else theme.INK
        if key == "in_place" and is_tall:
            color = theme.PAPER
        anchor = "center" if is_tall else "left"
        x = at if is_tall else at + _WIDTH / 2
        text = exact(int(values[at]))
        result.append(frame.note(text, x, middle, size=10.5, color=color, xanchor=anchor))
    return result


def _name(text: str, color: str, middle: float) -> dict:
    note = frame.note(
        text, 1, middle, xref="paper", xanchor="left", xshift=6, size=11.5, color=color
    )
    return note | {"name": "role"}


def _apart(notes: list[dict], high: float) -> list[dict]:
    """Move the names of roles apart, so that they do not overlap."""
    least, last = 0.085 * high, -high
    for note in sorted(
        (note for note in notes if note.get("name") == "role"), key=lambda note: note["y"]
    ):
        note["y"] = last = max(note["y"], last + least)
    return notes
