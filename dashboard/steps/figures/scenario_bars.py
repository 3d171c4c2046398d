"""Lag of every member now and at the end of two to four scenarios: a panel for each, all on one
scale.

The scale is √lag if some members are so far behind that the bars of others would be too short to
read.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.compare.balance import Balance
from evenkeel.dashboard import theme
from evenkeel.dashboard.names import NEW, STOPPED, natural, under
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.frame import bar_lengths, load_marker
from evenkeel.dashboard.parts.labels import plain, ticks
from evenkeel.dashboard.parts.loads import OVER, known_mean, lag_load
from evenkeel.dashboard.steps.figures.step_sides import MOST, WORST
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.step_figures import balance_before
from evenkeel.data.text.formats import compact, compact_sum, exact
from evenkeel.data.text.names import elided, short_labels


class Loads(NamedTuple):
    """Lags of all rows in one assignment; NaN is unknown or no member. `texts` are empty without a
    member.
    """

    values: np.ndarray
    idle: np.ndarray
    over: np.ndarray
    texts: list[str]
    fair: float | None
    is_partial: bool


class End(NamedTuple):
    """One scenario: its end, and the rows of members that it stops."""

    title: str
    loads: Loads
    stops: np.ndarray


class ScenarioRows(NamedTuple):
    """Rows of listed members with most lag first, then new ones; `others`: the number of members in
    the last row, which has their mean.
    """

    names: list[str]
    others: int
    now: Loads
    ends: list[End]

    @property
    def high(self) -> float:
        """Largest known value, at least 1: all panels have one scale."""
        return float(
            np.nanmax(
                [1.0, *self.now.values, *(value for end in self.ends for value in end.loads.values)]
            )
        )


class _MemberLoads(NamedTuple):
    """What the members of one assignment hold, and the row of each, None for members that it has
    not.
    """

    balance: Balance | None
    place: dict[str, int]


def scenario_rows(scenarios: Sequence[tuple[str, Sequence[StepAnswer]]]) -> ScenarioRows:
    """Return the rows of scenarios of one group.

    Parameters
    ----------
    scenarios : sequence of (title, answers)
        The answers of one assignor to each step, the group as listed first.
    """
    first, listed = next(
        (answers[0], answers[0].start) for _, answers in scenarios if answers[0].start is not None
    )
    now = _MemberLoads(
        balance_before(first),
        {member_id: row for row, member_id in enumerate(listed.snapshot.member_id)},
    )
    ends = [_end(answers) for _, answers in scenarios]
    new = list(
        dict.fromkeys(
            member_id for end in ends for member_id in end.place if member_id not in now.place
        )
    )
    ids = [*now.place, *new]
    clients = _clients([listed, *(answers[-1].group for _, answers in scenarios)])
    labels = dict(
        zip(ids, short_labels(ids, [clients.get(member_id) for member_id in ids]), strict=True)
    )
    stopped = {
        member_id
        for member_id in now.place
        if all(end.balance and member_id not in end.place for end in ends)
    }
    order = _order(ids, now, ends, labels)
    shown = order if len(order) <= MOST else order[:WORST]
    rest = order[len(shown) :]
    marks = dict.fromkeys(stopped, f" {STOPPED}") | dict.fromkeys(new, f" {NEW}")
    return ScenarioRows(
        [labels[member_id] + marks.get(member_id, "") for member_id in shown],
        len(rest),
        _loads(now, shown, rest),
        [
            End(title, _loads(end, shown, rest), _stops(now, end, shown, rest))
            for (title, _), end in zip(scenarios, ends, strict=True)
        ],
    )


def _end(answers: Sequence[StepAnswer]) -> _MemberLoads:
    """Return the end of a scenario, its members under the ids that they had in the beginning."""
    last = answers[-1]
    if last.group is None:
        return _MemberLoads(None, {})
    former: dict[str, str] = {}
    for step in answers[1:]:
        former |= {new: former.get(old, old) for old, new in step.renamed}
    return _MemberLoads(
        last.balance,
        {
            former.get(member_id, member_id): row
            for row, member_id in enumerate(last.group.snapshot.member_id)
        },
    )


def _clients(groups: Sequence[ObservedGroup | None]) -> dict[str, str | None]:
    return {
        member_id: client
        for group in groups
        if group
        for member_id, client in zip(group.snapshot.member_id, group.client_id, strict=True)
    }


def _order(
    ids: Sequence[str], now: _MemberLoads, ends: Sequence[_MemberLoads], labels: dict[str, str]
) -> list[str]:
    """Return listed members by their present lag, then new members by their highest lag; in a large
    group all by their highest lag.
    """
    lag = {member_id: [_lag(held, member_id) for held in (now, *ends)] for member_id in ids}
    is_large = len(ids) > MOST

    def key(member_id: str) -> tuple:
        highest = (
            max(lag[member_id]) if is_large or member_id not in now.place else lag[member_id][0]
        )
        return (not is_large and member_id not in now.place, -highest, natural(labels[member_id]))

    return sorted(ids, key=key)


def _lag(held: _MemberLoads, member_id: str) -> float:
    row = held.place.get(member_id)
    return -1.0 if held.balance is None or row is None else float(held.balance.lag[row])


def _loads(held: _MemberLoads, shown: Sequence[str], rest: Sequence[str]) -> Loads:
    if held.balance is None:
        size = len(shown) + bool(rest)
        return Loads(
            np.full(size, np.nan),
            np.zeros(size, dtype=bool),
            np.zeros(size, dtype=bool),
            [""] * size,
            None,
            False,
        )
    has = np.array([member_id in held.place for member_id in shown], dtype=bool)
    load = lag_load(
        held.balance,
        np.array([held.place.get(member_id, 0) for member_id in shown], dtype=np.int64),
    )
    values = np.where(has, load.values, np.nan)
    texts = [
        ("idle" if idle else text) if there else ""
        for there, idle, text in zip(has, load.idle, load.short(), strict=True)
    ]
    if not rest:
        return Loads(values, load.idle & has, load.over & has, texts, load.fair, load.partial)
    places = [held.place[member] for member in rest if member in held.place]
    mean = known_mean(lag_load(held.balance, np.array(places, dtype=np.int64)).values)
    idle, over = (np.append(flag & has, False) for flag in (load.idle, load.over))
    texts = [*texts, compact(mean)]
    return Loads(np.append(values, mean), idle, over, texts, load.fair, load.partial)


def _stops(
    now: _MemberLoads, end: _MemberLoads, shown: Sequence[str], rest: Sequence[str]
) -> np.ndarray:
    gone = [
        end.balance is not None and member_id in now.place and member_id not in end.place
        for member_id in shown
    ]
    return np.array([*gone, *[False] * bool(rest)], dtype=bool)


def finding(scenarios: Sequence[tuple[str, Sequence[StepAnswer]]]) -> str:
    """Return the finding of the panels in one sentence."""
    texts = [
        f"{title} {compact(answers[-1].balance.max_lag if answers[-1].balance else None)}"
        f" {under(answers[-1].name)}"
        for title, answers in scenarios
    ]
    return f"Lag of the worst member at the end: {', '.join(texts)}"


ROW = 27
_GAP = 0.05
_TOP = 60
_THICK, _SPLIT = 0.37, 0.02
_LEAST_HEIGHT = 170
_FAR, _FARTHEST = 20, 100
"""The scale is √lag from these ratios of the largest lag to the middle one, and to the smallest,
on.
"""

_AIR = 1.2
"""The axis is longer than the highest value: its text is after the bar."""

_TITLE = {1: 60, 2: 38, 3: 24, 4: 18}
"""Letters of a panel's title, by the number of panels."""


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
    """Loads and the lengths of their bars."""

    lengths: np.ndarray
    loads: Loads


def _scale(rows: ScenarioRows) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function from lag to length."""
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
    """Return the texts at the ends of bars, on the colour of the paper: the fair-share line does
    not cross them.
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
