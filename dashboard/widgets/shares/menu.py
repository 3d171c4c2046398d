"""Share: copy a link to this view, freeze it, or take it along as a report."""

from collections.abc import Callable

import streamlit as st

from evenkeel.dashboard.widgets.shares import copy_link
from evenkeel.dashboard.widgets.shares.freezing import freeze_dialog
from evenkeel.dashboard.widgets.shares.freezing.freeze_dialog import Offer

_TIMES, _ASKED = "share-menu-closed", "share-asked"


def show(offer: Offer, show_files: Callable[[], None] | None = None) -> None:
    """Draw the menu; `show_files` draws what can be taken along as a file."""
    # A new key is a menu that is closed: it must not lie above the dialog.
    key = f"share-menu-{st.session_state.get(_TIMES, 0)}"
    with st.popover("Share", icon=":material/share:", width="content", key=key, on_change="rerun") as menu:
        if menu.open:
            copy_link.show("This view as it is; who opens it needs access to this Evenkeel.")
            st.button("Freeze and share …", key="freeze", icon=":material/ac_unit:", width="stretch", on_click=_ask)
            if show_files:
                show_files()
    if st.session_state.pop(_ASKED, False):
        freeze_dialog.show(offer)


def show_link(hint: str) -> None:
    """Draw the menu of a page of which nothing can be frozen."""
    with st.popover("Share", icon=":material/share:", width="content", key="share-link"):
        copy_link.show(hint)


def _ask() -> None:
    st.session_state[_ASKED] = True
    st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1
