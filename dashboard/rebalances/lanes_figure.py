"""Rebalances as lanes: one row for each rebalance. All rows are aligned at `Preparing`."""

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.labels import plain, ticks
from evenkeel.dashboard.rebalances.figure_look import add_title, colour
from evenkeel.dashboard.rebalances.words import precise, seconds_text
from evenkeel.data.rebalances.words import CAUSES
from evenkeel.data.text.formats import counted

LANES_HEIGHT = 326
_LEFT, _RIGHT = 96, 92
_LEAST_LANES = 8
_TARGETS = 20
"""Number of invisible marks on a row that react to the pointer; no point of a row is more than 20
pixels from a mark.
"""


class Lane(NamedTuple):
    """A rebalance as a row of the figure. Times are in seconds and count from the rebalance's
    start.

    `silent`: how long before the start a member was dead but not yet noticed. `waited`: when all
    members had joined. `assigned`: when the leader had assigned. `limit`: the timeout, if it ended
    the rebalance.
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


def lanes(rows: Sequence[Lane], opened: int | None, title: str) -> go.Figure:
    """Draw one row for each rebalance; the row of the rebalance `opened` is highlighted."""
    figure = frame.figure(LANES_HEIGHT, _LEFT, 48, frame.TICKS)
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
        margin_r=_RIGHT,
        annotations=[
            note for y, row in enumerate(rows) for note in _texts(row, y, row.place == opened)
        ],
        shapes=[*_frames(rows, opened), _zero()],
    )
    add_title(figure, title, "one per row, aligned at the start", _LEFT, 26)
    kinds = {row.kind for row in rows}
    marks = [
        ("▨", theme.MUTED, "dead, not noticed yet"),
        (
            "■",
            colour(*kinds) if len(kinds) == 1 else theme.MUTED,
            "waits for members to rejoin (coloured by cause)",
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
        xshift=-_LEFT,
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
    """Return invisible marks that cover each row and react to the pointer."""
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
    """Return a sentence: number of chosen rebalances, time and length of the longest."""
    if not rows:
        return "No rebalance is chosen."
    slow = max(rows, key=lambda row: row.assigned or row.waited or 0)
    longest = slow.assigned or slow.waited
    took = seconds_text(None if longest is None else round(longest * 1000))
    return (
        f"{counted(len(rows), 'rebalance')}; the longest, at {precise(round(slow.at * 1000))}, took"
        f" {took}."
    )
