"""The steps to apply the candidate: settings to copy and the order of restarts, for a chosen client."""

import streamlit as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.loading import assignor_of
from evenkeel.dashboard.view import View
from evenkeel.dashboard.words.names import literal
from evenkeel.data.scenarios.leaders.assignor_in_use import in_use
from evenkeel.data.words.how_to_apply import CLIENTS, JAVA, KAFKA_PYTHON, LIBRDKAFKA, STREAMS, steps

_KEY = "apply"
_CLIENTS = {"librdkafka": LIBRDKAFKA, "kafka-python": KAFKA_PYTHON}
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
            client = st.segmented_control("Client", CLIENTS, default=_CLIENTS.get(view.client, JAVA), key="apply-client", **look)
            for place, step in enumerate(steps(client, assignor_of(row.name), ASSIGNORS.get(now), group_type), 1):
                st.markdown(f"{place}. {literal(step.text)}")
                if step.setting:
                    st.code(step.setting, language="python" if client == KAFKA_PYTHON else "properties", wrap_lines=True)
            st.caption("Every member of the group needs the same setting, whatever client it uses.")
