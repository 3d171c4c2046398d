"""The steps to apply the candidate: settings to copy and the order of restarts, for a chosen client."""

import streamlit as st

from evenkeel.assignors import ASSIGNORS, JAVA
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.loading import assignor_of
from evenkeel.dashboard.view import View
from evenkeel.dashboard.words.names import literal
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.words.clients import STREAMS, clients, language, named, steps

_KEY = "apply"
_STREAM = "stream"
"""Kafka's word for the assignor of a classic group of Kafka Streams."""


def show(view: View, row: Row) -> None:
    """Draw a closed box; nothing for the assignor in use."""
    now = in_use(view.observed)
    if row.name == now or row.assignment is None:
        return
    group_type = STREAMS if view.observed.assignor == _STREAM else view.observed.group_type
    box = st.expander(f"How to apply {literal(row.name)}", icon=":material/settings:", key=_KEY, on_change="rerun")
    with box:
        if box.open:
            look = {"required": True, "persist_state": "session", "label_visibility": "collapsed"}
            known = clients()
            first = view.client if view.client in known else JAVA
            client = st.segmented_control("Client", known, default=first, format_func=named, key="apply-client", **look)
            for place, step in enumerate(steps(client, assignor_of(row.name), ASSIGNORS.get(now), group_type), 1):
                st.markdown(f"{place}. {literal(step.text)}")
                if step.setting:
                    st.code(step.setting, language=language(client), wrap_lines=True)
            st.caption("Every member of the group needs the same setting, whatever client it uses.")
