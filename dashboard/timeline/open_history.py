"""The open group of the Timeline; without one, what the page is for and the groups that the lake
has a history of.
"""

from collections.abc import Mapping
from typing import Any, NoReturn

import streamlit as st

from evenkeel.dashboard.names import literal
from evenkeel.dashboard.scope import readings
from evenkeel.dashboard.shell import address, by_link, opened
from evenkeel.dashboard.shell.loading.readings import Range
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.timeline import moments, time_range
from evenkeel.dashboard.timeline.loading.verdicts import (
    followed_clusters,
    last_batch,
    listed_verdicts,
)
from evenkeel.dashboard.times import between
from evenkeel.dashboard.view import Opened
from evenkeel.data.text.formats import UNKNOWN, compact_sum

_KEY = "history"
_MOST = 200
_COLUMNS = "group_id", "lasting_verdict"
_COLLECT = "evenkeel collect --cluster production --every 30s"


def require() -> Opened:
    """Return what is open; without a stored group, explain and stop."""
    moment = by_link.follow()
    group = opened.current()
    if group and group.batch and group.group_id is not None:
        if moment:
            time_range.end_at(moment, group)
            moments.end_at(moment)
        return group
    if group and group.batch:
        # A listing without the name of its group: a later one gives it that of its file.
        readings.show(group)
        stop_without_any()
    _explain()
    st.stop()


def stop_without(within: Range | None) -> NoReturn:
    """Stop; where there is a range, say that no reading in it names a partition of the open
    group.
    """
    if within is None:
        st.stop()
    st.info(
        f"No reading from {between(within.since, within.until)} names a partition of this group."
    )
    st.stop()


def stop_without_any() -> None:
    """Say that the lake has no snapshot of the open group in time, and stop."""
    st.info(
        "One reading is no history. Add a later one of the same listing, or collect snapshots of the group's cluster:"
    )
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
    """Draw the groups of each cluster that is followed, worst first; return whether there
    are any.
    """
    batches = {cluster: batch for cluster in followed_clusters() if (batch := last_batch(cluster))}
    for cluster, batch in batches.items():
        _choice(cluster, batch)
    return bool(batches)


def _choice(cluster: str, batch: str) -> None:
    rows = imported(batch).groups.table.slice(0, _MOST).to_pylist()
    found = listed_verdicts(cluster)
    verdict = (
        {}
        if found.groups is None
        else dict(zip(*(found.groups[name].to_pylist() for name in _COLUMNS), strict=True))
    )
    texts = {row["group_id"]: _text(row, verdict.get(row["group_id"])) for row in rows}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        label = f"Groups of {literal(cluster)}, most lag first"
        chosen = st.selectbox(label, list(texts), format_func=texts.get, key=f"{_KEY}-{cluster}")
        st.button(
            "Open",
            key=f"open-history-{cluster}",
            on_click=_open,
            args=(cluster, batch),
            disabled=chosen is None,
        )
    if found.groups is None and found.is_behind:
        _wait(cluster)


def _text(row: Mapping[str, Any], verdict: str | None) -> str:
    return f"{row['group_id']} · {verdict or UNKNOWN} · {compact_sum(row['lag'], bool(row['unknown_lag_count']))}"


@st.fragment(run_every=1.0)
def _wait(cluster: str) -> None:
    """Draw the page again when the verdicts are there."""
    if not listed_verdicts(cluster).is_behind:
        address.draw_again()
    st.caption("Verdicts are being made of the last snapshots.")


def _open(cluster: str, batch: str) -> None:
    opened.open_group(Opened(batch=batch, group_id=st.session_state[f"{_KEY}-{cluster}"]))
