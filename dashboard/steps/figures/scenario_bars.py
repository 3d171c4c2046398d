"""A bar chart of each member's lag now and at the end of two to four scenarios. Each scenario has a
panel, and all panels have the same scale.

The scale is √lag if a few members have so much lag that the other bars would be too short to read.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.frame import bar_lengths, load_marker
from evenkeel.dashboard.parts.labels import plain, ticks
from evenkeel.dashboard.parts.loads import OVER
from evenkeel.dashboard.steps.figures.scenario_rows import End, Loads, ScenarioRows
from evenkeel.data.text.formats import compact_sum, exact
from evenkeel.data.text.names import elided

ROW = 27
_GAP = 0.05
_TOP = 60
_THICK, _SPLIT = 0.37, 0.02
_LEAST_HEIGHT = 170
_FAR, _FARTHEST = 20, 100
"""The scale is √lag if the largest lag is at least 20 times the median lag, or 100 times the
smallest lag.
"""

_AIR = 1.2
"""The axis is longer than the longest bar, so that its text fits next to it."""

_TITLE = {1: 60, 2: 38, 3: 24, 4: 18}
"""Number of letters of a panel's title, by the number of panels."""


def scenario_bars(rows: ScenarioRows) -> go.Figure:
    """Draw the panels."""
    names = [elided(name) for name in rows.names] + [f"{exact(rows.others)} others, mean"] * bool(
        rows.others
    )
    figure = frame.figure(
        max(_TOP + frame.TICKS + ROW * len(names), _LEAST_HEIGHT),
        labels.margin(names),
        _TOP,
        frame.TICKS,
    )
    scale = _scale(rows)
    high, notes = float(scale(np.array(rows.high))), []
    for number, (end, domain) in enumerate(
        zip(rows.ends, _domains(len(rows.ends)), strict=True), 1
    ):
        axis = "x" if number == 1 else f"x{number}"
        now, after = (_Bars(scale(loads.values), loads) for loads in (rows.now, end.loads))
        _add_bars(figure, "now", theme.CURRENT, -1, now, names, axis, high)
        _add_bars(figure, "after", theme.CANDIDATE, 1, after, names, axis, high)
        look = {
            "range": [0, high * _AIR],
            "domain": domain,
            "anchor": "y",
            "fixedrange": True,
            "zeroline": False,
        }
        values, texts = ticks(rows.high, most=4)
        figure.update_layout(
            {
                f"xaxis{number if number > 1 else ''}": frame.value_axis(
                    (scale(np.array(values)).tolist(), texts), **look
                )
            }
        )
        notes += [*_texts(now, -1, axis, high), *_texts(after, 1, axis, high), *_stopped(end, axis)]
        notes += [
            _title(end.title, domain[0], len(rows.ends)),
            *_fair(figure, end.loads, axis, scale, high),
        ]
    figure.update_yaxes(
        range=[len(names) - 0.5, -0.6],
        tickvals=list(range(len(names))),
        ticktext=[plain(name) for name in names],
    )
    figure.layout.annotations = [*notes, _legend(rows, is_root=scale is np.sqrt)]
    return figure


class _Bars(NamedTuple):
    lengths: np.ndarray
    loads: Loads


def _scale(rows: ScenarioRows) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function from a member's lag to the length of its bar: √lag, or lag itself."""
    lags = np.concatenate([rows.now.values, *(end.loads.values for end in rows.ends)])
    behind = lags[lags > 0]
    is_far = behind.size and behind.max() >= min(_FAR * np.median(behind), _FARTHEST * behind.min())
    return np.sqrt if is_far else np.asarray


def _domains(count: int) -> list[tuple[float, float]]:
    width = (1 - _GAP * (count - 1)) / max(count, 1)
    return [(number * (width + _GAP), number * (width + _GAP) + width) for number in range(count)]


def _add_bars(
    figure: go.Figure,
    word: str,
    color: str,
    side: int,
    drawn: _Bars,
    names: Sequence[str],
    axis: str,
    high: float,
) -> None:
    loads = drawn.loads
    figure.add_bar(
        orientation="h",
        name=word,
        xaxis=axis,
        yaxis="y",
        x=bar_lengths(drawn.lengths, loads.idle, high),
        y=np.arange(len(names)),
        width=_THICK,
        offset=_SPLIT if side > 0 else -_THICK - _SPLIT,
        text=[
            "idle, 0" if idle else exact(value)
            for idle, value in zip(loads.idle, loads.values, strict=True)
        ],
        textposition="none",
        hovertext=[plain(name) for name in names],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{word}: %{{text}} records<extra></extra>",
        marker=load_marker(color, loads.idle, loads.over),
    )


def _texts(drawn: _Bars, side: int, axis: str, high: float) -> list[dict]:
    """Return the texts at the ends of a panel's bars. They have a background, because the line of
    the fair share would cross them.
    """
    look: dict[str, Any] = {
        "xref": axis,
        "yref": "y",
        "xshift": 3,
        "borderpad": 0,
        "bgcolor": theme.PAPER,
        "height": 11,
        "size": frame.SMALLEST,
    }
    ends = bar_lengths(np.nan_to_num(drawn.lengths), drawn.loads.idle, high)
    shift = side * (_THICK / 2 + _SPLIT)
    return [
        frame.note(text, end, row + shift, **look)
        for row, (text, end) in enumerate(zip(drawn.loads.texts, ends, strict=True))
        if text
    ]


def _stopped(end: End, axis: str) -> list[dict]:
    look: dict[str, Any] = {
        "xref": axis,
        "yref": "y",
        "xshift": 3,
        "size": frame.SMALLEST,
        "bgcolor": theme.PAPER,
        "height": 11,
    }
    return [
        frame.note("stopped", 0, row + _THICK / 2 + _SPLIT, **look)
        for row in np.flatnonzero(end.stops).tolist()
    ]


def _title(title: str, left: float, count: int) -> dict:
    look: dict[str, Any] = {
        "xref": "paper",
        "yref": "paper",
        "yanchor": "bottom",
        "size": 12.5,
        "color": theme.INK,
    }
    most = _TITLE.get(count, min(_TITLE.values()))
    short = title if len(title) <= most else f"{title[: most - 1]}…"
    return frame.note(f"<b>{plain(short)}</b>", left, 1, yshift=17, hovertext=plain(title), **look)


def _fair(
    figure: go.Figure,
    loads: Loads,
    axis: str,
    scale: Callable[[np.ndarray], np.ndarray],
    high: float,
) -> list[dict]:
    if not loads.fair:
        return []
    place = float(scale(np.array(loads.fair)))
    frame.upright(figure, place, frame.FAIR, axis, "below")
    text = f"fair share {compact_sum(round(loads.fair, 1), loads.is_partial)}"
    return [
        frame.note(
            text,
            min(place, 0.55 * high),
            1,
            xref=axis,
            yref="paper",
            yanchor="bottom",
            color=theme.INK,
        )
    ]


def _legend(rows: ScenarioRows, is_root: bool) -> dict:
    over = any(loads.over.any() for loads in (rows.now, *(end.loads for end in rows.ends)))
    marks = [
        ("■", theme.CURRENT, "now"),
        ("■", theme.CANDIDATE, "after"),
        *[("▨", theme.MUTED, f"over {OVER}× fair share")] * over,
    ]
    text = f"<b>Lag per member</b>{', √ scale' * is_root}   {frame.glyphs(marks)}"
    return frame.note(
        text,
        0,
        1,
        xref="paper",
        yref="paper",
        yshift=35,
        yanchor="bottom",
        size=12.5,
        color=theme.INK,
    )
