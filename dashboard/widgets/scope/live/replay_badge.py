"""Whether Kafka agrees: the replay of what the members of a live group sent."""

import streamlit as st

from evenkeel.assignors import JAVA
from evenkeel.dashboard import loading
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.words.names import literal
from evenkeel.data.words.clients import named
from evenkeel.data.words.formats import count


def show(group: Opened) -> None:
    """Say whether our assignor, given what the members sent, answers what the group has."""
    replay = loading.replayed(group)
    if replay is None:
        return
    if replay.agrees:
        st.badge(
            f"{'Kafka' if replay.client == JAVA else replay.client} agrees",
            icon=":material/verified:",
            color="green",
            help=f"Evenkeel's assignor, as {named(replay.client)} has it, given what the members sent when they last joined, gives exactly "
            "the group's assignment.",
        )
        return
    reasons = "\n".join(f"* {literal(reason)}" for reason in replay.reasons)
    st.badge(
        f"{count(len(replay.moves.lag), 'partition')} differ from the replay",
        icon=":material/difference:",
        color="orange",
        help=f"Likely:\n{reasons}",
    )
