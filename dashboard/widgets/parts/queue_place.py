"""Where a page stands in the queue of heavy work, while it waits."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from evenkeel.dashboard.loading.cache import telling
from evenkeel.data.words.formats import ordinal


@contextmanager
def shown() -> Iterator[None]:
    """Draw `waiting: 3rd in the queue` here while what follows waits for its turn."""
    here, told = st.empty(), [0]

    def show(place: int) -> None:
        if place == told[0]:
            return
        told[0] = place
        if place:
            here.html(f'<span class="note" role="status">waiting: {ordinal(place)} in the queue</span>')
        else:
            here.empty()

    with telling(show):
        yield
