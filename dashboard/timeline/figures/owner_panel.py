"""The panel of owners over time. Each partition has a row, with the colours of the lag panel. Next
to the row are the partition's lag at the end and the number of its owner changes.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.timeline.pictures.owners import BINS, OwnerRows
from evenkeel.assignors.timeline.pictures.topics import OTHER_TOPICS, TopicRows
from evenkeel.dashboard import theme
from evenkeel.dashboard.names import NO_OWNER
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.labels import plain
from evenkeel.dashboard.parts.time_axis import NOW, milliseconds
from evenkeel.dashboard.times import clock, zone
from evenkeel.data.text.formats import UNKNOWN, compact, count
from evenkeel.data.text.names import elided

ROW = 11
"""Height of a row in pixels."""

_BEHIND_NOW = 0.015
"""Distance from now to the numbers on its right, as a fraction of the axis. The numbers need it
because the background of a panel is some pixels larger than the panel.
"""

_BAR, _LAG, _MOVED = 0.42, 0.72, 1.0
"""Fractions of the space for numbers: length of the longest bar, and right ends of both texts."""

_THICK, _OFTEN = 0.76, 10
HATCH = {"shape": "/", "fgcolor": theme.INK, "fillmode": "overlay", "size": 4, "solidity": 0.4}


def add_owners(
    figure: go.Figure,
    rows: OwnerRows,
    names: Sequence[str],
    partitions: Sequence[str],
    shown: Sequence[int],
    domain: tuple[float, float],
    length: float,
    when: str = "now",
    now: float = NOW,
) -> None:
    """Draw the rows of partitions. `names`: names of all members. `shown`: the members that have a
    colour of their own. `length`: seconds of the range.

    `when`: the end of the range in words. `now`: place of the last reading on the time axis, as a
    fraction.
    """
    color = dict(zip(shown, theme.MEMBERS, strict=False))
    place_of = {owner: place for place, owner in enumerate(color)} | {UNASSIGNED: UNASSIGNED}
    colors = np.array([place_of.get(owner, len(color)) for owner in rows.owner])
    drawn = _drawn(rows, length / BINS)
    for place in np.unique(colors).tolist():
        look = (
            {"color": [*color.values(), theme.OTHERS][place]}
            if place != UNASSIGNED
            else {"color": theme.PAPER, "pattern": HATCH}
        )
        _add_runs(figure, rows, drawn, np.flatnonzero(colors == place), look, names, partitions)
    texts = labels.axis_texts(partitions)
    figure.update_layout(
        yaxis2={
            "domain": domain,
            "anchor": "x",
            "range": [len(texts) - 0.5, -0.5],
            "tickvals": list(range(len(texts))),
            "ticktext": texts,
            "tickfont": {"color": theme.MUTED, "size": frame.SMALLEST},
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "automargin": False,
        },
        xaxis2={
            "domain": (now + _BEHIND_NOW, 1),
            "anchor": "y2",
            "range": [0, 1],
            "visible": False,
            "fixedrange": True,
        },
    )
    _add_numbers(figure, rows, when)


def _drawn(rows: OwnerRows, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the start and the end of each bar. A bar shows how long a partition has the same
    owner. Bars are at least `least` seconds long if there is room, and never overlap.
    """
    is_last = np.append(rows.row[1:] != rows.row[:-1], True)[: rows.row.size]
    # The run of a new owner in the last slot has no length, so it is drawn wider.
    begin = np.where(is_last, np.minimum(rows.begin, rows.end.max(initial=0) - least), rows.begin)
    room = np.where(is_last, np.inf, np.roll(begin, -1))
    return begin, np.maximum(np.minimum(np.maximum(rows.end, begin + least), room), begin)


def _add_runs(
    figure: go.Figure,
    rows: OwnerRows,
    drawn: tuple[np.ndarray, np.ndarray],
    runs: np.ndarray,
    look: dict,
    names: Sequence[str],
    partitions: Sequence[str],
) -> None:
    begin, end = (milliseconds(time[runs]) for time in drawn)
    owners = [
        NO_OWNER if owner == UNASSIGNED else names[owner] for owner in rows.owner[runs].tolist()
    ]
    ids = [
        _id_words(owner, rows.member_id[run], int(rows.id_count[run]))
        for owner, run in zip(owners, runs.tolist(), strict=True)
    ]
    runs_by_row = zip(
        rows.row[runs].tolist(),
        owners,
        ids,
        rows.begin[runs].tolist(),
        rows.end[runs].tolist(),
        strict=True,
    )
    figure.add_bar(
        orientation="h",
        yaxis="y2",
        base=begin,
        x=end - begin,
        y=rows.row[runs],
        width=_THICK,
        offset=-_THICK / 2,
        marker=look | {"line": {"width": 0}},
        text=[
            f"<b>{plain(partitions[row])}</b><br>{plain(owner)}{id_words}"
            f"<br>{clock(begin)}–{clock(end)} {zone(end)}"
            for row, owner, id_words, begin, end in runs_by_row
        ],
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
        name="owner",
    )


def _id_words(name: str, member_id: str, number: int) -> str:
    """Return a line of the tooltip with a member's member id and the number of its earlier member
    ids. Empty if the member's name is the member id and there are no earlier ids.
    """
    if member_id in ("", name) and number == 1:
        return ""
    return f"<br>member id {plain(member_id)}" + (
        f", {count(number - 1, 'earlier id')}" if number > 1 else ""
    )


def _add_numbers(figure: go.Figure, rows: OwnerRows, when: str) -> None:
    places, most = np.arange(rows.tp.size), max(float(rows.lag.max(initial=0)), 1.0)
    # The bar's length is the square root of the lag, because one hot partition would otherwise
    # flatten all other bars.
    share = _BAR * np.sqrt(np.maximum(rows.lag, 0) / most)
    look = {
        "marker": {"color": theme.LAG_SCALE[6], "line": {"width": 0}},
        "width": _THICK,
        "offset": -_THICK / 2,
    }
    figure.add_bar(
        orientation="h",
        xaxis="x2",
        yaxis="y2",
        base=0,
        x=share,
        y=places,
        hoverinfo="skip",
        name="lag now",
        **look,
    )
    add_texts(
        figure,
        places,
        [UNKNOWN if lag == UNKNOWN_LAG else compact(lag) for lag in rows.lag.tolist()],
        rows.change_count,
        _OFTEN,
    )
    for x, text, anchor in ((0, f"lag {when}, √", "left"), (_MOVED, "moved", "right")):
        frame.label(
            figure,
            text,
            x,
            1,
            xref="x2",
            yref="y2 domain",
            xanchor=anchor,
            yanchor="bottom",
            yshift=4,
        )


def add_texts(
    figure: go.Figure,
    places: np.ndarray,
    lags: Sequence[str],
    change_count: np.ndarray,
    often: float = np.inf,
) -> None:
    """Write each partition's lag and number of owner changes next to its row. A number of at least
    `often` has the warning colour.
    """
    moved = [f"{number:,}×" for number in change_count.tolist()]
    tones = [theme.WARN if number >= often else theme.MUTED for number in change_count.tolist()]
    for x, texts, color in ((_LAG, lags, theme.INK), (_MOVED, moved, tones)):
        font = {"size": frame.SMALLEST, "color": color}
        place = {"x": np.full(places.size, x), "y": places, "xaxis": "x2", "yaxis": "y2"}
        figure.add_scatter(
            mode="text",
            text=texts,
            textposition="middle left",
            textfont=font,
            hoverinfo="skip",
            cliponaxis=False,
            **place,
        )


# For partitions without a row: the number of partitions of each topic that each member had. Each
# topic has one row.


UNITS = 2
"""Height of a topic's row, in partition rows."""

_GAP, _TOPIC_THICK, _LETTERS = 0.5, 1.7, 12


def height(topics: TopicRows) -> float:
    """Return the height of the rows of topics. The unit is the height of one row of a partition."""
    return UNITS * topics.topic.size + _GAP if topics.topic.size else 0.0


def topic_labels(topics: TopicRows, topic_names: Sequence[str]) -> list[str]:
    """Return the label of each topic's row: `orders +60` for 60 more partitions. If the last row
    has several topics, its label is `7 topics +212`.
    """
    return [
        f"{elided(_name(topic, number, topic_names), _LETTERS)} +{tps:,}"
        for topic, number, tps in zip(
            topics.topic.tolist(),
            topics.topic_count.tolist(),
            topics.tp_count.tolist(),
            strict=True,
        )
    ]


def add_topics(
    figure: go.Figure,
    topics: TopicRows,
    names: Sequence[str],
    topic_names: Sequence[str],
    first: int,
) -> None:
    """Draw the rows of topics below the rows of partitions, on the same axis. `first`: number of
    rows of partitions. `names`: names of the members that have a colour.
    """
    if not topics.topic.size:
        return
    middle = first - 0.5 + _GAP + UNITS * (np.arange(topics.topic.size) + 0.5)
    texts, axis = topic_labels(topics, topic_names), figure.layout.yaxis2
    axis.update(
        tickvals=[*axis.tickvals, *middle.tolist()],
        ticktext=[*axis.ticktext, *map(plain, texts)],
        range=[first - 0.5 + height(topics), -0.5],
    )
    _add_parts(figure, topics, middle)
    _add_hover(figure, topics, middle, names, topic_names)
    lags = [UNKNOWN if lag == UNKNOWN_LAG else compact(lag) for lag in topics.lag.tolist()]
    add_texts(figure, middle, lags, topics.change_count)


def _add_parts(figure: go.Figure, topics: TopicRows, middle: np.ndarray) -> None:
    share = topics.owned / topics.owned.sum(axis=1, keepdims=True) * _TOPIC_THICK
    top = middle[topics.row][:, None] - _TOPIC_THICK / 2 + np.cumsum(share, axis=1) - share
    looks = [{"color": color} for color in (*theme.MEMBERS[: share.shape[1] - 2], theme.OTHERS)] + [
        {"color": theme.PAPER, "pattern": HATCH}
    ]
    for part, look in enumerate(looks):
        runs = np.flatnonzero(topics.owned[:, part])
        if runs.size:
            place = {
                "base": milliseconds(topics.begin[runs]),
                "x": milliseconds(topics.end[runs] - topics.begin[runs]),
            }
            size = {"y": top[runs, part], "width": share[runs, part], "offset": 0}
            marker = look | {"line": {"width": 0}}
            figure.add_bar(
                orientation="h",
                yaxis="y2",
                marker=marker,
                hoverinfo="skip",
                name="owned",
                **place,
                **size,
            )


def _add_hover(
    figure: go.Figure,
    topics: TopicRows,
    middle: np.ndarray,
    names: Sequence[str],
    topic_names: Sequence[str],
) -> None:
    words = [*map(plain, names), "other members", NO_OWNER]
    figure.add_bar(
        orientation="h",
        yaxis="y2",
        base=milliseconds(topics.begin),
        x=milliseconds(topics.end - topics.begin),
        y=middle[topics.row],
        width=_TOPIC_THICK,
        offset=-_TOPIC_THICK / 2,
        marker={"color": theme.UNSEEN, "line": {"width": 0}},
        text=[_told(topics, run, words, topic_names) for run in range(topics.row.size)],
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
        name="topics",
    )


def _told(topics: TopicRows, run: int, words: Sequence[str], topic_names: Sequence[str]) -> str:
    row = int(topics.row[run])
    head = _name(int(topics.topic[row]), int(topics.topic_count[row]), topic_names)
    parts = [
        f"{word}: {number:,}"
        for word, number in zip(words, topics.owned[run].tolist(), strict=True)
        if number
    ]
    title = (
        f"<b>{plain(labels.cut(head))}</b>, {count(int(topics.tp_count[row]), 'other partition')}"
    )
    return "<br>".join(
        [
            title,
            *parts,
            f"{clock(topics.begin[run])}–{clock(topics.end[run])} {zone(topics.end[run])}",
        ]
    )


def _name(topic: int, number: int, topic_names: Sequence[str]) -> str:
    return count(number, "topic") if topic == OTHER_TOPICS else topic_names[topic]
