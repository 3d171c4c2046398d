"""Which round is shown: cards and a slider that set one value, which stands in the address."""

import streamlit as st

from dashboard.tables.streams.round_strip import round_strip
from dashboard.view import ApplicationView, TaskRounds
from dashboard.widgets.parts import address
from dashboard.widgets.steps import strip

_KEY = "round"
_SLIDER = "round-slider"


def choose(view: ApplicationView, found: TaskRounds, interval_seconds: float) -> int:
    """Draw strip and slider; return the number of the round that is shown."""
    last = len(found.rounds) - 1
    numbers = [str(number) for number in range(last + 1)]
    address.follow(_KEY, numbers, "0", "round")
    shown = int(st.session_state[_KEY])
    with st.container(gap=None, key="rounds"):
        strip.show(round_strip(found, view.document.taken_at, interval_seconds), shown, _pick, "round-strip", "Rounds")
        if last:
            st.session_state[_SLIDER] = shown
            st.slider("Round", 0, last, key=_SLIDER, on_change=_slide, label_visibility="collapsed")
    address.show(round=str(shown) if shown else None)
    address.show_refused(_KEY)
    return shown


def _pick(number: int) -> None:
    st.session_state[_KEY] = str(number)
    address.chosen(_KEY)


def _slide() -> None:
    _pick(st.session_state[_SLIDER])
