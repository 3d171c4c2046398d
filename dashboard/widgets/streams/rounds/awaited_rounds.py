"""Rounds that are still computed: the page is drawn again when they are there."""

from collections.abc import Mapping, Sequence

import streamlit as st

from evenkeel.dashboard.loading.applications import answered
from evenkeel.dashboard.view import ApplicationView


def show(views: Mapping[str, ApplicationView]) -> None:
    """Look until the rounds of these assignors are there; draw nothing where none is missing."""
    if _waiting(views):
        _look(views, _waiting(views))


@st.fragment(run_every=0.7)
def _look(views: Mapping[str, ApplicationView], names: Sequence[str]) -> None:
    if _waiting(views) != names:
        st.rerun()
    st.html(f'<span class="note">Rounds still computed: {", ".join(names)}</span>')


def _waiting(views: Mapping[str, ApplicationView]) -> list[str]:
    found = {name: answered(view, name, 0.0).found for name, view in views.items()}
    return [name for name in views if found[name] and not found[name].is_whole]
