"""One group of a live cluster: opened as a snapshot, watched on request, each new snapshot beside the one before it."""

from html import escape

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.assignors.group.lag import total_lag
from evenkeel.dashboard import loading
from evenkeel.dashboard.loading.clusters import record_ages
from evenkeel.dashboard.view import Opened, View
from evenkeel.dashboard.widgets.opening import importing, opened
from evenkeel.dashboard.widgets.parts import next_reading, problem, watch
from evenkeel.dashboard.widgets.scope import snapshots
from evenkeel.dashboard.widgets.scope.live import on_the_way, replay_badge
from evenkeel.dashboard.words.names import literal
from evenkeel.data.errors import SnapshotError
from evenkeel.data.words.formats import UNKNOWN, at_least, count, duration, signed

WATCH = "watch"


def open_now(cluster: str, group_id: str) -> bool:
    """Read a group and open the snapshot; what goes wrong is shown. Return whether it is open."""
    try:
        importing.open_stored(loading.live_snapshot(cluster, group_id))
    except SnapshotError as error:
        problem.show(str(error))
        return False
    return True


def show(group: Opened, line: DeltaGenerator) -> None:
    """Draw into a line whether Kafka agrees, what has changed since the snapshot before and, if the cluster can be read, the watch.

    Below it stand what cannot be seen and the members that are still moving to their target assignment.
    """
    cluster = loading.cluster_of(group)
    if cluster is None:
        return
    for text in loading.snapshot_of(group.batch).problems:
        st.warning(literal(f"Cannot be seen: {text}"))
    can_be_read = loading.can_be_read(cluster)
    with line:
        every = watch.show(WATCH) if can_be_read else None
        replay_badge.show(group)
        _say_time_lag(group)
        if can_be_read:
            st.fragment(_look, run_every=every)(cluster, group, every)
    on_the_way.show(group)


def _say_time_lag(group: Opened) -> None:
    found = record_ages(group)
    if found:
        text = at_least(duration(found.seconds), bool(found.unread_count))
        unread = f", not read for {count(found.unread_count, 'partition')} with lag" if found.unread_count else ""
        st.html(f'<span class="note">time lag {escape(text)} (timestamp), {escape(found.partition)}{unread}</span>', width="content")


def _look(cluster: str, group: Opened, every: float | None) -> None:
    """Read the group again when its snapshot is as old as the interval; while the cluster is silent, the old one stays with its age."""
    taken_at = loading.view(group).observed.taken_at
    line = st.container(horizontal=True, vertical_alignment="center", gap="small")
    pressed = line.button("Read again", icon=":material/refresh:", key="read-again")
    if pressed or next_reading.is_due(taken_at, every):
        batch = next_reading.read(cluster, group.group_id)
        if batch is None:
            return
        snapshots.follow(group, batch)
        opened.open_group(group._replace(batch=batch))
        st.rerun()
    earlier = snapshots.before(group)
    if earlier:
        line.html(f'<span class="note">{escape(_change(group, earlier))}</span>', width="content")


def _change(group: Opened, earlier: str) -> str:
    """Say in one line what is different from the snapshot before."""
    was, now = (loading.view(group._replace(batch=batch)) for batch in (earlier, group.batch))
    change = loading.change_in_time(group, earlier)
    seconds = (now.observed.taken_at - was.observed.taken_at).total_seconds()
    facts = [f"since the snapshot {duration(seconds)} before: {count(change and len(change.moves.lag), 'partition')} changed owner"]
    came, went = (
        len(set(one.observed.snapshot.member_id) - set(other.observed.snapshot.member_id)) for one, other in ((now, was), (was, now))
    )
    facts += [f"{count(came, 'member')} joined"] * bool(came) + [f"{count(went, 'member')} left"] * bool(went)
    return ", ".join([*facts, f"lag {lag_since(was, now)}"])


def lag_since(was: View, now: View) -> str:
    """Return by how much the lag of the partitions has changed whose lag both snapshots know."""
    before, after = (view.comparison.lag for view in (was, now))
    sizes = [
        dict(zip(view.comparison.group.topic_name, view.comparison.group.partition_count.tolist(), strict=True)) for view in (was, now)
    ]
    is_known = (before >= 0) & (after >= 0) if sizes[0] == sizes[1] else np.zeros(0, dtype=bool)
    if not is_known.any():
        return UNKNOWN
    totals = total_lag(before[is_known]), total_lag(after[is_known])
    if None in totals:
        return UNKNOWN
    return signed(totals[1] - totals[0]) + (" where it is known" if not is_known.all() else "")
