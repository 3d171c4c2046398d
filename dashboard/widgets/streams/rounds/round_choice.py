"""Which round is shown: cards and a slider that set one value, which stands in the address."""

import streamlit as st

from evenkeel.dashboard.tables.strips import round_strip
from evenkeel.dashboard.view import ApplicationView, TaskRounds
from evenkeel.dashboard.widgets.parts import address
from evenkeel.dashboard.widgets.steps import strip

_KEY, _SLIDER = "round", "round-slider"
_MOST_ROUNDS = 9_999


def choose(view: ApplicationView, found: TaskRounds, interval_seconds: float) -> int:
    """Draw strip and slider; return the round that is shown: the last one if there are fewer."""
    of = (view.opened.lasting, view.digest)
    linked, last = address.take(_KEY), len(found.rounds) - 1
    asked = address.whole(linked, _MOST_ROUNDS)
    if linked is not None and asked is None:
        address.refuse(_KEY, f"The address asks for the round “{linked[:20]}”, expected a number.")
    elif linked is not None or address.is_followed():
        st.session_state[_KEY] = of, asked or 0
    of_number, number = st.session_state.get(_KEY, (of, 0))
    number = number if of_number == of else 0
    shown = min(number, last)
    with st.container(gap=None, key="rounds"):
        strip.show(round_strip(found, view.document.taken_at, interval_seconds), shown, lambda at: _pick(of, at), "round-strip", "Rounds")
        if last:
            st.session_state[_SLIDER] = shown
            st.slider("Round", 0, last, key=_SLIDER, on_change=_slide, args=(of,), label_visibility="collapsed")
    # Rounds that are still computed keep their place in the address.
    address.show(round=str(shown if found.is_whole else number) if number else None)
    address.show_refused(_KEY)
    return shown


def _pick(of: tuple, number: int) -> None:
    st.session_state[_KEY] = of, number
    address.chosen(_KEY)


def _slide(of: tuple) -> None:
    _pick(of, st.session_state[_SLIDER])
