"""The snapshots of one group, from this session, `evenkeel ingest` and `evenkeel collect`."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice

import streamlit as st

from evenkeel.assignors.diagnosis.reading import LEAST_SECONDS
from evenkeel.assignors.protocol import CURRENT
from evenkeel.dashboard.shell import importing
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading import views
from evenkeel.dashboard.shell.loading.uploads import StoredLast, moments, stored_batches
from evenkeel.dashboard.times import full
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.data.text.formats import count

_KEY = "watched"
_ONLY = "between assignors"
_MOST_WATCHED = 20


def follow(before: OpenGroup, batch: str) -> None:
    """Remember that the snapshot `batch` was read after the snapshot `before` of the same group."""
    st.session_state.setdefault(_KEY, {})[batch] = before.batch


def before(group: OpenGroup) -> str | None:
    """Return the snapshot that this session read before the open snapshot, None without one."""
    return st.session_state.get(_KEY, {}).get(group.batch)


def earlier(group: OpenGroup) -> str | None:
    """Return this session's latest snapshot of at least `LEAST_SECONDS` before the open snapshot.

    If there is none, return the previous snapshot.
    """
    watched = list(islice(_watched(group), _MOST_WATCHED))
    if not group.batch or not watched:
        return None
    at = {_batch(moment): time for moment, time in moments(group, [group.batch, *watched]).items()}
    now = at.get(group.batch)
    early = [
        batch
        for batch in watched
        if now is not None and batch in at and (now - at[batch]).total_seconds() >= LEAST_SECONDS
    ]
    return [*early, *watched][0]


def _batch(moment: str) -> str:
    return moment.partition("@")[0]


def choose(group: OpenGroup, view: View) -> tuple[OpenGroup, View, list[str]]:
    """Draw the select box "Since" with earlier snapshots of the group.

    Return the group, its view, and the names of two rows to compare: earlier and current owners.
    If the reader chose no snapshot, there are no names.
    """
    if not group.batch:
        return group, view, []
    stored = stored_batches(group)
    known = _earlier(_moments(group, stored.batches), group.batch)
    if not known:
        return group, view, []
    texts = {batch: f"since {full(time)}" for batch, time in known.items()}
    choice = Options("since", {_ONLY: _ONLY} | texts, _ONLY, "earlier snapshot")
    choice.follow()
    chosen = choice.select("Since", width=260, help=_help(stored))
    if chosen == _ONLY:
        return group, view, []
    both = group._replace(earlier=chosen)
    seen = views.view(both)
    if seen.comparison.rows[-1].assignment is None:
        st.warning(
            f"The owners at {full(known[chosen])} are unknown, so the present owners cannot be"
            " compared with them."
        )
        return group, view, []
    return both, seen, [seen.comparison.rows[-1].name, CURRENT]


def _help(stored: StoredLast) -> str:
    wanted = "Compare the present owners with the owners in an earlier snapshot of this group."
    if not stored.older_count:
        return wanted
    shown, older = count(len(stored.batches), "snapshot"), count(stored.older_count, "older one")
    return f"{wanted} Only the lake's last {shown} are checked, not {older}."


def _moments(group: OpenGroup, stored: Iterable[str]) -> dict[str, datetime]:
    """Return the time of each snapshot of the group, from this session, the lake and the
    address.
    """
    linked = st.query_params.get("since", "").partition("@")[0]
    return moments(
        group, [group.batch, *_watched(group), *importing.session_uploads(), linked, *stored]
    )


def _watched(group: OpenGroup) -> Iterator[str]:
    """Yield the earlier snapshots of the group that this session's watch read, latest first."""
    while earlier := before(group):
        yield earlier
        group = group._replace(batch=earlier)


def _earlier(moments_by_name: Mapping[str, datetime], batch: str) -> dict[str, datetime]:
    """Return the snapshots before the latest snapshot in `batch`, latest first."""
    now = max(
        (moments_by_name[moment] for moment in moments_by_name if _batch(moment) == batch),
        default=datetime.min.replace(tzinfo=UTC),
    )
    return {
        moment: moments_by_name[moment]
        for moment in sorted(moments_by_name, key=moments_by_name.__getitem__, reverse=True)
        if moments_by_name[moment] < now
    }
