"""Rounds that are still computed: the page is drawn again when they are there."""

from collections.abc import Sequence

import streamlit as st

from dashboard.loading.streams.probing import answered
from dashboard.view import ApplicationView


def show(view: ApplicationView, names: Sequence[str]) -> None:
    """Look until the rounds of these assignors are there; draw nothing where none is missing."""
    waiting = _waiting(view, names)
    if waiting:
        _look(view, waiting)


@st.fragment(run_every=0.7)
def _look(view: ApplicationView, names: Sequence[str]) -> None:
    if _waiting(view, names) != names:
        st.rerun()
    st.html(f'<span class="note">Rounds still computed: {", ".join(names)}</span>')


def _waiting(view: ApplicationView, names: Sequence[str]) -> list[str]:
    found = {name: answered(view, name, 0.0).found for name in names}
    return [name for name in names if found[name] and not found[name].is_whole]
