"""Fork: open a copy of a share as a new what-if."""

import streamlit as st

from evenkeel.dashboard.shares import menu
from evenkeel.dashboard.shares.loading.opened import (
    OpenApplication,
    OpenShare,
)
from evenkeel.dashboard.shell.navigation import STREAMS, WHAT_IF
from evenkeel.dashboard.whatif import scenario

# A new what-if from a share.


def fork(share: OpenShare) -> None:
    """Open a copy of a share's scenario as a new what-if."""
    _go(scenario.lead_to(share.scenario, "share.json"), share, WHAT_IF.script)


def fork_application(share: OpenApplication) -> None:
    """Open a copy of the scenario in an application's share, on the page Streams."""
    _go(scenario.lead_to_application(share.scenario, "share.json"), share, STREAMS.script)


def fork_words(share: OpenShare | OpenApplication) -> str:
    """Return the effect of a fork in words."""
    plain = "Opens a copy as your own what-if."
    return (
        f"{plain} The copy has stand-ins for names. Its answers may differ, because Kafka's answers"
        " depend on names."
        if share.about.redacted
        else plain
    )


def _go(batch: str, share: OpenShare | OpenApplication, page: str) -> None:
    menu.fork(batch, share.about.share_id)
    st.switch_page(page)
