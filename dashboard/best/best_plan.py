"""The best plan on other pages: as a remedy on Overview, as a row of Assignors."""

import time
from typing import NamedTuple, Self

import streamlit as st

from evenkeel.assignors.best.answer import Best
from evenkeel.dashboard.best.loading import SEARCHED, Closing, for_compare
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.view import Opened
from evenkeel.data.best.words import nearness

_DRAWN_SECONDS = 0.5
"""After which a browser has drawn the page: the first turn of a fragment comes with the page, the
next one a second later.
"""


class BestPlan(NamedTuple):
    """The assignment with the least lag of the worst member; `best` is None during the search."""

    opened: Opened
    best: Best | None

    @classmethod
    def of(cls, opened: Opened) -> Self | None:
        """Return the plan of a group; None if it has no plan, or is too large for a page."""
        best = for_compare(opened)
        if best is None:
            return None
        return cls(opened, None if isinstance(best, Closing) else best)

    @property
    def quality(self) -> str:
        """What the plan is best at and its distance from the best possible, or that the search
        runs.
        """
        if self.best is None:
            return SEARCHED
        # Of unknown lags it names the measure itself.
        return f"{'' if self.best.unknown else 'worst lag: '}{nearness(self.best)}"

    def wait(self) -> None:
        """Search the plan after the page is drawn, then draw the page again with the result."""
        if self.best is None:
            _wait(self.opened, time.monotonic())


@st.fragment(run_every=1.0)
def _wait(opened: Opened, since: float) -> None:
    is_drawn = time.monotonic() - since > _DRAWN_SECONDS
    if is_drawn and not isinstance(for_compare(opened, is_drawn=True), Closing):
        address.draw_again()
