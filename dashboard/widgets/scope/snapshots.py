"""Snapshots of one group in time.

Of a live group: those of this session's watch and of `evenkeel collect`. Of others: the uploads of this session and the batches of
`evenkeel ingest`.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

import streamlit as st

from assignors.figures.comparison import CURRENT
from dashboard import loading
from dashboard.view import Opened, View
from dashboard.widgets.opening import importing
from dashboard.widgets.parts import address

_KEY, _SINCE = "watched", "since"
_ONLY = "between assignors"


def follow(before: Opened, batch: str) -> None:
    """Remember that a snapshot follows another of the same group."""
    st.session_state.setdefault(_KEY, {})[batch] = before.batch


def before(group: Opened) -> str | None:
    """Return the snapshot that this session read before the one that is open."""
    return st.session_state.get(_KEY, {}).get(group.batch)


def choose(group: Opened, view: View) -> tuple[Opened, View, list[str]]:
    """Draw the choice of an earlier snapshot; return the group and its view with it, and the two rows to compare, where one is chosen."""
    cluster = loading.cluster_of(group)
    known = _earlier(_watched(group, cluster) if cluster else _read(group), group.batch) if group.batch else {}
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
    if seen.comparison.rows[-1].assignment is None:
        st.warning(f"The owners at {known[chosen]:%Y-%m-%d %H:%M:%S} UTC are unknown, so nothing can be compared with them.")
        return group, view, []
    return both, seen, [seen.comparison.rows[-1].name, CURRENT]


def _watched(group: Opened, cluster: str) -> dict[str, datetime]:
    """Return the times of the snapshots of a live group by batch."""
    found, watched = {group.batch: loading.snapshot_of(group.batch).taken_at}, before(group)
    while watched:
        found[watched] = loading.snapshot_of(watched).taken_at
        watched = before(group._replace(batch=watched))
    return found | {one.batch: one.taken_at for one in loading.collected(cluster)}


def _read(group: Opened) -> dict[str, datetime]:
    """Return the moments of a group that this session has read, of those in the lake, and of the one in the address."""
    linked = st.query_params.get(_SINCE, "").partition("@")[0]
    return loading.moments(group, [group.batch, *importing.uploads(), linked, *loading.stored_batches()])


def _earlier(found: Mapping[str, datetime], batch: str) -> dict[str, datetime]:
    """Return the moments before the latest one of a batch, the latest first."""
    now = max((found[moment] for moment in found if moment.partition("@")[0] == batch), default=datetime.min.replace(tzinfo=UTC))
    return {moment: found[moment] for moment in sorted(found, key=found.get, reverse=True) if found[moment] < now}
