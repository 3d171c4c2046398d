"""Start page, for a server without an open group: the command, the box, and other sources of
groups.
"""

import streamlit as st

from evenkeel.dashboard.opening import box, dialog, intake
from evenkeel.dashboard.scope import choose_cluster


def show() -> None:
    """Draw the start page."""
    with st.container(key="start"):
        st.html('<h1 class="question">What is wrong in your consumer groups?</h1>')
        st.html('<p class="step"><i>1</i> Run</p>')
        intake.show_command()
        st.html('<p class="step"><i>2</i> Paste</p>')
        box.show(st.rerun)
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.space("stretch")
            with st.popover("Connect a cluster", type="tertiary", key="how-to-connect"):
                st.markdown(choose_cluster.HOW)
            if st.button("Try an example", type="tertiary", key="try-example"):
                dialog.show(has_box=False)
        box.show_stored()
        intake.show_reach()
