"""Snapshots of one live group in time: those of this session's watch and those that `evenkeel collect` has stored."""

import streamlit as st

from assignors.comparison import CURRENT
from dashboard import loading
from dashboard.loading import View
from dashboard.widgets import address
from dashboard.widgets.opened import Opened

_KEY, _SINCE = "watched", "since"
_ONLY = "between assignors"


def follow(before: Opened, batch: str) -> None:
    """Remember that a snapshot follows another of the same group."""
    st.session_state.setdefault(_KEY, {})[batch] = before.batch


def before(group: Opened) -> str | None:
    """Return the snapshot that this session read before the one that is open."""
    return st.session_state.get(_KEY, {}).get(group.batch)


def choose(group: Opened, view: View) -> tuple[Opened, View, list[str]]:
    """Draw the choice of an earlier snapshot for a live group; return the group and its view with it, and the two rows to compare, none where only assignors are."""
    cluster = loading.cluster_of(group)
    known = _known(group, cluster) if cluster else {}
    if not known:
        return group, view, []
    address.follow(_SINCE, [_ONLY, *known], _ONLY, "earlier snapshot")
    chosen = st.selectbox(
        "Since",
        [_ONLY, *known],
        format_func=lambda batch: f"since {known[batch]:%Y-%m-%d %H:%M:%S} UTC" if batch in known else batch,
        key=_SINCE,
        persist_state="session",
        on_change=address.chosen,
        args=(_SINCE,),
        label_visibility="collapsed",
        width=260,
        help="Compare the owners now with those of an earlier snapshot of this group.",
    )
    address.show_refused(_SINCE)
    if chosen == _ONLY:
        return group, view, []
    address.show(since=chosen)
    both = group._replace(earlier=chosen)
    seen = loading.view(both)
    return both, seen, [seen.comparison.rows[-1].name, CURRENT]


def _known(group: Opened, cluster: str) -> dict:
    """Return the times of the snapshots before the open one by batch, the latest first."""
    now = loading.snapshot_of(group.batch).taken_at
    found, watched = {}, before(group)
    while watched:
        found[watched] = loading.snapshot_of(watched).taken_at
        watched = before(group._replace(batch=watched))
    found |= {one.batch: one.taken_at for one in loading.collected(cluster)}
    earlier = [batch for batch in found if found[batch] < now]
    return {batch: found[batch] for batch in sorted(earlier, key=found.get, reverse=True)}
