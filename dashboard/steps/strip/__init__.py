"""A strip of cards joined by arrows, for steps or rounds. A click on a card or an arrow key selects
a card.
"""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from evenkeel.dashboard.shell.component import component
from evenkeel.dashboard.steps.strips import Strip

_strip = component("strip", Path(__file__).with_name("strip.html"))


def show(
    strip: Strip,
    selected: int,
    pick: Callable[[int], None],
    key: str = "step-strip",
    label: str = "Steps",
) -> int:
    """Draw the strip and return the number of the selected card. If there is no such card, the last
    card is selected.

    `pick` is called with a card's number when the reader selects it.
    """
    shown = max(min(selected, len(strip.cards) - 1), 0)
    _strip(
        key=key,
        data={
            "label": label,
            "cards": [card._asdict() for card in strip.cards],
            "arrows": [arrow._asdict() for arrow in strip.arrows],
            "selected": shown,
        },
        on_picked_change=lambda: pick(int(st.session_state[key].picked)),
    )
    return shown
