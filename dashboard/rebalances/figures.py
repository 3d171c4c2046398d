"""Rebalances as pictures: a strip of the hours with a stem for each, and lanes that all start at
`Preparing`.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, inf, log10
from typing import NamedTuple

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.labels import plain, ticks
from evenkeel.dashboard.parts.time_axis import milliseconds, time_axis
from evenkeel.dashboard.rebalances.words import precise, seconds_text
from evenkeel.data.rebalances.chains import NEAR, bursts
from evenkeel.data.rebalances.words import CAUSES
from evenkeel.data.text.formats import counted

STRIP_HEIGHT, LANES_HEIGHT = 126, 326
_LEFT, _RIGHT = 44, 14
_LANE_LEFT, _LANE_RIGHT = 96, 92
_DECADES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000)
_UNKNOWN_SECONDS = 0.01
_SHORT_SECONDS = 1_800
_LEAST_LANES, _MOST_DECADES = 8, 5
_COLUMN = 0.012
"""Width of the column over a stem that answers the pointer: a share of the hours."""

_TARGETS = 20
"""Marks of a row that answer the pointer: nowhere is one farther than 20 pixels."""


class Mark(NamedTuple):
    """One rebalance: its start in seconds since 1970, its length in seconds, None if unknown, and
    its cause.

    `is_dim`: another cause is selected.
    """

    at: float
    seconds: float | None
    kind: str
    is_dim: bool = False


class Lane(NamedTuple):
    """One rebalance as a row, in seconds from its start.

    `silent`: earlier time with an unnoticed dead member. `waited`: time until all joined,
    `assigned`: until the leader assigned. `limit`: the timeout that ended it.
    """

    place: int
    at: float
    kind: str
    silent: float
    waited: float | None
    assigned: float | None
    waited_for: str
    is_usual: bool
    limit: float | None = None


def colour(kind: str) -> str:
    """Return the colour of a cause."""
    member = CAUSES[kind].look.member
    return theme.MUTED if member is None else theme.MEMBERS[member]


def colour_name(kind: str) -> str:
    """Return the name of that colour in style sheets."""
    member = CAUSES[kind].look.member
    return "muted" if member is None else f"member-{member}"


def strip(
    marks: Sequence[Mark], since: float, until: float, chosen: tuple[float, float], span: str
) -> go.Figure:
    """Draw the hours; a drag chooses hours, a click on a stem chooses a rebalance. A stem's
    `customdata`: its place among the marks, and `at`.
    """
    figure = frame.figure(STRIP_HEIGHT, _LEFT, 30, frame.TICKS)
    air = max((until - since) * 0.015, 0.5)
    since, until = since - air, until + air
    known = [max(mark.seconds, 0.001) for mark in marks if mark.seconds is not None]
    low, high = min(known, default=1.0) / 2.2, max(known, default=10.0) * 1.9
    for kind, is_dim in dict.fromkeys((mark.kind, mark.is_dim) for mark in marks):
        mine = [mark for mark in marks if (mark.kind, mark.is_dim) == (kind, is_dim)]
        figure.add_traces(_stems(mine, kind, low, 0.3 if is_dim else 1.0))
    figure.add_trace(_columns(marks, until - since, low, high))
    shown = [decade for decade in _DECADES if low <= decade <= high]
    shown = (
        shown
        if len(shown) <= _MOST_DECADES
        else [decade for decade in shown if f"{decade:g}".strip("0.").startswith("1")]
    )
    figure.update_layout(
        xaxis=_time_axis(since, max(until, since + 1)),
        yaxis=frame.value_axis(
            (shown, [seconds_text(round(decade * 1000)) for decade in shown]),
            type="log",
            range=[log10(low), log10(high)],
        ),
        dragmode="select",
        selectdirection="h",
        margin_r=_RIGHT,
    )
    figure.update_yaxes(title_text="")
    pad = max((until - since) * 0.004, 0.5)
    place = {
        "x0": milliseconds(chosen[0] - pad),
        "x1": milliseconds(chosen[1] + pad),
        "y0": 0,
        "y1": 1,
    }
    figure.add_shape(
        type="rect", xref="x", yref="y domain", line={"color": theme.INK, "width": 1.5}, **place
    )
    _count_bursts(figure, marks, until - since)
    _title(figure, span, "seconds until assigned (log): drag or click to choose", _LEFT, 10)
    return figure


def _title(figure: go.Figure, name: str, more: str, left: int, shift: int) -> None:
    text = f"<b>{plain(name)}</b>, {more}"
    frame.label(
        figure,
        text,
        0,
        1,
        xref="paper",
        yref="paper",
        xshift=-left,
        yshift=shift,
        yanchor="bottom",
        size=12.5,
        color=theme.INK,
    )


def _time_axis(since: float, until: float) -> dict:
    """Return the axis; a span of minutes shows seconds."""
    axis = time_axis(since, until, most=6, side="bottom")
    if until - since >= _SHORT_SECONDS:
        return axis
    step = next(step for step in (1, 2, 5, 10, 30, 60, 120, 300) if (until - since) / step <= 7)
    times = [at * step for at in range(ceil(since / step), floor(until / step) + 1)]
    return axis | {
        "tickvals": [milliseconds(at) for at in times],
        "ticktext": [precise(round(at * 1000)) for at in times],
    }


def _columns(marks: Sequence[Mark], length: float, low: float, high: float) -> go.Bar:
    """Return an invisible column over each stem for the pointer; close stems have narrower columns,
    at least a twelfth.
    """
    at = [mark.at for mark in marks]
    gaps = [inf, *(after - before for before, after in pairwise(at)), inf]
    widest = length * _COLUMN
    widths = [max(min(widest, *both), widest / 12) for both in pairwise(gaps)]
    return go.Bar(
        x=[milliseconds(mark.at) for mark in marks],
        y=[high - low] * len(marks),
        base=low,
        width=[1000 * width for width in widths],
        customdata=[[place, mark.at] for place, mark in enumerate(marks)],
        marker={"color": theme.UNSEEN, "line": {"width": 0}},
        unselected={"marker": {"opacity": 0}},
        hovertext=[f"{_said(mark)}; click to open" for mark in marks],
        hoverinfo="text",
    )


def _said(mark: Mark) -> str:
    return (
        f"{precise(round(mark.at * 1000))}"
        f" {plain(CAUSES[mark.kind].short)}<br>{seconds_text(_millis(mark.seconds))}"
    )


def _stems(marks: Sequence[Mark], kind: str, low: float, opacity: float) -> list[go.Scatter]:
    look, shade = CAUSES[kind].look, colour(kind)
    xs: list = []
    ys: list = []
    for mark in marks:
        xs += [milliseconds(mark.at)] * 2 + [None]
        ys += [low, max(mark.seconds or _UNKNOWN_SECONDS, low), None]
    points = go.Scatter(
        x=[milliseconds(mark.at) for mark in marks],
        y=[max(mark.seconds or _UNKNOWN_SECONDS, low) for mark in marks],
        mode="markers",
        marker={"symbol": look.symbol, "size": 8, "color": shade},
        opacity=opacity,
        unselected={"marker": {"opacity": 1}},
        hoverinfo="skip",
        name=CAUSES[kind].short,
    )
    return [
        go.Scatter(
            x=xs,
            y=ys,
            mode="lines",
            line={"width": 1.6, "color": shade},
            opacity=opacity,
            hoverinfo="skip",
        ),
        points,
    ]


def _millis(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def _count_bursts(figure: go.Figure, marks: Sequence[Mark], length: float) -> None:
    """Draw the number of stems above each group of stems too dense to count."""
    for burst in bursts([mark.at for mark in marks], length * NEAR):
        if len(burst) > 3:
            middle = milliseconds((marks[burst[0]].at + marks[burst[-1]].at) / 2)
            more = {
                "xref": "x",
                "yref": "paper",
                "yanchor": "bottom",
                "xanchor": "center",
                "size": 12,
                "color": theme.INK,
            }
            frame.label(figure, f"<b>{len(burst):,}</b>", middle, 1, **more)


def strip_finding(marks: Sequence[Mark]) -> str:
    """Return the strip's finding in words."""
    slow = max((mark.seconds or 0 for mark in marks), default=0)
    return (
        f"{counted(len(marks), 'rebalance')}; the longest took {seconds_text(round(slow * 1000))}."
    )


def lanes(rows: Sequence[Lane], opened: int | None, title: str) -> go.Figure:
    """Draw a row for each rebalance, from its start; the row of `opened` is marked."""
    figure = frame.figure(LANES_HEIGHT, _LANE_LEFT, 48, frame.TICKS)
    count = max(len(rows), _LEAST_LANES)
    left = max((row.silent for row in rows), default=0)
    right = max((row.assigned or row.waited or 0 for row in rows), default=0) or 1.0
    figure.add_traces(
        [trace for row, y in zip(rows, range(count), strict=False) for trace in _bars(row, y)]
    )
    figure.add_trace(_targets(rows, -left, right))
    values, texts = _seconds_axis(left, right)
    figure.update_layout(
        xaxis=frame.value_axis((values, texts), range=[-left * 1.04 - right * 0.02, right * 1.18]),
        yaxis={
            "range": [count - 0.4, -0.6],
            "tickvals": list(range(len(rows))),
            "ticktext": [_row_name(row, row.place == opened) for row in rows],
            "tickfont": {"size": 11, "color": theme.INK},
        },
        barmode="overlay",
        bargap=0.45,
        margin_r=_LANE_RIGHT,
        annotations=[
            note for y, row in enumerate(rows) for note in _texts(row, y, row.place == opened)
        ],
        shapes=[*_frames(rows, opened), _zero()],
    )
    _title(figure, title, "one per row, from its start", _LANE_LEFT, 26)
    kinds = {row.kind for row in rows}
    marks = [
        ("▨", theme.MUTED, "dead, not noticed yet"),
        (
            "■",
            colour(*kinds) if len(kinds) == 1 else theme.MUTED,
            "waits for members to rejoin (colour: cause)",
        ),
        ("■", theme.INK, "leader assigns"),
    ]
    drawn = marks if left else marks[1:]
    frame.label(
        figure,
        frame.glyphs(drawn),
        0,
        1,
        xref="paper",
        yref="paper",
        xshift=-_LANE_LEFT,
        yshift=8,
        yanchor="bottom",
        size=11,
        color=theme.MUTED,
    )
    return figure


def _row_name(row: Lane, is_open: bool) -> str:
    name = precise(round(row.at * 1000))
    glyph = f"<span style='color:{colour(row.kind)}'>{CAUSES[row.kind].look.glyph}</span>"
    return f"{f'<b>{name}</b>' if is_open else name} {glyph}  "


def _bars(row: Lane, y: int) -> list[go.Bar]:
    shade = colour(row.kind)
    look = {"orientation": "h", "y": [y], "hoverinfo": "skip", "width": 0.56}
    bars = []
    if row.silent:
        pattern = {
            "shape": "/",
            "fgcolor": shade,
            "bgcolor": theme.PAPER,
            "size": 7,
            "solidity": 0.2,
        }
        bars.append(
            go.Bar(
                x=[row.silent],
                base=[-row.silent],
                marker={
                    "color": theme.PAPER,
                    "pattern": pattern,
                    "line": {"color": shade, "width": 1},
                },
                **look,
            )
        )
    if row.waited is not None:
        bars.append(
            go.Bar(x=[row.waited], base=[0], marker={"color": shade, "line": {"width": 0}}, **look)
        )
    if row.assigned is not None and row.waited is not None:
        least = max(row.assigned - row.waited, 0)
        bars.append(
            go.Bar(
                x=[least],
                base=[row.waited],
                marker={"color": theme.INK, "line": {"color": theme.INK, "width": 1}},
                **look,
            )
        )
    return bars


def _targets(rows: Sequence[Lane], low: float, high: float) -> go.Scatter:
    """Return marks over each row that only react to the pointer."""
    right = high * 1.15
    places = [low + (right - low) * step / (_TARGETS - 1) for step in range(_TARGETS)]
    return go.Scatter(
        x=[at for _ in rows for at in places],
        y=[y for y in range(len(rows)) for _ in range(_TARGETS)],
        customdata=[row.place for row in rows for _ in range(_TARGETS)],
        mode="markers",
        marker={"size": 18, "color": theme.UNSEEN, "symbol": "square"},
        hovertext=[
            f"{plain(CAUSES[row.kind].short)}; click to open"
            for row in rows
            for _ in range(_TARGETS)
        ],
        hoverinfo="text",
    )


def _texts(row: Lane, y: int, is_open: bool) -> list[dict]:
    end = row.assigned if row.assigned is not None else row.waited
    text = "unknown" if end is None else seconds_text(round(end * 1000))
    text += " timed out" if row.limit else ""
    ink = theme.INK if row.is_usual or is_open else theme.MUTED
    notes = [frame.note(text, end or 0, y, xref="x", yref="y", xshift=4, size=11, color=theme.INK)]
    if row.waited_for:
        notes.append(
            frame.note(
                plain(row.waited_for[:13]),
                1,
                y,
                xref="paper",
                yref="y",
                xshift=6,
                size=11,
                color=ink,
            )
        )
    return notes


def _frames(rows: Sequence[Lane], opened: int | None) -> list[dict]:
    place = next((y for y, row in enumerate(rows) if row.place == opened), None)
    dotted = {"color": theme.INK, "width": 1, "dash": "dot"}
    lines = [
        {
            "type": "line",
            "xref": "x",
            "yref": "y",
            "x0": row.limit,
            "x1": row.limit,
            "y0": y - 0.4,
            "y1": y + 0.4,
            "line": dotted,
        }
        for y, row in enumerate(rows)
        if row.limit
    ]
    if place is None:
        return lines
    box = {
        "type": "rect",
        "xref": "paper",
        "yref": "y",
        "x0": -0.5,
        "x1": 1.5,
        "y0": place - 0.5,
        "y1": place + 0.5,
        "layer": "below",
    }
    return [box | {"fillcolor": theme.SURFACE, "line": {"color": theme.LINE, "width": 1}}, *lines]


def _zero() -> dict:
    return {
        "type": "line",
        "xref": "x",
        "yref": "paper",
        "x0": 0,
        "x1": 0,
        "y0": 0,
        "y1": 1,
        "line": {"color": theme.INK, "width": 1.2},
    }


def _seconds_axis(left: float, right: float) -> tuple[list[float], list[str]]:
    values = [value for value in ticks(right, most=4, whole=False)[0] if value > 0]
    before = [-value for value in ticks(left, most=4, whole=False)[0] if value > 0] if left else []
    texts = [f"{value:g}".replace("-", "−") for value in (*before, *values)]
    if texts:
        texts[-1] += " s"
    return [*before, 0, *values], [*texts[: len(before)], "begins", *texts[len(before) :]]


def lanes_finding(rows: Sequence[Lane]) -> str:
    """Return the lanes' finding in words."""
    if not rows:
        return "No rebalance is chosen."
    slow = max(rows, key=lambda row: row.assigned or row.waited or 0)
    took = seconds_text(_millis(slow.assigned or slow.waited))
    return (
        f"{counted(len(rows), 'rebalance')}; the longest, at {precise(round(slow.at * 1000))}, took"
        f" {took}."
    )
