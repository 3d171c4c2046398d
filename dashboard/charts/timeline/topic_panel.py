"""How many partitions of each topic each member had: one row a topic, for partitions without a row of their own."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.history.pictures import OTHER_TOPICS, TopicRows
from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.parts import axis_names, frame
from evenkeel.dashboard.charts.timeline.owner_panel import HATCH, add_texts
from evenkeel.dashboard.charts.timeline.time_axis import milliseconds
from evenkeel.dashboard.words.names import NO_OWNER
from evenkeel.dashboard.words.times import clock, zone
from evenkeel.data.words.formats import UNKNOWN, compact, count
from evenkeel.data.words.names import elided

UNITS = 2
"""Rows of a partition that a topic takes."""

_GAP, _THICK, _LETTERS = 0.5, 1.7, 12


def height(topics: TopicRows) -> float:
    """Return the rows of a partition that all topics take."""
    return UNITS * topics.topic.size + _GAP if topics.topic.size else 0.0


def labels(topics: TopicRows, topic_names: Sequence[str]) -> list[str]:
    """Return `orders +60` for each row, `7 topics +212` for the last of many."""
    return [
        f"{elided(_name(topic, number, topic_names), _LETTERS)} +{tps:,}"
        for topic, number, tps in zip(topics.topic.tolist(), topics.topic_count.tolist(), topics.tp_count.tolist(), strict=True)
    ]


def add_topics(figure: go.Figure, topics: TopicRows, names: Sequence[str], topic_names: Sequence[str], first: int) -> None:
    """Draw the rows below `first` rows of partitions, on their axis; `names`: of the members that have a colour."""
    if not topics.topic.size:
        return
    middle = first - 0.5 + _GAP + UNITS * (np.arange(topics.topic.size) + 0.5)
    texts, axis = labels(topics, topic_names), figure.layout.yaxis2
    axis.update(
        tickvals=[*axis.tickvals, *middle.tolist()],
        ticktext=[*axis.ticktext, *map(frame.plain, texts)],
        range=[first - 0.5 + height(topics), -0.5],
    )
    _add_parts(figure, topics, middle)
    _add_hover(figure, topics, middle, names, topic_names)
    lags = [UNKNOWN if lag == UNKNOWN_LAG else compact(lag) for lag in topics.lag.tolist()]
    add_texts(figure, middle, lags, topics.change_count)


def _add_parts(figure: go.Figure, topics: TopicRows, middle: np.ndarray) -> None:
    share = topics.owned / topics.owned.sum(axis=1, keepdims=True) * _THICK
    top = middle[topics.row][:, None] - _THICK / 2 + np.cumsum(share, axis=1) - share
    looks = [{"color": color} for color in (*theme.MEMBERS[: share.shape[1] - 2], theme.OTHERS)] + [
        {"color": theme.PAPER, "pattern": HATCH}
    ]
    for part, look in enumerate(looks):
        runs = np.flatnonzero(topics.owned[:, part])
        if runs.size:
            place = {"base": milliseconds(topics.begin[runs]), "x": milliseconds(topics.end[runs] - topics.begin[runs])}
            size = {"y": top[runs, part], "width": share[runs, part], "offset": 0}
            marker = look | {"line": {"width": 0}}
            figure.add_bar(orientation="h", yaxis="y2", marker=marker, hoverinfo="skip", name="owned", **place, **size)


def _add_hover(figure: go.Figure, topics: TopicRows, middle: np.ndarray, names: Sequence[str], topic_names: Sequence[str]) -> None:
    words = [*map(frame.plain, names), "other members", NO_OWNER]
    figure.add_bar(
        orientation="h",
        yaxis="y2",
        base=milliseconds(topics.begin),
        x=milliseconds(topics.end - topics.begin),
        y=middle[topics.row],
        width=_THICK,
        offset=-_THICK / 2,
        marker={"color": theme.UNSEEN, "line": {"width": 0}},
        text=[_told(topics, run, words, topic_names) for run in range(topics.row.size)],
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
        name="topics",
    )


def _told(topics: TopicRows, run: int, words: Sequence[str], topic_names: Sequence[str]) -> str:
    row = int(topics.row[run])
    head = _name(int(topics.topic[row]), int(topics.topic_count[row]), topic_names)
    parts = [f"{word}: {number:,}" for word, number in zip(words, topics.owned[run].tolist(), strict=True) if number]
    title = f"<b>{frame.plain(axis_names.cut(head))}</b>, {count(int(topics.tp_count[row]), 'other partition')}"
    return "<br>".join([title, *parts, f"{clock(topics.begin[run])}–{clock(topics.end[run])} {zone(topics.end[run])}"])


def _name(topic: int, number: int, topic_names: Sequence[str]) -> str:
    return count(number, "topic") if topic == OTHER_TOPICS else topic_names[topic]
