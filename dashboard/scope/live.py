"""A group of a live cluster. Each reading is a snapshot, compared with the previous snapshot.

A watch reads the group repeatedly.
"""

from html import escape

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.assignors import JAVA
from evenkeel.assignors.group.lag import total_lag
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.weighted import WeightedAssignor
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import long_table
from evenkeel.dashboard.scope import snapshots
from evenkeel.dashboard.shell import importing, opened, problem, watch
from evenkeel.dashboard.shell.loading import clusters, views
from evenkeel.dashboard.shell.loading.clusters import (
    cluster_of,
    live_snapshot,
    next_of,
    on_the_way,
    record_ages,
    replayed,
    snapshot_of,
)
from evenkeel.dashboard.shell.loading.views import change_in_time
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import Held
from evenkeel.data.live.replay import Replay
from evenkeel.data.scenarios.client_words import named
from evenkeel.data.scenarios.leaders import in_use, runs_ours
from evenkeel.data.text.formats import UNKNOWN, at_least, compact, count, duration, listed, signed

WATCH = "watch"

_NO_WEIGHTS = (
    "The brokers assign by weights from a file. To check the group's target assignment,"
    ' name the file in the configuration, with a line `CLUSTER = "/path/of/the/file"` in'
    " `[live.weights]`."
)


def open_now(cluster: str, group_id: str) -> bool:
    """Read a group and open its snapshot; return whether a group is open.

    If the group cannot be read, show the error and open its last known state.
    """
    try:
        importing.open_stored(live_snapshot(cluster, group_id))
    except SnapshotError as error:
        try:
            opened.open_group(clusters.last_known(cluster, group_id, error))
        except SnapshotError:
            problem.show(str(error))
            return False
    return True


def show(group: OpenGroup, line: DeltaGenerator) -> None:
    """Draw the line of a live group: watch, comparison with Kafka, and changes since the last
    snapshot.

    Below the line: warnings about unreadable parts, and members that still move to their target
    assignment. The watch is drawn only if the cluster can be read.
    """
    cluster = cluster_of(group)
    if cluster is None:
        if runs_ours(views.view(group).observed):
            # A journal of the assignor has the lags that the leader read.
            with line:
                _show_replay_badge(group)
        return
    for text in snapshot_of(group.batch).problems:
        st.warning(literal(f"Cannot be seen: {text}"))
    can_be_read = clusters.can_be_read(cluster)
    with line:
        every = watch.show(WATCH) if can_be_read else None
        _show_replay_badge(group)
        _say_time_lag(group)
        if can_be_read:
            st.fragment(_look, run_every=every)(cluster, group, every)
    _show_on_the_way(group)


def _say_time_lag(group: OpenGroup) -> None:
    ages = record_ages(group)
    if ages:
        text = at_least(duration(ages.seconds), bool(ages.unread_count))
        unread = (
            f", not read for {count(ages.unread_count, 'partition')} with lag"
            if ages.unread_count
            else ""
        )
        st.html(
            f'<span class="note">behind {escape(text)} (timestamp),'
            f" {escape(ages.partition)}{unread}</span>",
            width="content",
        )


def _look(cluster: str, group: OpenGroup, every: float | None) -> None:
    """Draw the button for the next reading, and the changes since the previous reading."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if opened.reads_again(
            cluster, group, views.view(group).observed.taken_at, every, snapshots.follow
        ):
            return
        earlier = snapshots.before(group)
        if earlier:
            st.html(f'<span class="note">{escape(_change(group, earlier))}</span>', width="content")


def _change(group: OpenGroup, earlier: str) -> str:
    """Return the changes since the snapshot `earlier`, in one line."""
    was, now = (views.view(group._replace(batch=batch)) for batch in (earlier, group.batch))
    change = change_in_time(group, earlier)
    seconds = (now.observed.taken_at - was.observed.taken_at).total_seconds()
    facts = [
        f"since the snapshot {duration(seconds)} before:"
        f" {count(change and len(change.moves.lag), 'partition')} changed owner"
    ]
    came, went = (
        len(set(snapshot.observed.snapshot.member_id) - set(other.observed.snapshot.member_id))
        for snapshot, other in ((now, was), (was, now))
    )
    facts += [f"{count(came, 'member')} joined"] * bool(came) + [
        f"{count(went, 'member')} left"
    ] * bool(went)
    return ", ".join([*facts, f"lag {lag_since(was, now)}"])


def lag_since(was: View, now: View) -> str:
    """Return the change in lag. Only partitions with known lag in both snapshots are counted."""
    before, after = (view.comparison.lag for view in (was, now))
    sizes = [
        dict(
            zip(
                view.comparison.group.topic_name,
                view.comparison.group.partition_count.tolist(),
                strict=True,
            )
        )
        for view in (was, now)
    ]
    is_known = (before >= 0) & (after >= 0) if sizes[0] == sizes[1] else np.zeros(0, dtype=bool)
    if not is_known.any():
        return UNKNOWN
    former, total = total_lag(before[is_known]), total_lag(after[is_known])
    if former is None or total is None:
        return UNKNOWN
    return signed(total - former) + (" for partitions with known lag" if not is_known.all() else "")


# Members of a live group that are still moving to their target assignment, with the partitions that
# each member must still revoke and add.


_MOST_NAMES, _MOST_HEIGHT = 6, 240


def _show_on_the_way(group: OpenGroup) -> None:
    """Draw the members of a KIP-848 group whose current assignment is not yet their target
    assignment.
    """
    target = on_the_way(group)
    if target.target_is_old:
        st.info(
            "The group has changed since the broker computed this target; the broker will compute a"
            " new one.",
            icon=":material/sync:",
        )
    if not target.members:
        return
    view = views.view(group)
    name_of = dict(zip(view.observed.snapshot.member_id, view.names, strict=True))
    rows = [
        (name_of[member.member_id], _size(member.has), _named(member.gives_up), _named(member.gets))
        for member in target.members
    ]
    st.html(
        f'<span class="note">Moving to the target assignment: {count(len(rows), "member")}</span>'
    )
    long_table.show(
        pd.DataFrame(rows, columns=["Member", "Has", "Will revoke", "Will get"]),
        "Members still moving to their target assignment",
        most_height=_MOST_HEIGHT,
    )


def _size(held: Held) -> int:
    return sum(len(numbers or ()) for numbers in held.values())


def _named(held: Held) -> str:
    names = [
        partition_name(topic, number) for topic, numbers in held.items() for number in numbers or ()
    ]
    return listed(names, _MOST_NAMES) if names else "nothing"


# Whether Kafka agrees: a live group's assignment is computed again from its members' own bytes.


def _show_replay_badge(group: OpenGroup) -> None:
    """Draw a badge that says whether Evenkeel computes the same assignment as Kafka."""
    replay = replayed(group)
    if replay is None:
        _show_next_epoch(group)
        return
    if replay.is_by_lag:
        _show_by_lag(replay)
        return
    if replay.agrees:
        st.badge(
            f"{'Kafka' if replay.client == JAVA else replay.client} agrees",
            icon=":material/verified:",
            color="green",
            help=(
                "From the data that the members sent when they joined last, Evenkeel's assignor"
                f" for {named(replay.client)} computes exactly the group's assignment."
            ),
        )
        return
    reasons = "\n".join(f"* {literal(reason)}" for reason in replay.reasons)
    st.badge(
        f"{count(len(replay.moves.lag), 'partition')} differ from the replay",
        icon=":material/difference:",
        color="orange",
        help=f"Likely:\n{reasons}",
    )


def _show_by_lag(replay: Replay) -> None:
    """Draw the badge for an assignor that reads lags.

    The lags of this input may differ from the lags that the leader read.
    """
    if replay.agrees:
        help_text = (
            "From the lags of this input, Evenkeel's assignor computes exactly the group's"
            " assignment."
        )
        st.badge("Kafka agrees", icon=":material/verified:", color="green", help=help_text)
        return
    moved = (
        f"The next rebalance would give {count(len(replay.moves.lag), 'partition')} another owner."
    )
    exact = "Only a journal of the assignor contains the lags that the leader read."
    agrees = "; counts agree" if replay.counts_agree else ""
    since = "some lags are unknown" if replay.replayed.assumed else "lags have changed since"
    st.badge(f"{since}{agrees}", icon=":material/update:", color="gray", help=f"{moved} {exact}")


def _show_next_epoch(group: OpenGroup) -> None:
    """Draw a badge that says whether `evenkeel-weighted` computes the group's target assignment."""
    if in_use(views.view(group).observed) != WeightedAssignor.name:
        return
    try:
        next_epoch = next_of(group)
    except SnapshotError as error:
        st.warning(literal(f"The group's target assignment cannot be checked: {error}"))
        return
    if next_epoch is None:
        st.badge("weights unknown", icon=":material/balance:", color="gray", help=_NO_WEIGHTS)
        return
    by = (
        "the present weights,"
        if next_epoch.has_weights
        else "equal weights (the file has none for this group, or is too old),"
    )
    if next_epoch.agrees:
        help_text = f"With {by} evenkeel-weighted computes exactly the group's target assignment."
        st.badge("Kafka agrees", icon=":material/verified:", color="green", help=help_text)
        return
    worst = (
        f", worst {compact(next_epoch.worst_now)} → {compact(next_epoch.worst_then)}"
        if next_epoch.has_weights
        else ""
    )
    st.badge(
        f"the next epoch would move {count(len(next_epoch.moves.lag), 'partition')}{worst}",
        icon=":material/balance:",
        color="orange",
        help=(
            f"With {by} evenkeel-weighted computes another target assignment. New"
            " weights alone change nothing. The"
            " broker assigns only when a member joins or leaves, or a topic gets partitions."
            " `evenkeel nudge` makes the broker assign now."
        ),
    )
