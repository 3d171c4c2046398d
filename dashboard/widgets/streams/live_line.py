"""A live application: whether Kafka agrees, what cannot be seen, and the reading that follows."""

from datetime import datetime

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.loading.clusters import replayed_application
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import opened
from evenkeel.dashboard.widgets.parts import next_reading, watch
from evenkeel.dashboard.widgets.streams import measured_since
from evenkeel.dashboard.words.names import literal
from evenkeel.data.words.formats import count

_WATCH = "watch"


def show_problems(group: Opened) -> None:
    """Say what cannot be seen of a live application."""
    for text in loading.snapshot_of(group.batch).problems if loading.cluster_of(group) else ():
        st.warning(literal(f"Cannot be seen: {text}"))


def show(group: Opened, taken_at: datetime | None) -> None:
    """Draw what stands in the line; nothing for what no cluster has given, no reading that follows where it cannot be read."""
    cluster = loading.cluster_of(group)
    if cluster is None:
        return
    if not loading.can_be_read(cluster):
        _show_replay(group)
        return
    watch.seconds(_WATCH)
    every = watch.show(_WATCH)
    _show_replay(group)
    st.fragment(_look, run_every=every)(cluster, group, every, taken_at)


def _look(cluster: str, group: Opened, every: float | None, taken_at: datetime | None) -> None:
    """Read again on request, or when the reading is as old as the interval; while the cluster is silent, the old one stays."""
    pressed = st.button("Read again", icon=":material/refresh:", key="read-again")
    batch = next_reading.read(cluster, group.group_id) if pressed or next_reading.is_due(taken_at, every) else None
    if batch is None:
        return
    measured_since.follow(group, batch)
    opened.open_group(opened.current()._replace(batch=batch))
    st.rerun()


def _show_replay(group: Opened) -> None:
    replay = replayed_application(group)
    if replay is None:
        return
    if replay.agrees:
        agrees = "Evenkeel's assignor, given what the threads sent when they last joined, gives exactly the tasks that they have."
        st.badge("Kafka agrees", icon=":material/verified:", color="green", help=agrees)
        return
    reasons = "\n".join(f"* {literal(reason)}" for reason in replay.reasons)
    words = f"{count(len(replay.found), 'thread')} differ from the replay"
    st.badge(words, icon=":material/difference:", color="orange", help=f"Likely:\n{reasons}")
