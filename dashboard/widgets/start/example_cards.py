"""The worked examples as cards, each with a small picture of its own figures; one click opens it. A card may have variants."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.loading import applications
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import opened
from evenkeel.dashboard.widgets.scope import scope
from evenkeel.dashboard.widgets.start.card_picture import picture
from evenkeel.dashboard.widgets.start.task_picture import task_picture
from evenkeel.data.scenarios.examples.worked_examples import CARDS, STREAMS_EXAMPLES, StreamsExample, WorkedExample


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
    st.html("<span></span>" + "".join(f'<span class="tag">{escape(tag)}</span>' for tag in tags), width="content")
    st.space("stretch")
    return st.button("Open", key=f"open-{slug}", type="tertiary", icon=":material/arrow_forward:", icon_position="right")


def _variant(examples: tuple[WorkedExample, ...]) -> WorkedExample:
    by_name = {example.variant: example for example in examples}
    label, key = f"Variant of {examples[0].title}", f"variant-{examples[0].slug}"
    return by_name[st.selectbox(label, list(by_name), key=key, persist_state="session", label_visibility="collapsed", width=140)]


def _text(example: WorkedExample) -> str:
    return _framed(picture(loading.view(Opened(slug=example.slug)), example), example)


def _framed(shown: str, example: WorkedExample | StreamsExample) -> str:
    return f'{shown}<h3 class="card-title">{escape(example.title)}</h3><p class="card-text">{escape(example.sentence)}</p>'
