"""A strip of cards joined by arrows: steps, rounds; a click on a card or an arrow key
selects one.
"""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from evenkeel.dashboard.steps.strips import Strip

_HERE = Path(__file__).parent
_FILES = {kind: (_HERE / f"strip.{kind}").read_text() for kind in ("html", "css", "js")}
_strip = st.components.v2.component("evenkeel.strip", **_FILES)


def show(
    strip: Strip,
    selected: int,
    pick: Callable[[int], None],
    key: str = "step-strip",
    label: str = "Steps",
) -> int:
    """Draw the strip and return which card is selected: the last one if there are fewer.

    `pick` gets the number of the card that is chosen.
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
