"""The open group of a page; without one, what the page is for and examples that fill it in one click."""

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.view import Opened, View
from evenkeel.dashboard.widgets.opening import opened
from evenkeel.dashboard.widgets.parts import problem
from evenkeel.dashboard.widgets.scope import choices, lag_alone, rebalancing
from evenkeel.data.scenarios.examples.worked_examples import WORKED_EXAMPLES

_FIRST = 4


def require(purpose: str, may_be_empty: bool = False) -> tuple[Opened, View]:
    """Return the open group; without one, or without its members, show what is known, explain and stop.

    `may_be_empty`: a group without members will do.
    """
    group = choices.group()
    if group is None:
        show(purpose)
        st.stop()
    rebalancing.show(group)
    view = loading.view(group)
    if not may_be_empty:
        if not view.names:
            lag_alone.show(view)
        problem.require_members(view)
    problem.require_partitions(view)
    problem.warn_of_unlisted(view)
    return group, view


def show(purpose: str) -> None:
    """Explain the page and offer the first worked examples."""
    with st.container(border=True):
        st.subheader("No group is open", anchor=False)
        st.write(f"{purpose} Paste or upload a listing on the start page, or open a worked example:")
        st.page_link("app_pages/start.py", label="Start page", icon=":material/home:")
        with st.container(horizontal=True):
            for example in WORKED_EXAMPLES[:_FIRST]:
                st.button(
                    example.title, key=f"empty-{example.slug}", on_click=opened.open_example, args=(example.slug,), help=example.sentence
                )
