"""One page for every id that opens nothing: it does not tell which ids ever existed."""

import streamlit as st

from evenkeel.dashboard.widgets.shares import chosen_share
from evenkeel.dashboard.words.names import literal
from evenkeel.data.errors import NoShareError


def show(error: NoShareError) -> None:
    """Draw why nothing opens, and what to do."""
    st.warning(literal(str(error)), icon=":material/link_off:")
    st.caption(
        "The link may be cut or mistyped; the share may have expired, or its author may have deleted it. "
        "Ask who sent it to freeze the view again."
    )
    st.button("Your shares", icon=":material/list:", on_click=chosen_share.close)
