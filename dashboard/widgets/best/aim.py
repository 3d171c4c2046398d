"""What the best assignment is asked for: the objective in words and the limits. The address holds them."""

from html import escape

import streamlit as st

from evenkeel.assignors.best import Rates
from evenkeel.dashboard.loading.best import objectives
from evenkeel.dashboard.view import Asked, View
from evenkeel.dashboard.widgets.parts import address, linked_choice, linked_number
from evenkeel.dashboard.words.best import AIMS, HELP
from evenkeel.data.words.best import UNITS

_AIM, _MOVES, _MOST, _RACKS = "aim", "at-most", "per-member", "racks"
_LARGEST = 10**6
_GROUP = "best-group"
_WITHIN = "within"


def show(view: View, rates: Rates | None) -> Asked:
    """Draw the line and return what is chosen; objectives without the rates that they need are absent, and one sentence says why."""
    possible = objectives(rates)
    _forget_other_group(view)
    address.follow(_AIM, list(AIMS), possible[0], "aim")
    if st.session_state[_AIM] not in possible:
        address.refuse(
            _AIM, f"The aim “{AIMS[st.session_state[_AIM]]}” needs the rates of a history; this group has none. Shown: {AIMS['lag']}."
        )
        st.session_state[_AIM] = possible[0]
    for key in (_MOVES, _MOST, _WITHIN):
        linked_number.follow(key, key, _LARGEST)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="best-aim"):
        st.html('<span class="note">Aim</span>', width="content")
        objective = linked_choice.show("Aim", {aim: words for aim, words in AIMS.items() if aim in possible}, _AIM, help=HELP)
        st.html('<span class="note">at most</span>', width="content")
        moves = _number("Moves at most", _MOVES)
        st.html('<span class="note">moves,</span>', width="content")
        most = _number("Partitions of a member at most", _MOST)
        st.html('<span class="note">partitions a member</span>', width="content")
        keeps_racks = _racks(view)
        st.space("stretch")
        unit = "minutes" if objective == "drain" else UNITS[objective]
        st.html(f'<span class="note">needed within, {unit}</span>', width="content")
        within = _number("The worst member within", _WITHIN)
    address.show(
        aim=None if objective == possible[0] else objective,
        **{_MOVES: _text(moves), _MOST: _text(most), _RACKS: "keep" if keeps_racks else None, _WITHIN: _text(within)},
    )
    for key in (_AIM, _MOVES, _MOST, _WITHIN):
        address.show_refused(key)
    if len(possible) == 1:
        _note("Even rate and drained soonest need a history: two readings of the group, or evenkeel collect.")
    elif rates is not None and rates.assumed:
        _note(f"Capacity assumed for {len(rates.assumed)} of {len(view.names)} members: the median of the others.")
    return Asked(objective, moves, most, keeps_racks, _needed(objective, within))


def _note(text: str) -> None:
    st.html(f'<span class="note">{escape(text)}</span>')


def _forget_other_group(view: View) -> None:
    """Limits belong to a group: another one begins without any."""
    if st.session_state.get(_GROUP) not in (None, view.opened.lasting):
        for key in (_AIM, _MOVES, _MOST, _RACKS, _WITHIN):
            st.session_state.pop(key, None)
    st.session_state[_GROUP] = view.opened.lasting


def _number(label: str, key: str) -> int | None:
    return linked_number.show(label, key, _LARGEST, step=1, placeholder="any", width=110)


def _racks(view: View) -> bool:
    linked = address.take(_RACKS)
    if linked is not None or address.is_followed():
        st.session_state[_RACKS] = linked == "keep"
    st.session_state.setdefault(_RACKS, False)
    has_racks = bool(view.observed.snapshot.rack_name)
    why = "Members read only partitions with a replica in their rack, where there is one." if has_racks else "The listing names no racks."
    return st.checkbox("keep racks", st.session_state[_RACKS], key=_RACKS, disabled=not has_racks, help=why, persist_state="session")


def _needed(objective: str, within: int | None) -> float | None:
    return None if within is None else float(60 * within if objective == "drain" else within)


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)
