"""The best plan for every number of moves, as a curve. Below the curve is the proved bound: no plan
has a lower value. Every assignor is a point.
"""

from collections.abc import Callable, Iterator, Sequence
from math import isfinite, sqrt
from typing import NamedTuple

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.best.plans import Frontier, Other, Plan, finite_values
from evenkeel.dashboard.best.value_axis import axis
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.labels import (
    LEFT,
    LINE,
    RIGHT,
    SIDES,
    Place,
    Side,
    Text,
    cover,
    placed,
    plain,
)
from evenkeel.data.best.words import UNITS, in_words, value_text
from evenkeel.data.text.formats import counted, exact

At = Callable[[float, float], tuple[float, float]]
"""Maps (moves, value) to the share of the width and the pixels from the bottom."""

HEIGHT = 334
_TOP = 44
_TICKS = (
    0,
    1,
    2,
    3,
    5,
    8,
    13,
    21,
    34,
    55,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    500_000,
)
_LEAST_APART = 0.035
"""Smallest distance between two ticks, as a share of the width."""

_BELOW, _ABOVE = 0.22, 0.14
"""Room below the lowest bound and above the highest value, as shares of their distance."""


_BENEATH = (Side(1, -0.5), Side(-1, -0.5))
_BESIDE = Side(1, 0.5, 0.3)
"""Side of a text: right of a mark, above the line that starts at the mark."""
_OVER = (Side(-1, 0.5), Side(1, 0.5))
"""Sides for the text of a mark on the curve, so that the line does not cross the text."""
_FROM_THE_RIGHT = tuple(Side(-1, 0, out=out) for out in range(0, 320, 40))
NARROWEST = 500.0
"""Width of the narrowest plot in pixels. In windows too narrow for two figures side by side, each
figure has the full width.
"""


def frontier(shown: Frontier, chosen: int) -> go.Figure:
    """Draw the curve. At least one value must be finite. `chosen`: index of the chosen plan in
    `plans`.
    """
    finite = finite_values(shown)
    low, high = min(finite), max(finite)
    span = (high - low) or high or 1.0
    ys = [max(low - _BELOW * span, 0), high + _ABOVE * span]
    upwards = axis(shown.objective, ys[0], ys[1])
    figure = frame.figure(HEIGHT, left=labels.margin(upwards[1]), top=_TOP, bottom=frame.TITLED)
    most = _place(max(shown.homes, shown.plans[-1].moves, 1))
    xs = [-0.03 * most, 1.04 * most]
    figure.add_traces([*_curves(shown, xs[1]), *_marks(shown, chosen)])
    figure.update_layout(
        annotations=_names(shown, chosen, xs, ys),
        shapes=[_stem(shown.plans[chosen], ys)] if isfinite(shown.plans[chosen].value) else [],
        xaxis=frame.value_axis(
            _moves_axis(most),
            range=xs,
            showgrid=False,
            title_text="Partitions moved from current (root scale)",
            title_standoff=4,
        ),
        yaxis=frame.value_axis(upwards, range=ys),
    )
    _title(figure, shown)
    return figure


def finding(shown: Frontier, chosen: int) -> str:
    """Return the figure's finding in one sentence."""
    plan = shown.plans[chosen]
    words = (
        f"{counted(plan.moves, 'move')}: the worst member has"
        f" {value_text(shown.objective, plan.value)} {UNITS[shown.objective]}"
    )
    return f"{words}, {in_words(plan.value, plan.bound, plan.is_proved)}."


def _place(moves: float) -> float:
    return sqrt(moves)


def _moves_axis(most: float) -> tuple[list[float], list[str]]:
    marks: list[int] = []
    for moves in _TICKS:
        far = not marks or _place(moves) - _place(marks[-1]) >= _LEAST_APART * most
        if _place(moves) <= most and far:
            marks.append(moves)
    all_of_them = round(most**2)
    while marks and _place(all_of_them) - _place(marks[-1]) < _LEAST_APART * most:
        marks.pop()
    marks.append(all_of_them)
    return [_place(mark) for mark in marks], [exact(mark) for mark in marks]


def _curves(shown: Frontier, right: float) -> list[go.Scatter]:
    """Return two traces: the bound with the area below it, and the curve of the plans with the gap
    between the bound and the curve.
    """
    steps = [plan for plan in shown.plans if isfinite(plan.bound)]
    x = [_place(plan.moves) for plan in steps]
    line = {"mode": "lines", "line_shape": "hv", "hoverinfo": "skip"}
    hatch = {
        "shape": "/",
        "fgcolor": theme.LINE,
        "bgcolor": theme.SURFACE,
        "size": 7,
        "solidity": 0.2,
    }
    bounds = [plan.bound for plan in steps]
    below = go.Scatter(
        x=[*x, right],
        y=[*bounds, *bounds[-1:]],
        name="proved impossible",
        line={"width": 1, "color": theme.MUTED},
        fill="tozeroy",
        fillpattern=hatch,
        **line,
    )
    known = [plan for plan in shown.plans if isfinite(plan.value)]
    values = [plan.value for plan in known]
    curve = go.Scatter(
        x=[*(_place(plan.moves) for plan in known), right],
        y=[*values, *values[-1:]],
        name="best plans",
        line={"width": 1.6, "color": theme.INK},
        fill="tonexty" if len(known) == len(steps) else None,
        fillcolor=theme.LINE,
        **line,
    )
    return [below, curve]


def _marks(shown: Frontier, chosen: int) -> list[go.Scatter]:
    """Return the marks in drawing order: proved plans, unproved plans, assignors, the current
    owners and the chosen plan.
    """
    plans = [(place, plan) for place, plan in enumerate(shown.plans) if isfinite(plan.value)]
    proved = {"symbol": "circle", "size": 8, "color": theme.INK}
    unproved = {
        "symbol": "circle",
        "size": 8,
        "color": theme.PAPER,
        "line": {"width": 1.6, "color": theme.INK},
    }
    others = {
        "symbol": "circle-open",
        "size": 9,
        "color": theme.MUTED,
        "line": {"width": 1.6, "color": theme.MUTED},
    }
    now = {"symbol": "square", "size": 13, "color": theme.CURRENT}
    known = [other for other in shown.others if isfinite(other.value)]
    of_assignors = [
        (point.moves, point.value, f"{plain(point.name)}<br>{counted(point.moves, 'move')}")
        for point in known
    ]
    marks = [
        _plans(shown, [point for point in plans if point[1].is_proved], "proved best", proved),
        _plans(shown, [point for point in plans if not point[1].is_proved], "best found", unproved),
        _points(of_assignors, shown, "assignors", others),
        _plans(
            shown,
            [point for point in plans if point[0] == chosen],
            "this plan",
            {"symbol": "diamond", "size": 14, "color": theme.CANDIDATE},
        ),
    ]
    if shown.now is not None and isfinite(shown.now):
        marks.insert(3, _points([(0, shown.now, "current")], shown, "current", now))
    return marks


def _plans(
    shown: Frontier, plans: Sequence[tuple[int, Plan]], name: str, marker: dict
) -> go.Scatter:
    texts = [
        f"{counted(plan.moves, 'move')}<br>{in_words(plan.value, plan.bound, plan.is_proved)}"
        for _, plan in plans
    ]
    drawn = _points(
        [(plan.moves, plan.value, text) for (_, plan), text in zip(plans, texts, strict=True)],
        shown,
        name,
        marker,
    )
    drawn.customdata = [place for place, _ in plans]
    return drawn


def _points(
    points: Sequence[tuple[int, float, str]], shown: Frontier, name: str, marker: dict
) -> go.Scatter:
    return go.Scatter(
        x=[_place(moves) for moves, _, _ in points],
        y=[value for _, value, _ in points],
        text=[
            f"<b>{value_text(shown.objective, value)}</b> {UNITS[shown.objective]}<br>{text}"
            for _, value, text in points
        ],
        name=name,
        mode="markers",
        marker=marker,
        hovertemplate="%{text}<extra></extra>",
        cliponaxis=False,
    )


def _names(shown: Frontier, chosen: int, xs: list[float], ys: list[float]) -> list[dict]:
    """Return the texts of the chosen plan, the current owners, the floor and the assignors.

    Overlapping marks share a text.
    """
    height = HEIGHT - _TOP - frame.TITLED

    def at(moves: float, value: float) -> tuple[float, float]:
        return (_place(moves) - xs[0]) / (xs[1] - xs[0]), height * (value - ys[0]) / (ys[1] - ys[0])

    marks: tuple[Plan | Other, ...] = (*shown.plans, *shown.others)
    names = [
        *_plan_labels(shown, shown.plans[chosen]),
        _floor_label(shown, xs[1], ys[0]),
        *_other_labels(shown, at),
    ]
    places = placed(
        [Text(*at(name.moves, name.value), _shapes(name.lines), name.sides) for name in names],
        [at(mark.moves, mark.value) for mark in marks if isfinite(mark.value)],
        height,
        narrowest=NARROWEST,
    )
    return [_note(name, place) for name, place in zip(names, places, strict=True) if place]


def _plan_labels(shown: Frontier, plan: Plan) -> Iterator["_Label"]:
    """Yield the texts of the chosen plan and of the current owners, if their values are finite."""
    if isfinite(plan.value):
        sides = (_BESIDE, *_OVER, *_BENEATH, *SIDES)
        text = _plan_text(shown, plan)
        yield _Label(plan.moves, plan.value, (text,), theme.CANDIDATE, sides)
    if shown.now is not None and isfinite(shown.now):
        text = f"current {value_text(shown.objective, shown.now)}"
        yield _Label(0, shown.now, (text,), theme.CURRENT, (_BESIDE, *SIDES))


def _floor_label(shown: Frontier, right: float, bottom: float) -> "_Label":
    bound = min(plan.bound for plan in shown.plans if isfinite(plan.bound))
    return _Label(right**2, (bound + bottom) / 2, (shown.floor,), theme.MUTED, _FROM_THE_RIGHT)


def _other_labels(shown: Frontier, at: At) -> Iterator["_Label"]:
    for moves, value, lines in _joined(shown, at):
        height = at(moves, value)[1]
        curve = _curve_at(shown, moves)
        on_curve = any(abs(at(moves, best)[1] - height) < LINE / 2 for best in curve)
        sides = (*(_OVER if on_curve else ()), LEFT, RIGHT, *SIDES)
        yield _Label(moves, value, lines, theme.INK, sides)


def _note(label: "_Label", place: Place) -> dict:
    return frame.note(
        "<br>".join(map(plain, place.lines)),
        _place(label.moves),
        label.value,
        size=11 if label.color == theme.MUTED else 12,
        color=label.color,
        xshift=place.right,
        yshift=place.up,
        xanchor=place.xanchor,
        yanchor="middle",
        align=place.xanchor,
        # The curve would cross this text.
        bgcolor=theme.PAPER,
    )


class _Label(NamedTuple):
    """A text next to a mark: lines, colour, and possible sides with the best side first."""

    moves: float
    value: float
    lines: tuple[str, ...]
    color: str
    sides: tuple[Side, ...]


def _shapes(lines: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return two forms of a text: unchanged, and narrower with one name per line."""
    return [lines, tuple(part for line in lines for part in line.replace(", ", ",\n").split("\n"))]


def _curve_at(shown: Frontier, moves: int) -> list[float]:
    """Return the curve's value at a number of moves. Empty if the curve starts at more moves."""
    return [plan.value for plan in shown.plans if plan.moves <= moves and isfinite(plan.value)][-1:]


def _plan_text(shown: Frontier, plan: Plan) -> str:
    return f"{counted(plan.moves, 'move')}: {value_text(shown.objective, plan.value)}"


def _joined(shown: Frontier, at: At) -> list[tuple[int, float, tuple[str, ...]]]:
    """Join the texts of assignors whose marks overlap. The joined text has a line for each
    value.
    """
    groups: list[list[Other]] = []
    for other in sorted(
        (other for other in shown.others if isfinite(other.value)),
        key=lambda other: (-other.value, other.moves),
    ):
        near = next(
            (
                group
                for group in groups
                if cover(at(group[0].moves, group[0].value), at(other.moves, other.value))
            ),
            None,
        )
        groups.append([other]) if near is None else near.append(other)
    joined = []
    for group in groups:
        by_text: dict[str, list[str]] = {}
        for other in group:
            by_text.setdefault(value_text(shown.objective, other.value), []).append(other.name)
        lines = tuple(f"{', '.join(names)} {text}" for text, names in by_text.items())
        joined.append((group[0].moves, group[0].value, lines))
    return joined


def _stem(plan: Plan, ys: list[float]) -> dict:
    x = _place(plan.moves)
    return {
        "type": "line",
        "x0": x,
        "x1": x,
        "y0": ys[0],
        "y1": plan.value,
        "line": {"color": theme.CANDIDATE, "width": 1.5, "dash": "dot"},
    }


def _title(figure: go.Figure, shown: Frontier) -> None:
    marks = [
        ("●", theme.INK, "proved best"),
        ("○", theme.INK, "best found"),
        ("▨", theme.MUTED, "proved: no plan gets here"),
    ]
    frame.title(
        figure,
        "Best plan for every number of moves",
        f"worst member, {UNITS[shown.objective]}",
        shift=22,
    )
    frame.legend(figure, marks, 3)
