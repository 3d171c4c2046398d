"""Successive assignments: from the current one, by way of others, to the candidate, and which step of them is shown."""

from collections.abc import Sequence

import streamlit as st

from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.dashboard.widgets.parts import address, no_answer

Step = tuple[str, str]

_KEY = "via"
_STEP = "step"


def choose(rows: Sequence[Row], candidate: str) -> list[str]:
    """Draw the select box of stops and return the chain: current, the stops in the order chosen, the candidate."""
    others = [row.name for row in rows[1:] if row.name != candidate and not row.error]
    _choose_linked(others)
    stops = st.multiselect(
        "By way of",
        others,
        key=_KEY,
        placeholder="By way of …",
        label_visibility="collapsed",
        width=260,
        persist_state="session",
        on_change=address.chosen,
        args=(_KEY,),
    )
    address.show(via=",".join(stops) or None)
    address.show_refused(_KEY)
    for row in rows:
        if row.name in stops:
            no_answer.require(row)
    return [CURRENT, *stops, candidate]


def _choose_linked(others: Sequence[str]) -> None:
    linked = address.take("via")
    if linked is None:
        if address.is_followed():
            st.session_state[_KEY] = []
        return
    named = dict.fromkeys(linked.split(","))
    st.session_state[_KEY] = [name for name in named if name in others]
    unknown = [name for name in named if name not in others]
    if unknown:
        address.refuse(_KEY, f"The address goes by way of “{', '.join(unknown)[:80]}”; available: {', '.join(others)}.")


def choose_step(chain: Sequence[str]) -> Step:
    """Return which difference the page shows; a chain of several steps asks, the total first."""
    steps = [(chain[0], chain[-1]), *zip(chain, chain[1:], strict=False)] if len(chain) > 2 else [(chain[0], chain[1])]
    places = [str(place) for place in range(len(steps))]
    address.follow(_STEP, places, places[0], "step")
    address.show_refused(_STEP)
    if len(steps) == 1:
        return steps[0]
    names = [f"{before} → {after}" + (" (total)" if place == 0 else "") for place, (before, after) in enumerate(steps)]
    chosen = st.segmented_control(
        "Difference shown",
        places,
        format_func=lambda place: names[int(place)],
        required=True,
        default=st.session_state[_STEP],
        key=_STEP,
        persist_state="session",
        label_visibility="collapsed",
    )
    address.show(step=None if chosen == places[0] else chosen)
    return steps[int(chosen or 0)]
