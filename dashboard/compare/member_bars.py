"""Lag and partitions of every member, now and with the candidate.

In small groups, a member has two bars. In larger groups, a member has a line with two ends.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.compare.comparison import CURRENT
from evenkeel.dashboard import theme
from evenkeel.dashboard.names import under, worst_first, worst_of_both
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.frame import bar_lengths, load_marker
from evenkeel.dashboard.parts.labels import plain
from evenkeel.dashboard.parts.loads import (
    OVER,
    LoadValues,
    Panel,
    add_value_panel,
    known_mean,
    lag_load,
    panels,
    side_marks,
)
from evenkeel.data.compare.answer import Change, ComparisonResult
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import exact
from evenkeel.data.text.names import elided, member_labels

ROW = 26
MOST_MEMBERS = 24
MOST_ROWS = 60
_THICK = 0.36
_SPLIT = 0.025
_AROUND = 80
_LEAST_HEIGHT = 170


class MemberBars(NamedTuple):
    """Row numbers of the members in drawing order, the names of the members, and the panels."""

    members: np.ndarray
    names: list[str]
    panels: list[Panel]
    candidate: str


def member_bars(
    names: Sequence[str],
    order: np.ndarray,
    current: Balance | None,
    candidate: Balance | None,
    candidate_name: str,
    place: int | None = None,
) -> go.Figure:
    """Draw two panels on one member axis, or only the panel `place`.

    `customdata` of a bar: row number of its member.
    """
    return _drawn(
        MemberBars(
            order,
            [names[member] for member in order],
            panels(current, candidate, order, place),
            candidate_name,
        )
    )


def _drawn(bars: MemberBars) -> go.Figure:
    names = [elided(name) for name in bars.names]
    figure = frame.figure(
        max(_AROUND + ROW * len(names), _LEAST_HEIGHT), labels.margin(names), 56, frame.TICKS
    )
    rows = np.arange(len(bars.names))
    texts: list = []
    for panel, axes in zip(bars.panels, frame.X_AXES, strict=False):
        for side, load in enumerate(panel.loads):
            if load:
                texts += _texts(load, rows, side, axes[0], panel.high)
                _add_bars(figure, bars, load, side, axes[0], panel.high)
        add_value_panel(figure, panel, axes, [0, panel.high * 1.09], 5, "above")
    frame.legend(
        figure,
        [
            *side_marks(bars.panels[0], bars.candidate, "■"),
            ("▨", theme.MUTED, f"over {OVER}× fair share"),
            ("□", theme.MUTED, "idle"),
        ],
    )
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.6], tickvals=list(rows), ticktext=[plain(name) for name in names]
    )
    # All texts at once: plotly adds a single text as slowly as all texts.
    figure.layout.annotations = [*figure.layout.annotations, *texts]
    return figure


def _add_bars(
    figure: go.Figure, bars: MemberBars, load: LoadValues, side: int, axis: str, high: float
) -> None:
    color, word = ((theme.CURRENT, "current"), (theme.CANDIDATE, bars.candidate))[side]
    noun = "partitions" if load.counts else "records"
    figure.add_bar(
        orientation="h",
        name=word,
        xaxis=axis,
        yaxis="y",
        x=bar_lengths(load.values, load.idle, high),
        y=np.arange(len(bars.names)),
        width=_THICK,
        offset=(-_THICK - _SPLIT, _SPLIT)[side],
        customdata=bars.members,
        text=[
            "idle, 0" if idle else text for idle, text in zip(load.idle, load.long(), strict=True)
        ],
        textposition="none",
        hovertext=[plain(name) for name in bars.names],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{plain(word)}: %{{text}} {noun}<extra></extra>",
        marker=load_marker(color, load.idle, load.over),
        # After a click on a bar, plotly would fade all other bars.
        unselected={"marker": {"opacity": 1}},
    )


def _texts(load: LoadValues, rows: np.ndarray, side: int, axis: str, high: float) -> list[dict]:
    """Return the texts at the ends of bars. Their background has the colour of the paper, so that
    the fair-share line does not cross the texts.
    """
    color, shift = (theme.CURRENT, theme.CANDIDATE)[side], (-1, 1)[side] * (_THICK / 2 + _SPLIT)
    note = partial(
        frame.note,
        xref=axis,
        yref="y",
        xshift=3,
        borderpad=0,
        bgcolor=theme.PAPER,
        height=11,
        size=frame.SMALLEST,
    )
    ends = bar_lengths(np.nan_to_num(load.values), load.idle, high)
    words = ["idle" if idle else text for idle, text in zip(load.idle, load.short(), strict=True)]
    colors = [color if idle else theme.MUTED for idle in load.idle]
    return [
        note(word, end, row + shift, color=tone)
        for word, end, row, tone in zip(words, ends, rows, colors, strict=True)
    ]


# Lag and partitions as lines with two ends: now, and with the candidate. Each member has one low
# row.


class Others(NamedTuple):
    """Members without their own row in the figure: their number, and the mean of their known lags,
    now and with the candidate.

    The mean is NaN if every lag is unknown.
    """

    member_count: int
    current: float
    candidate: float


class Dumbbells(NamedTuple):
    """Row numbers of the members in drawing order, the names of the members, the panels, and the
    members without their own row in the figure.
    """

    members: np.ndarray
    names: list[str]
    panels: list[Panel]
    others: Others | None
    candidate: str


def worst(
    names: Sequence[str],
    order: np.ndarray,
    current: Balance | None,
    candidate: Balance,
    candidate_name: str,
    most: int,
) -> Dumbbells:
    """Return the data of `worst_members`."""
    order = worst_of_both(order, candidate.lag, most)
    first, rest = order[:most], order[most:]
    means = (
        known_mean(lag_load(side, rest).values) if side else np.nan for side in (current, candidate)
    )
    others = Others(len(rest), *means) if len(rest) else None
    loads = (current and lag_load(current, first), lag_load(candidate, first))
    panel = Panel(f"Worst now, then worst {under(candidate_name)}", "lag", loads, (0.0, 1.0))
    return Dumbbells(first, [names[member] for member in first], [panel], others, candidate_name)


def all_members(
    names: Sequence[str],
    order: np.ndarray,
    current: Balance | None,
    candidate: Balance | None,
    candidate_name: str,
    place: int | None = None,
) -> go.Figure:
    """Draw every member of a group of 25 to 60 members: lag and partitions side by side, or only
    the panel `place`.
    """
    return _drawn_bells(
        Dumbbells(
            order,
            [names[member] for member in order],
            panels(current, candidate, order, place),
            None,
            candidate_name,
        ),
        14,
    )


def worst_members(
    names: Sequence[str],
    order: np.ndarray,
    current: Balance | None,
    candidate: Balance,
    candidate_name: str,
    most: int = 15,
) -> go.Figure:
    """Draw the lag of the `most` members that are worst now or with the candidate. The last row is
    the mean of the others.
    """
    return _drawn_bells(worst(names, order, current, candidate, candidate_name, most), 20)


def _drawn_bells(bells: Dumbbells, row: int) -> go.Figure:
    names = [elided(name) for name in bells.names]
    if bells.others:
        names.append(f"{exact(bells.others.member_count)} others, mean")
    figure = frame.figure(72 + row * len(names), labels.margin(names), 56, frame.TICKS)
    for panel, axes in zip(bells.panels, frame.X_AXES, strict=False):
        _add_rows(figure, bells, panel.loads, axes[0])
        add_value_panel(figure, panel, axes, [-0.02 * panel.high, panel.high * 1.08], 4, "below")
    frame.legend(
        figure, [*side_marks(bells.panels[0], bells.candidate, "◆"), ("□", theme.MUTED, "idle")]
    )
    texts = [plain(name) for name in names]
    rows = {
        "range": [len(names) - 0.4, -0.6],
        "tickvals": list(range(len(names))),
        "ticktext": texts,
    }
    figure.update_yaxes(rows, showgrid=True, gridcolor=theme.LINE)
    return figure


def _add_rows(
    figure: go.Figure,
    bells: Dumbbells,
    loads: tuple[LoadValues | None, ...],
    axis: str,
) -> None:
    means = (bells.others.current, bells.others.candidate) if bells.others else ()
    rows = np.arange(len(bells.names) + bool(means))
    ends = [
        np.append(load.values, means[side : side + 1]) if load else np.full(len(rows), np.nan)
        for side, load in enumerate(loads)
    ]
    figure.add_scatter(
        # A NaN after each pair ends the member's line, so one trace draws the lines of all members.
        x=np.column_stack((*ends, np.full(len(rows), np.nan))).ravel(),
        y=np.repeat(rows, 3),
        xaxis=axis,
        yaxis="y",
        mode="lines",
        name="change",
        line={"color": theme.KEPT, "width": 1.4},
        hoverinfo="skip",
    )
    sides = (("current", theme.CURRENT, "square"), (bells.candidate, theme.CANDIDATE, "diamond"))
    for (word, color, symbol), load, values in zip(sides, loads, ends, strict=True):
        if load is None:
            continue
        symbols = [f"{symbol}-open" if idle else symbol for idle in load.idle] + [symbol] * bool(
            means
        )
        texts = [
            f"{plain(name)}<br>{plain(word)}: {'idle, ' if idle else ''}{text}"
            for name, text, idle in zip(bells.names, load.long(), load.idle, strict=True)
        ]
        figure.add_scatter(
            x=values,
            y=rows,
            xaxis=axis,
            yaxis="y",
            mode="markers",
            name=word,
            customdata=np.append(bells.members, [-1] * bool(means)),
            text=texts
            + [
                f"mean of the others<br>{plain(word)}: {exact(value)}"
                for value in values[len(texts) :]
            ],
            hovertemplate="%{text}<extra></extra>",
            marker={
                "symbol": symbols,
                "size": 9,
                "color": color,
                "line": {"width": 1.4, "color": color},
            },
            unselected={"marker": {"opacity": 1}},
        )


# Members of a comparison, for use outside the pages.


def of_comparison(compared: ComparisonResult, candidate: str | None = None) -> go.Figure:
    """Draw a comparison outside a page, with at most 60 members.

    `candidate`: by default the answer that readers should look at first.
    """
    name = candidate or compared.first
    before, after = compared.change(CURRENT), compared.change(name)
    change = after or before
    if change is None:
        raise SnapshotError(
            f"neither {CURRENT} nor {name} has known owners, expected known owners in one"
        )
    ids = change.wide.member_id
    clients = dict(zip(change.group.snapshot.member_id, change.group.client_id, strict=True))
    names = member_labels(ids, [clients.get(member_id) for member_id in ids])
    current, answer = (counts and _aligned(counts, ids) for counts in (before, after))
    order = worst_first(_aligned(before or change, ids).lag, names)[:MOST_ROWS]
    draw = member_bars if len(names) <= MOST_MEMBERS else all_members
    return draw(names, order, current, answer, name)


def _aligned(change: Change, ids: Sequence[str]) -> Balance:
    """Return the lag and the partition count of each member in `ids`. A member that the change does
    not have gets 0.
    """
    rows = {member_id: row for row, member_id in enumerate(change.group.snapshot.member_id)}
    places = np.array([rows.get(member_id, -1) for member_id in ids])

    def aligned(values: np.ndarray) -> np.ndarray:
        return np.where(places < 0, 0, values[places])

    balance = change.balance
    return replace(
        balance,
        partition_count=aligned(balance.partition_count),
        lag=aligned(balance.lag),
        unknown_lag_count=aligned(balance.unknown_lag_count),
    )
