"""One figure of a group over time: lag by member, owners of the worst partitions, regret;
rebalances and gaps through the first two.
"""

from collections.abc import Sequence
from html import escape
from textwrap import shorten, wrap
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.timeline.forecast import Forecast
from evenkeel.assignors.timeline.ownership import Burst
from evenkeel.assignors.timeline.pictures.member_lags import MemberLags
from evenkeel.assignors.timeline.pictures.owners import OwnerRows
from evenkeel.assignors.timeline.pictures.topics import TopicRows
from evenkeel.assignors.timeline.replay import Regret
from evenkeel.dashboard import theme
from evenkeel.dashboard.names import NO_OWNER
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.labels import apart, ticks
from evenkeel.dashboard.parts.time_axis import (
    NOW,
    add_hover_bars,
    end_of_axis,
    milliseconds,
    time_axis,
)
from evenkeel.dashboard.timeline.figures import owner_panel
from evenkeel.dashboard.timeline.figures.lag_panel import (
    add_forecast,
    add_lag,
    forecast_top,
    legend,
)
from evenkeel.dashboard.timeline.figures.owner_panel import ROW, add_owners
from evenkeel.dashboard.timeline.words import LIMIT
from evenkeel.dashboard.times import clock, zone
from evenkeel.data.text.formats import UNKNOWN, compact, count, exact
from evenkeel.data.text.names import elided

_LAG, _BETWEEN = 144, 38
"""Pixels of the upper panel, and of the title of the lower one."""

_TOP, _BOTTOM, _LEAST_LEFT = 60, 34, 56
_LEGEND, _LINE, _EDGE = 22, 17, 8
"""Pixels of the legend above the plot, of its line, and from the left end of the figure."""


class Span(NamedTuple):
    """Seconds since 1970; `ahead`: the forecast, or why there is none; None for a range that ends
    before the last reading.
    """

    since: float
    until: float
    ahead: Forecast | str | None = None


class Areas(NamedTuple):
    """`names`: of the members of `lags`."""

    lags: MemberLags
    names: Sequence[str]


class Owners(NamedTuple):
    """`names`: of all members; `partitions`: names of the rows; `partition_count`: of the group;
    `topics`: the rest.
    """

    rows: OwnerRows
    names: Sequence[str]
    partitions: Sequence[str]
    partition_count: int
    topics: TopicRows
    topic_names: Sequence[str]


class Marks(NamedTuple):
    """`moments`: times of A and B, or none; `end`: the name of the range's end, `when`: the same in
    a sentence; `unrecorded`: times without recorded owners, and the reason. `named`: times with a
    text.
    """

    bursts: Sequence[Burst] = ()
    moments: Sequence[float] = ()
    end: str = ""
    when: str = "now"
    unrecorded: tuple[float, float, str] | None = None
    named: Sequence[tuple[float, str]] = ()


class RegretView(NamedTuple):
    """None while assignors are still asked; `finding`: one sentence."""

    regret: Regret | None
    finding: str = ""


def timeline(
    areas: Areas,
    owners: Owners,
    marks: Marks,
    span: Span,
    replayed: RegretView | None = None,
    now: float = NOW,
) -> go.Figure:
    """Draw a group over a span of time; `replayed`: None if no assignor can be asked. `now`: share
    of the axis up to the last reading.
    """
    (lags, names), (since, until, ahead) = areas, span
    bottom, rows = (
        (HEIGHT + _BETWEEN) * (replayed is not None),
        ROW * (len(owners.partitions) + owner_panel.height(owners.topics)),
    )
    height, length = _LAG + _BETWEEN + rows + bottom, max(until - since, 1.0)
    top_of_rows = (bottom + rows) / height
    left = labels.name_margin(
        [*owners.partitions, *owner_panel.topic_labels(owners.topics, owners.topic_names)]
    )
    figure = frame.figure(height + _TOP + _BOTTOM, max(left, _LEAST_LEFT), _TOP, _BOTTOM)
    add_lag(figure, lags, names, (1 - _LAG / height, 1), forecast_top(ahead))
    domain = bottom / height, top_of_rows
    add_owners(
        figure,
        owners.rows,
        owners.names,
        owners.partitions,
        lags.member.tolist(),
        domain,
        length,
        marks.when,
        now,
    )
    owner_panel.add_topics(figure, owners.topics, names, owners.topic_names, len(owners.partitions))
    axis = time_axis(
        since,
        end_of_axis(since, until, now),
        until if ahead is None else None,
        anchor="y3" if replayed else "y2",
    )
    figure.update_layout(xaxis=axis, barmode="overlay")
    add_forecast(figure, ahead, until)
    if replayed:
        add_regret(figure, *replayed, until, (0, HEIGHT / height), is_narrow=now != NOW)
    add_rebalances(figure, marks.bursts, length, marks.moments)
    add_gaps(figure, lags, length)
    if marks.unrecorded:
        add_unrecorded(figure, *marks.unrecorded)
    add_named(figure, marks.named, since, length)
    add_flags(figure, marks.moments)
    add_end(figure, until, marks.end)
    frame.title(
        figure,
        "Lag by member",
        "records",
        [("↻", theme.INK, "rebalances")] * bool(marks.bursts),
        shift=_LEGEND + _LINE,
    )
    frame.legend(
        figure,
        legend(lags, names, _have_rows(lags, owners)),
        _LEGEND,
        figure.layout.margin.l - _EDGE,
    )
    frame.title(
        figure,
        _owner_title(owners),
        "same colours" if now == NOW else "",
        [("▨", theme.INK, NO_OWNER)],
        y=top_of_rows,
        shift=4,
    )
    return figure


def _have_rows(lags: MemberLags, owners: Owners) -> np.ndarray:
    """Return which members of `lags` own a drawn partition; last: whether other members do."""
    owner, is_others = owners.rows.owner, ~np.isin(owners.rows.owner, [UNASSIGNED, *lags.member])
    in_rows = np.append(np.isin(lags.member, owner), is_others.any())
    return in_rows | owners.topics.owned[:, :-1].any(axis=0)


def _owner_title(owners: Owners) -> str:
    shown = len(owners.partitions)
    if shown < owners.partition_count:
        return (
            f"Owner of the {shown} worst of {count(owners.partition_count, 'partition')}, rest by"
            " topic"
        )
    return f"Owner of {count(shown, 'partition')}"


# What crosses all panels: rebalances and gaps.


_LEAST_ROOM = 0.035
"""Share of the axis that a count of rebalances takes."""

_LEAST_GAP = 0.02
"""Share of the axis from which a gap has words."""


def add_rebalances(
    figure: go.Figure, bursts: Sequence[Burst], length: float, flags: Sequence[float] = ()
) -> None:
    """Draw a dotted line for each burst, with how many rebalances it has; without the number where
    another is too near.

    `flags`: times of flags; a number next to a flag moves to its side.
    """
    last, line = -np.inf, {"color": theme.INK, "width": 1, "dash": "dot"}
    times, panels = [milliseconds(burst.first) for burst in bursts], ("y domain", "y2 domain")
    lines = [
        {
            "type": "line",
            "xref": "x",
            "yref": panel,
            "x0": x,
            "x1": x,
            "y0": 0,
            "y1": 1,
            "line": line,
        }
        for x in times
        for panel in panels
    ]
    # All at once: hundreds, one by one, take longer than the rest of the figure.
    figure.layout.shapes += tuple(lines)
    for burst, x in zip(bursts, times, strict=True):
        if burst.first - last > _LEAST_ROOM * length:
            place = _beside(burst.first, flags, length)
            frame.label(
                figure,
                f"↻ {len(burst.rows)}",
                x,
                1,
                yref="paper",
                yanchor="bottom",
                color=theme.INK,
                **place,
            )
            last = burst.first


def _beside(time: float, flags: Sequence[float], length: float) -> dict:
    """Return the place of a burst's number: the middle, or the side of a flag that would cover
    it.
    """
    near = [flag for flag in flags if abs(flag - time) < _LEAST_ROOM * length]
    if not near:
        return {"xanchor": "center"}
    return (
        {"xanchor": "left", "xshift": ASIDE}
        if time >= near[0]
        else {"xanchor": "right", "xshift": -ASIDE}
    )


def add_gaps(figure: go.Figure, lags: MemberLags, length: float) -> None:
    """Write into each wide gap that nothing was read."""
    for row in np.flatnonzero(np.diff(lags.stretch)).tolist():
        first, last = lags.time[row], lags.time[row + 1]
        if last - first > _LEAST_GAP * length:
            middle = milliseconds((first + last) / 2)
            for panel in ("y domain", "y2 domain"):
                frame.label(
                    figure,
                    "no reading",
                    middle,
                    0.5,
                    yref=panel,
                    textangle=-90,
                    xanchor="center",
                    yanchor="middle",
                )


def add_unrecorded(figure: go.Figure, first: float, last: float, words: str) -> None:
    """Draw one grey band over the rows of owners, with words in its middle."""
    begin, end = milliseconds(first), milliseconds(last)
    figure.add_shape(
        type="rect",
        xref="x",
        yref="y2 domain",
        x0=begin,
        x1=end,
        y0=0,
        y1=1,
        fillcolor=theme.MUTED,
        opacity=0.2,
        line={"width": 0},
        layer="below",
    )
    middle = float(milliseconds((first + last) / 2))
    frame.label(figure, words, middle, 0.5, yref="y2 domain", xanchor="center", yanchor="middle")


# Flags of the moments A and B, through all panels.


_MOST_TEXT = 40


def add_named(
    figure: go.Figure, named: Sequence[tuple[float, str]], since: float, length: float
) -> None:
    """Draw a line for each mark, with its text in the upper panel, towards the middle."""
    for time, text in named:
        x, is_late = float(milliseconds(time)), time - since > length / 2
        line = {"color": theme.MUTED, "width": 1, "dash": "dash"}
        frame.upright(figure, x, line)
        frame.label(
            figure,
            f"⚑ {escape(shorten(text, _MOST_TEXT, placeholder=' …'))}",
            x,
            1,
            yref="y domain",
            yanchor="top",
            xanchor="right" if is_late else "left",
            xshift=-4 if is_late else 4,
        )


ASIDE = 13
"""Pixels from the middle of a flag to a text beside it."""


def add_flags(figure: go.Figure, times: Sequence[float]) -> None:
    """Draw A and B at these times, seconds since 1970."""
    for letter, time in zip("AB", times, strict=False):
        x = milliseconds(time)
        frame.upright(figure, x, {"color": theme.INK, "width": 1.3})
        look = {"bgcolor": theme.INK, "color": theme.PAPER, "borderpad": 3, "size": 11}
        frame.label(
            figure,
            f"<b>{letter}</b>",
            x,
            1,
            yref="paper",
            xanchor="center",
            yanchor="bottom",
            **look,
        )


def add_end(figure: go.Figure, until: float, words: str) -> None:
    """Write the name of the range's end to the right of it, or to the right of a flag there."""
    frame.label(
        figure,
        words,
        milliseconds(until),
        1,
        yref="paper",
        yanchor="bottom",
        xshift=ASIDE,
        color=theme.INK,
    )


# Regret: the lag of the worst member as it was, and under other assignors; names at now.


HEIGHT = 108
"""Pixels."""

_AIR, _NAME_LINE, _LETTERS, _NAME = 1.06, 13, 24, 20
"""Room above the highest line; pixels of a line of text; letters of a line of words and of a name,
in a narrow window.
"""

_WORDS, _GAP = 14.5, 3
"""Pixels of a line of the finding, and above it."""

_RIGHT_OF_NOW = 8


class _Look(NamedTuple):
    color: str
    width: float
    glyph: str


_CURRENT, _CANDIDATE, _OTHER = (
    _Look(theme.CURRENT, 2, "■"),
    _Look(theme.CANDIDATE, 1.6, "◆"),
    _Look(theme.MUTED, 1.3, "●"),
)


def add_regret(
    figure: go.Figure,
    regret: Regret | None,
    finding: str,
    until: float,
    domain: tuple[float, float],
    is_narrow: bool = False,
) -> None:
    """Draw the lines and their sentence; keep the space empty while they are replayed (None)."""
    high = max(float(regret.worst.max(initial=1)) if regret else 1.0, 1.0)
    scale = ticks(high, most=3) if regret else ([], [])
    axis = frame.value_axis(
        scale, range=[0, high * _AIR], domain=domain, anchor="x", fixedrange=True, zeroline=False
    )
    figure.update_layout(yaxis3=axis)
    title = "<b>Regret</b>: lag of the worst member, other assignors replayed"
    title += "" if is_narrow else " on the lags as they were"
    frame.label(
        figure,
        title,
        0,
        1,
        xref="paper",
        yref="y3 domain",
        yanchor="bottom",
        yshift=4,
        size=12.5,
        color=theme.INK,
        hovertext=LIMIT,
    )
    if regret is None:
        frame.label(
            figure,
            "other assignors are replayed …",
            0.4,
            0.5,
            xref="paper",
            yref="y3 domain",
            xanchor="center",
            yanchor="middle",
        )
        # A panel without a trace is not drawn.
        figure.add_scatter(
            x=[milliseconds(until)], y=[None], yaxis="y3", hoverinfo="skip", name="regret"
        )
        return
    for place in sorted(range(len(regret.names)), key=lambda place: _look(regret, place).width):
        _add_line(figure, regret, place)
    _add_hover(figure, regret)
    words = wrap(finding, _LETTERS)
    _add_names(figure, regret, until, high, _WORDS * len(words) + _GAP)
    look = {
        "xanchor": "right",
        "yanchor": "bottom",
        "align": "right",
        "bgcolor": theme.PAPER,
        "borderpad": 0,
    }
    frame.label(figure, "<br>".join(words), 1, 0, xref="paper", yref="y3 domain", **look)


def _look(regret: Regret, place: int) -> _Look:
    return _CURRENT if place == 0 else _CANDIDATE if place == regret.candidate else _OTHER


def _add_line(figure: go.Figure, regret: Regret, place: int) -> None:
    look, lag = _look(regret, place), regret.worst[:, place].astype(np.float64)
    lag[lag == UNKNOWN_LAG] = np.nan
    ends = np.flatnonzero(np.diff(regret.stretch)) + 1
    time, lag = np.insert(milliseconds(regret.time), ends, np.nan), np.insert(lag, ends, np.nan)
    line = {"color": look.color, "width": look.width}
    figure.add_scatter(
        x=time,
        y=lag,
        yaxis="y3",
        mode="lines",
        line=line,
        hoverinfo="skip",
        connectgaps=False,
        name=regret.names[place],
    )


def _add_hover(figure: go.Figure, regret: Regret) -> None:
    """Label the pointer with the value of each line."""
    texts = [
        [UNKNOWN if lag == UNKNOWN_LAG else exact(lag) for lag in row]
        for row in regret.worst.tolist()
    ]
    rows = [
        "<br>".join(
            [
                f"<b>{clock(seconds)} {zone(seconds)}</b>",
                *(f"{name}: {lag}" for name, lag in zip(regret.names, row, strict=True)),
            ]
        )
        for seconds, row in zip(regret.time.tolist(), texts, strict=True)
    ]
    add_hover_bars(
        figure,
        regret.time,
        regret.worst.max(axis=1),
        yaxis="y3",
        text=rows,
        hovertemplate="%{text}<extra></extra>",
        name="regret",
    )


def _add_names(figure: go.Figure, regret: Regret, until: float, high: float, below: float) -> None:
    """Write each name with its lag at the end of its line, `below` pixels free; members with the
    same lag share a place.
    """
    by_lag: dict[int, list[int]] = {}
    for place, lag in enumerate(regret.worst[-1].tolist() if regret.time.size else []):
        if lag != UNKNOWN_LAG:
            by_lag.setdefault(lag, []).append(place)
    lags = list(by_lag)
    for lag, pixel in zip(
        lags, _places([lag / (high * _AIR) * HEIGHT for lag in lags], below), strict=True
    ):
        look = min((_look(regret, place) for place in by_lag[lag]), key=lambda look: -look.width)
        text = (
            f"{frame.glyphs([(look.glyph, look.color, _names(regret, by_lag[lag]))])}"
            f" {compact(float(lag))}"
        )
        frame.label(
            figure,
            text,
            milliseconds(until),
            pixel / HEIGHT,
            yref="y3 domain",
            xshift=_RIGHT_OF_NOW,
            yanchor="middle",
            size=frame.SMALLEST,
            color=theme.INK,
            bgcolor=theme.PAPER,
            borderpad=0,
            hovertext="<br>".join(regret.names[place] for place in by_lag[lag]),
        )


def _places(pixels: list[float], below: float) -> list[float]:
    """Return the middles of lines of text that do not overlap, `below` pixels free; at the top of
    the panel at most.
    """
    return apart(pixels, _NAME_LINE, below + _NAME_LINE / 2, HEIGHT - _NAME_LINE / 2)


def _names(regret: Regret, places: list[int]) -> str:
    """Return `range`, or `range + 2 others` where several have one lag; the owners as they were and
    the best one come first.
    """
    first = min(places, key=lambda place: -_look(regret, place).width)
    more = f" + {count(len(places) - 1, 'other')}" if len(places) > 1 else ""
    return elided(regret.names[first], _NAME - len(more)) + more
