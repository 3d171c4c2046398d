"""An open Kafka Streams application on a page of consumer groups: its name, and the way to the page that shows it."""

import streamlit as st

from evenkeel.dashboard.loading import applications
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import page_of
from evenkeel.dashboard.words.names import literal


def require_no_application(group: Opened | None) -> None:
    """Stop where an application is open: its members take tasks, not partitions, from a task assignor."""
    if group and applications.is_application(group):
        name = applications.application(group).document.application_id or "This group"
        with st.container(border=True):
            st.subheader(f"{literal(name)} is a Kafka Streams application", anchor=False)
            st.write("Its instances get tasks from a task assignor. Streams shows them; this page shows consumer groups.")
            st.page_link(page_of.STREAMS, label="Streams", icon=":material/account_tree:")
        st.stop()
