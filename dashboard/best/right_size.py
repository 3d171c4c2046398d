"""Number of members that a group needs: the best value for each number of equal members, and the
number above which more members do not help.
"""

from collections.abc import Sequence
from math import isfinite, log10
from typing import NamedTuple

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.best.frontier import NARROWEST
from evenkeel.dashboard.best.value_axis import axis
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.labels import ABOVE, SIDES, Side, Text, placed, plain
from evenkeel.data.best.words import UNITS, value_text
from evenkeel.data.text.formats import counted, exact

HEIGHT = 288
_TOP = 30
_TICKS = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    10,
    12,
    16,
    20,
    32,
    50,
    64,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    100_000,
)
_LEAST_APART = 0.045
_LEFT, _RIGHT = -0.03, 1.04
"""Ends of the axis of members: the left end as a logarithm, the right end as a multiple of the
highest number's logarithm.
"""
_OVER = (Side(1, 0.5), Side(-1, 0.5), ABOVE, *SIDES)
_UNDER = tuple(Side(-1, -0.5, out=out) for out in (0, 20, 60, 120, 180))
"""Sides for the name of the floor at the end of the curve: below the line, and left of
other texts.
"""
_USEFUL = 0.05
"""Smallest gain of one more member that is marked."""


class Size(NamedTuple):
    """The best value with a number of equal members, and its bound. Infinite means never."""

    members: int
    value: float
    bound: float


class Sizes(NamedTuple):
    """Content of the figure.

    `within`: requested value. `now`: current number of members, and current value. `plan`: number
    of members, and value with the chosen plan.
    """

    objective: str
    points: Sequence[Size]
    within: float | None
    now: tuple[int, float] | None
    plan: tuple[int, float] | None
    floor: str


def right_size(shown: Sizes) -> go.Figure:
    """Draw values over the number of members; at least one value must be finite.

    Both axes are logarithmic if no value is 0.
    """
    known = [size for size in shown.points if isfinite(size.value)]
    more = [value for point in (shown.now, shown.plan) if point and isfinite(value := point[1])] + [
        shown.within
    ] * (shown.within is not None)
    values = [size.value for size in known] + more
    is_log = min(values) > 0
    least, highest = min(values), max(values) * 1.3
    # Room for a line of text below the curve.
    ys = (
        [min(least * 0.8, least * (least / highest) ** 0.12), highest]
        if is_log
        else [0, max(values) * 1.1 or 1]
    )
    upwards = axis(shown.objective, ys[0], ys[1], is_log=is_log)
    figure = frame.figure(HEIGHT, left=labels.margin(upwards[1]), top=_TOP, bottom=frame.TITLED)
    most = max(
        shown.points[-1].members, *(point[0] for point in (shown.now, shown.plan) if point), 2
    )
    figure.add_traces([_curve(known, most, shown), *_useful(known, shown), *_marks(shown)])
    scale = {"type": "log", "range": [log10(ys[0]), log10(ys[1])]} if is_log else {"range": ys}
    figure.update_xaxes(
        frame.value_axis(
            _members_axis(most),
            type="log",
            showgrid=False,
            range=[_LEFT, log10(most) * _RIGHT],
            title_text="Members (log)",
            title_standoff=4,
        )
    )
    figure.update_yaxes(frame.value_axis(upwards, **scale))
    figure.update_layout(
        shapes=[*_never_shape(shown, ys, known), *_within(shown)],
        annotations=_notes(shown, known, is_log, ys, most),
    )
    frame.title(figure, "Right size", "best for each number of members", shift=8)
    return figure


def finding(shown: Sizes) -> str:
    """Return the figure's finding in one sentence."""
    known = [size for size in shown.points if isfinite(size.value)]
    last = min(known, key=lambda size: (size.value, size.members))
    return (
        f"More than {counted(last.members, 'member')} change nothing:"
        f" {value_text(shown.objective, last.value)}."
    )


def _members_axis(most: int) -> tuple[list[int], list[str]]:
    marks: list[int] = []
    for number in _TICKS:
        if number <= most and (
            not marks or log10(number / marks[-1]) >= _LEAST_APART * log10(most)
        ):
            marks.append(number)
    return marks, [exact(mark) for mark in marks]


def _curve(known: Sequence[Size], most: int, shown: Sizes) -> go.Scatter:
    return go.Scatter(
        x=[*(size.members for size in known), most],
        y=[*(size.value for size in known), known[-1].value],
        mode="lines",
        line={"width": 1.6, "color": theme.INK},
        line_shape="hv",
        text=[
            f"{counted(size.members, 'member')}: {value_text(shown.objective, size.value)}"
            for size in known
        ],
        hovertemplate="%{text}<extra></extra>",
        name="best plans",
    )


def _useful(known: Sequence[Size], shown: Sizes) -> list[go.Scatter]:
    """Mark each number of members whose value is clearly better than with one member less."""
    useful = [
        size
        for before, size in zip(known, known[1:], strict=False)
        if before.value and 1 - size.value / before.value >= _USEFUL
    ]
    line = [known[0], *useful]
    texts = [
        f"{exact(size.members)}: {value_text(shown.objective, size.value)} {UNITS[shown.objective]}"
        for size in line
    ]
    return [
        go.Scatter(
            x=[size.members for size in line],
            y=[size.value for size in line],
            mode="markers",
            marker={"size": 8, "color": theme.INK},
            text=texts,
            hovertemplate="%{text}<extra></extra>",
            name="useful number",
        )
    ]


def _marks(shown: Sizes) -> list[go.Scatter]:
    looks = (
        (shown.now, "square", 12, theme.CURRENT, "now"),
        (shown.plan, "diamond", 13, theme.CANDIDATE, "this plan"),
    )
    return [
        go.Scatter(
            x=[point[0]],
            y=[point[1]],
            mode="markers",
            marker={"symbol": symbol, "size": size, "color": color},
            hovertemplate=f"{name}: {value_text(shown.objective, point[1])}<extra></extra>",
            name=name,
        )
        for point, symbol, size, color, name in looks
        if point and isfinite(point[1])
    ]


def _never_shape(shown: Sizes, ys: list[float], known: Sequence[Size]) -> list[dict]:
    first = known[0].members
    if first == shown.points[0].members:
        return []
    box = {
        "type": "rect",
        "x0": 0.5,
        "x1": first,
        "y0": ys[0],
        "y1": ys[1],
        "fillcolor": theme.SURFACE,
        "line": {"width": 0},
    }
    return [box | {"layer": "below"}]


def _within(shown: Sizes) -> list[dict]:
    if shown.within is None:
        return []
    line = {"color": theme.INK, "width": 1.2, "dash": "dash"}
    return [
        {
            "type": "line",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "y0": shown.within,
            "y1": shown.within,
            "line": line,
        }
    ]


def _notes(
    shown: Sizes, known: Sequence[Size], is_log: bool, ys: list[float], most: int
) -> list[dict]:
    """Return the texts of the figure. On a logarithmic axis, the place of an annotation is a
    logarithm, but the place of a shape is a value.
    """
    notes, first = [], known[0].members
    if first > shown.points[0].members:
        text = "1 never drains" if first == 2 else f"1 to {first - 1} never drain"
        if log10(first) / log10(most) > 0.12:
            notes.append(frame.note(text, 0.02, 0.7, xref="paper", yref="paper", yanchor="top"))
    if shown.within is not None:
        text, up = (
            f"within {value_text(shown.objective, shown.within)}",
            log10(shown.within) if is_log else shown.within,
        )
        notes.append(frame.note(text, 0.01, up, xref="paper", yanchor="bottom", color=theme.INK))
    return notes + _names(shown, known, is_log, ys, most)


def _names(
    shown: Sizes, known: Sequence[Size], is_log: bool, ys: list[float], most: int
) -> list[dict]:
    """Return the texts of the current members, of the plan, and of the floor at the end of the
    curve.

    The texts do not overlap.
    """
    low, high = (log10(point) if is_log else point for point in ys)
    height, wide = HEIGHT - _TOP - frame.TITLED, log10(most) * _RIGHT - _LEFT

    def up(value: float) -> float:
        return log10(value) if is_log else value

    def at(members: int, value: float) -> tuple[float, float]:
        return (log10(members) - _LEFT) / wide, height * (up(value) - low) / (high - low)

    marks = [
        (*point, color, name)
        for point, color, name in (
            (shown.plan, theme.CANDIDATE, "this plan"),
            (shown.now, theme.CURRENT, "now"),
        )
        if point
    ]
    marks = [mark for mark in marks if isfinite(mark[1])]
    if len(marks) == 2 and marks[0][:2] == marks[1][:2]:
        marks = [(*marks[0][:2], theme.CANDIDATE, "now and this plan")]
    labels = [
        (members, value, f"{name}: {value_text(shown.objective, value)}", color, _OVER)
        for members, value, color, name in marks
    ]
    if shown.floor:
        labels.append((most, known[-1].value, shown.floor, theme.MUTED, _UNDER))
    texts = [
        Text(*at(members, value), [(text,), (text.partition(": the")[0],)], sides)
        for members, value, text, _, sides in labels
    ]
    places = placed(
        texts, [at(members, value) for members, value, *_ in marks], height, narrowest=NARROWEST
    )
    return [
        frame.note(
            plain(place.lines[0]),
            log10(members),
            up(value),
            size=11 if color == theme.MUTED else 12,
            color=color,
            xanchor=place.xanchor,
            yanchor="middle",
            xshift=place.right,
            yshift=place.up,
        )
        for (members, value, text, color, _), place in zip(labels, places, strict=True)
        if place
    ]
