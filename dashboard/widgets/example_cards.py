"""The worked examples as cards, each with a small picture of its own figures; one click opens it."""

from html import escape

import streamlit as st

from dashboard import loading
from dashboard.widgets import opened, scope
from dashboard.widgets.card_picture import picture
from dashboard.widgets.opened import Opened
from data.worked_examples import WORKED_EXAMPLES, WorkedExample


def show() -> bool:
    """Draw the cards; return whether one was opened in this run."""
    chosen = None
    grid = st.grid(4, min_column_width=230, border=True, gap="small")
    for example in WORKED_EXAMPLES:
        with grid.cell():
            if _card(example):
                chosen = example
    return chosen is not None


def _card(example: WorkedExample) -> bool:
    view = loading.view(Opened(slug=example.slug))
    st.html(f'{picture(view, example.assignor)}<h3 class="card-title">{escape(example.title)}</h3><p class="card-text">{escape(example.sentence)}</p>')
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html("<span></span>" + "".join(f'<span class="tag">{escape(tag)}</span>' for tag in example.tags), width="content")
        st.space("stretch")
        pressed = st.button("Open", key=f"open-{example.slug}", type="tertiary", icon=":material/arrow_forward:", icon_position="right")
    if pressed:
        opened.open_example(example.slug)
        scope.choose_for(opened.current(), example.assignor)
    return pressed
