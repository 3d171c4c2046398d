"""The worked examples as cards, each with a small picture of its own figures; one click opens it. A
card may have variants.
"""

from collections.abc import Sequence
from html import escape

import numpy as np
import streamlit as st

from evenkeel.assignors.compare.balance import Balance
from evenkeel.dashboard.scope import scope
from evenkeel.dashboard.shell import opened
from evenkeel.dashboard.shell.loading import applications, views
from evenkeel.dashboard.shell.loading.applications import answered
from evenkeel.dashboard.view import ApplicationView, Opened, View
from evenkeel.data.sources.examples.worked_examples import (
    CARDS,
    STREAMS_EXAMPLES,
    StreamsExample,
    WorkedExample,
)
from evenkeel.data.text.formats import count


def show() -> bool:
    """Draw the cards; return whether one was opened in this run."""
    chosen = None
    grid = st.grid(3, min_column_width=230, border=True, gap="small")
    for examples in CARDS:
        with grid.cell():
            chosen = _card(examples) or chosen
    for example in STREAMS_EXAMPLES:
        with grid.cell():
            chosen = _streams_card(example) or chosen
    return chosen is not None


def _card(examples: tuple[WorkedExample, ...]) -> WorkedExample | None:
    first, above = examples[0], st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        example = _variant(examples) if len(examples) > 1 else first
        pressed = _tags_and_button(example.tags, first.slug)
    above.html(_text(example))
    if not pressed:
        return None
    opened.open_example(example.slug)
    scope.choose_for(opened.current(), example.assignor)
    return example


def _streams_card(example: StreamsExample) -> StreamsExample | None:
    st.html(_framed(task_picture(applications.application(Opened(slug=example.slug))), example))
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = _tags_and_button(example.tags, example.slug)
    if pressed:
        opened.open_example(example.slug)
    return example if pressed else None


def _tags_and_button(tags: Sequence[str], slug: str) -> bool:
    st.html(
        "<span></span>" + "".join(f'<span class="tag">{escape(tag)}</span>' for tag in tags),
        width="content",
    )
    st.space("stretch")
    return st.button(
        "Open",
        key=f"open-{slug}",
        type="tertiary",
        icon=":material/arrow_forward:",
        icon_position="right",
    )


def _variant(examples: tuple[WorkedExample, ...]) -> WorkedExample:
    by_name = {example.variant: example for example in examples}
    label, key = f"Variant of {examples[0].title}", f"variant-{examples[0].slug}"
    return by_name[
        st.selectbox(
            label,
            list(by_name),
            key=key,
            persist_state="session",
            label_visibility="collapsed",
            width=140,
        )
    ]


def _text(example: WorkedExample) -> str:
    return _framed(picture(views.view(Opened(slug=example.slug)), example), example)


def _framed(shown: str, example: WorkedExample | StreamsExample) -> str:
    return f'{shown}<h3 class="card-title">{escape(example.title)}</h3><p class="card-text">{escape(example.sentence)}</p>'


# A picture of CSS boxes, 76 pixels high: lag or partitions per member, now and under an assignor;
# many members are only counted.


_MOST_BARS = 12
_MOST_BOXES = 60


def picture(view: View, example: WorkedExample) -> str:
    """Return the HTML of the picture and of the line below it; all figures come from the
    comparison.
    """
    return _boxes(len(view.names)) if len(view.names) > _MOST_BARS else _bars(view, example)


def _boxes(members: int) -> str:
    boxes = min(members, _MOST_BOXES)
    return _drawn("boxes", "<i></i>" * boxes, f"a box is {count(round(members / boxes), 'member')}")


def _bars(view: View, example: WorkedExample) -> str:
    current = view.comparison.rows[0]
    candidate = next(row for row in view.comparison.rows if row.name == example.assignor)
    sides = [row.balance for row in (current, candidate)]
    now, after = (_loads(side, example.by_lag)[view.order] for side in sides)
    high = max(float(now.max(initial=0)), float(after.max(initial=0)), 1.0)
    fair = 100 * float(now.mean()) / high if len(now) else 0
    idle = [side.partition_count[view.order] == 0 for side in sides]
    each = zip(now, after, *idle, strict=True)
    bars = "".join(
        f"<span>{_bar(a, high, 'now', c)}{_bar(b, high, 'after', d)}</span>" for a, b, c, d in each
    )
    line = f'{"lag" if example.by_lag else "partitions"} per member: <b class="now">now</b>, <b class="after">under {example.assignor}</b>'
    return _drawn("", bars, line, f"--fair:{fair:.0f}%")


def _drawn(kind: str, inside: str, line: str, style: str = "") -> str:
    return f'<div class="mini {kind}" aria-hidden="true" style="{style}">{inside}</div><p class="note mini-line">{line}</p>'


def _loads(balance: Balance, by_lag: bool) -> np.ndarray:
    return balance.lag if by_lag else balance.partition_count


def _bar(value: float, high: float, side: str, idle: bool) -> str:
    return (
        f'<i class="{side} idle"></i>'
        if idle
        else f'<i class="{side}" style="height:{100 * value / high:.0f}%"></i>'
    )


# A picture of CSS boxes, 76 pixels high: a column for each instance, a box for each task that it
# runs, keeps or warms up.


_HIGH_AVAILABILITY = "high-availability"
_MOST_COLUMNS = 9
"""Boxes of a column."""


def task_picture(view: ApplicationView) -> str:
    """Return the HTML of the picture and of the line below it: what Kafka's default assignor gives
    each instance now.
    """
    answer = answered(view, _HIGH_AVAILABILITY).found.rounds[0].answer
    stateful = view.snapshot.is_stateful
    count = view.snapshot.process_count
    active, copies, warmup = (
        np.bincount(rows, minlength=count)
        for rows in (answer.active[stateful], answer.standby[:, 0], answer.warmup[:, 0])
    )
    order = sorted(range(count), key=view.processes.__getitem__)
    columns = "".join(
        _column(int(active[each]), int(copies[each] - warmup[each]), int(warmup[each]))
        for each in order
    )
    line = 'tasks per instance: <b class="run">active</b>, <b class="keep">standby</b>, <b class="warm">warm-up</b>'
    return f'<div class="mini tasks" aria-hidden="true">{columns}</div><p class="note mini-line">{line}</p>'


def _column(active: int, standby: int, warmup: int) -> str:
    kinds = [*["run"] * active, *["keep"] * standby]
    boxes = [*kinds[: _MOST_COLUMNS - min(warmup, _MOST_COLUMNS)], *["warm"] * warmup][
        :_MOST_COLUMNS
    ]
    inside = "".join(f'<i class="{kind}"></i>' for kind in boxes)
    return f"<span>{inside}</span>"
