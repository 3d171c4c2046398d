"""Share: copy a link to this view, freeze it, or take it along as a report."""

from collections.abc import Sequence

import streamlit as st

from dashboard.view import Opened
from dashboard.widgets.shares import copy_link, freeze_dialog, report_files
from data.scenarios.scenario.scenario import Step

_TIMES, _ASKED = "share-menu-closed", "share-asked"


def show(group: Opened, steps: Sequence[Step], step: int, candidate: str) -> None:
    """Draw the menu; `steps`: none on a page without them, `step`: the one that is shown."""
    # A new key is a menu that is closed: it must not lie above the dialog.
    key = f"share-menu-{st.session_state.get(_TIMES, 0)}"
    with st.popover("Share", icon=":material/share:", width="content", key=key, on_change="rerun") as menu:
        if menu.open:
            copy_link.show("This view as it is; who opens it needs access to this Evenkeel.")
            st.button("Freeze and share …", key="freeze", icon=":material/ac_unit:", width="stretch", on_click=_ask)
            report_files.show(group, steps, step, candidate)
    if st.session_state.pop(_ASKED, False):
        freeze_dialog.show(group, steps, step, candidate)


def _ask() -> None:
    st.session_state[_ASKED] = True
    st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1
