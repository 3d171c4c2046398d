"""The open group of the Timeline; without one, what the page is for and the groups that the lake has a history of."""

import streamlit as st

from dashboard.loading.history.ranges import Range
from dashboard.loading.history.timelines import last_reading
from dashboard.loading.history.verdicts import followed_clusters, verdicts_of
from dashboard.view import Opened
from dashboard.widgets.opening import by_link, opened
from dashboard.widgets.scope.readings import readings_line
from dashboard.words.formats import compact
from dashboard.words.names import literal
from dashboard.words.times import day_and_clock

_KEY = "history"
_MOST = 200
_COLLECT = "evenkeel collect --cluster production --every 30s"


def require() -> Opened:
    """Return what is open; without a stored group, explain and stop."""
    by_link.follow()
    group = opened.current()
    if group and group.batch and group.group_id is not None:
        return group
    if group and group.batch:
        # A listing without the name of its group: a later one gives it that of its file.
        readings_line.show(group)
        stop_without_any()
    _explain()
    st.stop()


def stop_without(within: Range | None) -> None:
    """Stop; where there is a range, say that it has no snapshot of the open group."""
    if within is None:
        st.stop()
    st.info(f"The lake has no history of this group from {day_and_clock(within.since)} to {day_and_clock(within.until)} UTC.")
    st.stop()


def stop_without_any() -> None:
    """Say that the lake has no snapshot of the open group in time, and stop."""
    st.info("One reading is no history. Add a later one of the same listing, or collect snapshots of the group's cluster:")
    st.code(_COLLECT, language=None)
    _offer()
    st.stop()


def _explain() -> None:
    with st.container(border=True):
        st.subheader("No group with a history is open", anchor=False)
        st.write(
            "Timeline shows who owned what when, how lag grew and fell, and what happened. "
            "It reads the snapshots of `evenkeel collect`, or two and more readings of an upload."
        )
        if not _offer():
            st.code(_COLLECT, language=None)


def _offer() -> bool:
    """Draw the groups of each cluster that is followed, worst first; return whether there are any."""
    clusters = followed_clusters()
    for cluster in clusters:
        rows = verdicts_of(cluster).groups.sort_by([("lag", "descending")]).slice(0, _MOST).to_pylist()
        texts = {row["group_id"]: f"{row['group_id']} · {row['verdict']} · {compact(row['lag'])}" for row in rows}
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            chosen = st.selectbox(
                f"Groups of {literal(cluster)}, most lag first", list(texts), format_func=texts.get, key=f"{_KEY}-{cluster}"
            )
            st.button("Open", key=f"open-history-{cluster}", on_click=_open, args=(cluster,), disabled=chosen is None)
    return bool(clusters)


def _open(cluster: str) -> None:
    opened.open_group(last_reading(cluster, st.session_state[f"{_KEY}-{cluster}"]))
