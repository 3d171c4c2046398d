"""The line with the readings of a Streams application, and the field for a restore rate.

A reading does not contain the restore rate.
"""

from datetime import datetime

import streamlit as st

from evenkeel.dashboard.names import literal
from evenkeel.dashboard.shell import address, opened, watch
from evenkeel.dashboard.shell.choice import Number
from evenkeel.dashboard.shell.loading.applications import application, is_application
from evenkeel.dashboard.shell.loading.clusters import (
    can_be_read,
    cluster_of,
    replayed_application,
    snapshot_of,
)
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import count

_WATCH = "watch"


def show_problems(group: OpenGroup) -> None:
    """Draw a warning for each part of a live application that cannot be read."""
    for text in snapshot_of(group.batch).problems if cluster_of(group) else ():
        st.warning(literal(f"Cannot be seen: {text}"))


def show(group: OpenGroup, taken_at: datetime | None) -> None:
    """Draw the line of readings, if the application was read from a cluster.

    The button for the next reading is drawn only if the cluster can be read.
    """
    cluster = cluster_of(group)
    if cluster is None:
        return
    if not can_be_read(cluster):
        _show_replay(group)
        return
    watch.seconds(_WATCH)
    every = watch.show(_WATCH)
    _show_replay(group)
    st.fragment(opened.reads_again, run_every=every)(cluster, group, taken_at, every, follow)


def _show_replay(group: OpenGroup) -> None:
    replay = replayed_application(group)
    if replay is None:
        return
    if replay.agrees:
        agrees = (
            "From the data that the threads sent when they joined last, Evenkeel's assignor"
            " computes exactly their present tasks."
        )
        st.badge("Kafka agrees", icon=":material/verified:", color="green", help=agrees)
        return
    reasons = "\n".join(f"* {literal(reason)}" for reason in replay.reasons)
    words = f"{count(len(replay.sent_roles), 'thread')} differ from the replay"
    st.badge(words, icon=":material/difference:", color="orange", help=f"Likely:\n{reasons}")


# The reading before the open reading. Restore rates are measured between these two readings. The
# address has the previous reading.


_BEFORE, _LINK = "streams-before", "since"


def follow(before: OpenGroup, batch: str) -> None:
    """Remember that the reading `batch` came after the reading `before` of the same application."""
    st.session_state[_BEFORE] = st.session_state.get(_BEFORE, {}) | {batch: before.batch}


def with_earlier(group: OpenGroup) -> OpenGroup:
    """Return the application with its previous reading, from the address or from this session.

    If the previous reading was deleted, say so, and return the application alone.
    """
    linked = address.take(_LINK)
    if linked is not None and group.batch:
        follow(group._replace(batch=linked), group.batch)
    earlier = st.session_state.get(_BEFORE, {}).get(group.batch)
    if earlier and not _is_there(group._replace(batch=earlier)):
        st.session_state[_BEFORE].pop(group.batch)
        address.refuse(_LINK, "The previous reading was deleted, so rates cannot be measured.")
        earlier = None
    address.show(since=earlier)
    address.show_refused(_LINK)
    return group._replace(earlier=earlier)


def _is_there(group: OpenGroup) -> bool:
    try:
        return is_application(group)
    except SnapshotError:
        return False


# The restore rate of instances if the input has no rate. Without a rate no time is known.


_RATE = Number("streams-rate", "the restore rate", 10**9, 1, "rate")
_HELP = (
    "Records per second that one instance reads from changelogs while it restores state. You can"
    " measure it with the restore-rate metrics of Kafka Streams, or by how fast a warm-up's lag"
    " falls between two readings."
)


def with_rate(opened: OpenGroup) -> OpenGroup:
    """Return the application with the restore rate in the address.

    The rate is read before the page draws anything.
    """
    rate = _RATE.follow()
    return opened._replace(restore_rate=float(rate)) if rate and is_missing(opened) else opened


def is_missing(opened: OpenGroup) -> bool:
    """Return whether an instance has no restore rate in the input."""
    document = application(opened._replace(restore_rate=None)).document
    return any(
        process.process_id not in (document.restore_rates or {})
        for process in document.processes or ()
    )


def show_rate(opened: OpenGroup) -> None:
    """Draw the field for a restore rate, if the input does not have all rates."""
    if not is_missing(opened):
        return
    st.html(
        '<span class="note">Restore rates are unknown. Assume for each instance, records/s:</span>',
        width="content",
    )
    _RATE.show("Restore rate, records/s", step=1_000, placeholder="unknown", help=_HELP, width=150)
