"""The worked examples as cards, each with a small picture of its own figures; one click opens it. A card may have variants."""

from html import escape

import streamlit as st

from dashboard import loading
from dashboard.view import Opened
from dashboard.widgets.opening import opened
from dashboard.widgets.scope import scope
from dashboard.widgets.start.card_picture import picture
from data.scenarios.worked_examples import CARDS, WorkedExample


def show() -> bool:
    """Draw the cards; return whether one was opened in this run."""
    chosen = None
    grid = st.grid(3, min_column_width=230, border=True, gap="small")
    for examples in CARDS:
        with grid.cell():
            chosen = _card(examples) or chosen
    return chosen is not None


def _card(examples: tuple[WorkedExample, ...]) -> WorkedExample | None:
    first, above = examples[0], st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        example = _variant(examples) if len(examples) > 1 else first
        st.html("<span></span>" + "".join(f'<span class="tag">{escape(tag)}</span>' for tag in example.tags), width="content")
        st.space("stretch")
        pressed = st.button("Open", key=f"open-{first.slug}", type="tertiary", icon=":material/arrow_forward:", icon_position="right")
    above.html(_text(example))
    if not pressed:
        return None
    opened.open_example(example.slug)
    scope.choose_for(opened.current(), example.assignor)
    return example


def _variant(examples: tuple[WorkedExample, ...]) -> WorkedExample:
    by_name = {example.variant: example for example in examples}
    label, key = f"Variant of {examples[0].title}", f"variant-{examples[0].slug}"
    return by_name[st.selectbox(label, list(by_name), key=key, persist_state="session", label_visibility="collapsed", width=140)]


def _text(example: WorkedExample) -> str:
    shown = picture(loading.view(Opened(slug=example.slug)), example)
    return f'{shown}<h3 class="card-title">{escape(example.title)}</h3><p class="card-text">{escape(example.sentence)}</p>'
