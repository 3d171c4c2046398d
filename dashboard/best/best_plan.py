"""The best plan on other pages: as a remedy on Overview, and as a row of Assignors."""

import time
from typing import NamedTuple, Self

import streamlit as st

from evenkeel.assignors.best.answer import Best
from evenkeel.dashboard.best.loading import SEARCHED, Closing, for_compare
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.best.words import nearness

_DRAWN_SECONDS = 0.5
"""Seconds until a browser has drawn the page. A fragment first runs with the page, then a second
later.
"""


class BestPlan(NamedTuple):
    """The assignment in which the worst member has the least lag. `best` is None during the
    search.
    """

    opened: OpenGroup
    best: Best | None

    @classmethod
    def of(cls, opened: OpenGroup) -> Self | None:
        """Return the plan of a group. None if the group has no plan, or is too large for a page."""
        best = for_compare(opened)
        if best is None:
            return None
        return cls(opened, None if isinstance(best, Closing) else best)

    @property
    def quality(self) -> str:
        """Distance of the plan from the best possible plan, in words.

        During the search: `searched now`.
        """
        if self.best is None:
            return SEARCHED
        # If lags are unknown, the words already name the measure.
        return f"{'' if self.best.unknown else 'worst lag: '}{nearness(self.best)}"

    def wait(self) -> None:
        """Search for the plan after the page is drawn, then draw the page again with the result."""
        if self.best is None:
            _wait(self.opened, time.monotonic())


@st.fragment(run_every=1.0)
def _wait(opened: OpenGroup, since: float) -> None:
    is_drawn = time.monotonic() - since > _DRAWN_SECONDS
    if is_drawn and not isinstance(for_compare(opened, is_drawn=True), Closing):
        address.draw_again()
