"""The right size: the best value for each number of members, what is asked for, and one sentence."""

from html import escape

import streamlit as st

from evenkeel.assignors.best import NEVER, Best, RightSize
from evenkeel.dashboard import loading
from evenkeel.dashboard.charts.right_size import Size, Sizes, finding, right_size
from evenkeel.dashboard.loading.best import Closing, Found
from evenkeel.dashboard.view import Asked, View
from evenkeel.dashboard.widgets.parts import plot
from evenkeel.dashboard.words.best import size_sentence
from evenkeel.data.words.best import value_text


def show(view: View, asked: Asked, found: Best, answer: Found | Closing) -> None:
    """Draw the figure, or how far its search is."""
    if isinstance(answer, Closing) or answer.result is None:
        st.caption(answer.error if isinstance(answer, Found) else "Searching for the right size …")
        return
    sizes = answer.result
    shown = _shown(view, asked, found, sizes)
    drawn = loading.figure(view, [asked.objective, str(asked), str(found.value)], right_size, shown)
    plot.show(drawn, "right-size", finding(shown))


def show_sentence(view: View, asked: Asked, answer: Found | Closing) -> None:
    """Draw how many members suffice."""
    if isinstance(answer, Closing) or answer.result is None:
        return
    sizes = answer.result
    floor = value_text(asked.objective, float(sizes.floor))
    lead, rest = size_sentence(asked.objective, sizes.useful, sizes.within, asked.within, floor, len(view.names))
    st.html(f'<p class="verdict"><b>{escape(lead)}</b>{escape(rest)}</p>')


def _shown(view: View, asked: Asked, found: Best, sizes: RightSize) -> Sizes:
    members = len(view.names)
    now = found.current_value
    floor = f"floor {value_text(asked.objective, float(sizes.floor))}: the largest partition alone" if sizes.floor != NEVER else ""
    return Sizes(
        asked.objective,
        [Size(one.members, float(one.value), float(one.bound)) for one in sizes.points],
        asked.within,
        None if now is None else (members, float(now)),
        (members, float(found.value)),
        floor,
    )
