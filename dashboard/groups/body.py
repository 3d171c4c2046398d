"""The groups of a live cluster: the choice of the cluster, its last two readings, watched on
request; a click opens a group.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.assignors.group.lag import total_lag
from evenkeel.assignors.timeline.verdicts import trouble
from evenkeel.dashboard.groups import group_table
from evenkeel.dashboard.groups.columns import Row
from evenkeel.dashboard.groups.group_table import choices
from evenkeel.dashboard.groups.listing import with_verdicts
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import kpi_strip, reader_zone
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.rebalances.loading import with_rebalances
from evenkeel.dashboard.scope import choose_cluster, group_facts, live
from evenkeel.dashboard.shell import address, age, by_link, opened, problem, watch
from evenkeel.dashboard.shell.loading import clusters
from evenkeel.dashboard.shell.loading.clusters import LiveList, live_list
from evenkeel.dashboard.shell.reader import reader
from evenkeel.dashboard.timeline.loading.verdicts import (
    LIST_SECONDS,
    ListedDiagnoses,
    ListedVerdicts,
    listed_diagnoses,
    listed_verdicts,
)
from evenkeel.dashboard.times import moment
from evenkeel.data import clock
from evenkeel.data.errors import NoGroupsError, SnapshotError
from evenkeel.data.group.tables.load import lag_is_whole, lag_is_zero, with_lag_change
from evenkeel.data.text.formats import (
    UNKNOWN,
    at_least,
    compact_sum,
    count,
    duration,
    exact,
    percent,
    signed,
)
from evenkeel.data.text.names import elided
from evenkeel.data.timeline.words import Sentence

_TABLE, _WATCH, _PICKED = "groups", "watch-list", "groups-picked"


def show() -> None:
    """Draw scope, numbers and table; open the group that was clicked."""
    every = watch.seconds(_WATCH)
    st.fragment(_look, run_every=every)(every)


def _look(every: float | None) -> None:
    # Taken out at once: if this run ends early, no later run opens it.
    picked, since = st.session_state.pop(_PICKED, (None, None))
    with st.container(gap="xsmall"):
        try:
            cluster = _list(every)
        except SnapshotError as error:
            # The entry file cannot catch an error of a fragment that runs alone.
            problem.show(str(error))
            return
    if picked and live.open_now(cluster, picked):
        if since is None:
            by_link.open_first()
        group_facts.open_timeline(opened.current(), since)


def _list(every: float | None) -> str:
    choices.follow(_TABLE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="scope"):
        st.html('<h1 class="scope-title">Groups</h1>', width="content")
        facts = st.container(
            horizontal=True, vertical_alignment="center", gap="small", width="content"
        )
        st.space("stretch")
        cluster = choose_cluster.show()
        if watch.show(_WATCH) != every:
            st.rerun()
        rate = f"The list is read at most every {clusters.LIST_SECONDS} seconds, once for all sessions."
        st.button(
            "Read again", icon=":material/refresh:", key="list-again", type="tertiary", help=rate
        )
    found = read(cluster)
    if found is None:
        return cluster
    with facts:
        st.badge(
            "Live",
            icon=":material/sensors:",
            color="green",
            help="This list sends only describe, list and offset calls to Kafka.",
        )
        age.show(found.now.read_at, watch.due(every, clusters.LIST_SECONDS))
        reader_zone.show()
    groups = added(cluster, found.groups, facts)
    kpi_strip.show(kpis(groups), "groups")
    group_table.show(
        groups,
        _TABLE,
        id_column="group_id",
        pick=_pick,
        diagnosed=partial(diagnosed, cluster),
        explain=_pick,
    )
    return cluster


def _pick(group_id: str, since: float | None = None) -> None:
    st.session_state[_PICKED] = group_id, since


# The numbers above the groups of a cluster: lag and its change, the group with the most,
# rebalances, unknown lags.


_AT_REST = pa.array(["Stable", "Empty", "Dead"])


def kpis(groups: pa.Table) -> list[Kpi]:
    """Return the cells of the strip; `groups` come worst first. Verdicts and time lags are shown
    where there are some.
    """
    lag, partial = (
        total_lag(groups["lag"].drop_null().to_numpy()),
        not pc.all(lag_is_whole(groups)).as_py(),
    )
    moving = pc.sum(pc.invert(pc.is_in(groups["state"].drop_null(), _AT_REST))).as_py() or 0
    unknown, partitions = (
        pc.sum(groups[column]).as_py() for column in ("unknown_lag_count", "partition_count")
    )
    unknown_share, hidden = (
        percent(unknown / partitions if partitions else None),
        groups["partition_count"].null_count,
    )
    total = Kpi("Total lag", compact_sum(lag, partial), *_change(groups))
    is_judged = "trouble" in groups.column_names
    return [
        Kpi(
            "Groups",
            exact(groups.num_rows),
            f"{exact(pc.sum(lag_is_zero(groups)).as_py())} without lag",
        ),
        *(
            [_in_trouble(groups), total, _time_lag(groups)]
            if is_judged
            else [total, _largest(groups, partial)]
        ),
        Kpi(
            "Rebalancing",
            exact(moving),
            "worse" * bool(moving) and "owners may change",
            "worse" * bool(moving),
        ),
        Kpi(
            "Lag unknown", unknown_share, _of(partitions, hidden), "worse" * bool(unknown or hidden)
        ),
    ]


def _largest(groups: pa.Table, partial: bool) -> Kpi:
    first, most = groups["group_id"][0].as_py(), groups["lag"][0].as_py()
    return Kpi("Largest lag", compact_sum(most, partial), elided(first, 30) if most else "")


def _in_trouble(groups: pa.Table) -> Kpi:
    counts = {
        one["values"]: one["counts"]
        for one in pc.value_counts(groups["verdict"].drop_null()).to_pylist()
    }
    found = [f"{exact(counts[name])} {name}" for name in trouble() if counts.get(name)]
    unseen = groups["verdict"].null_count
    note = " · ".join([*found, *([f"{exact(unseen)} unknown"] if unseen else [])])
    return Kpi(
        "In trouble",
        exact(sum(counts.get(name, 0) for name in trouble())),
        note,
        "bad" if found else "",
    )


def _time_lag(groups: pa.Table) -> Kpi:
    place = pc.index(groups["lag_seconds"], pc.max(groups["lag_seconds"])).as_py()
    worst = groups["lag_seconds"][place].as_py() if place >= 0 else None
    unknown = pc.sum(groups["unknown_seconds_count"]).as_py()
    note = [elided(groups["group_id"][place].as_py(), 30)] * bool(worst) + [
        f"{exact(unknown)} unknown"
    ] * bool(unknown)
    is_guessed = worst and groups["lag_seconds_method"][place].as_py() == "extrapolated"
    text = UNKNOWN if worst is None else at_least(duration(worst), bool(unknown))
    return Kpi("Worst time lag", text, " · ".join(note), "guessed" if is_guessed else "")


def _of(partitions: int | None, hidden: int) -> str:
    return f"of {exact(partitions)} partitions" + (
        f", {exact(hidden)} groups hidden" if hidden else ""
    )


def _change(groups: pa.Table) -> tuple[str, str]:
    changes = groups["lag_change"].drop_null() if "lag_change" in groups.column_names else ()
    if not len(changes):
        return "", ""
    change = pc.sum(changes).as_py()
    if len(changes) < groups.num_rows:
        # The changes of the other groups may turn the sign: neither better nor worse.
        return (
            f"{signed(change)} a minute in {count(len(changes), 'group')}, unknown in the others",
            "",
        )
    return f"{signed(change)} a minute", "worse" if change > 0 else "better" if change < 0 else ""


# Verdicts beside the groups of a cluster, and one sentence where there are none, or old ones.


_OLD_SECONDS = 180.0
_OLD_SLOTS = 5
_AGE_SECONDS, _AGE_SLOTS = 1.5 * LIST_SECONDS, 3
"""From which age it is told; verdicts are looked at anew once in `LIST_SECONDS`."""
_MEANWHILE = "Verdicts, time lags and drain times are being made of the last snapshots."


def added(cluster: str, groups: pa.Table, facts: DeltaGenerator) -> pa.Table:
    """Return the groups with what their snapshots say, as they are where there are none; `facts`
    get the time of the last one.
    """
    try:
        groups = with_rebalances(cluster, groups)
        found = listed_verdicts(cluster)
    except SnapshotError as error:
        problem.show(str(error))
        return groups
    if found.groups is None:
        _wait(partial(listed_verdicts, cluster), _MEANWHILE) if found.is_behind else _say_how(
            cluster
        )
        return groups
    _say_age(found, facts)
    return with_verdicts(groups, found.groups, found.axis)


def diagnosed(cluster: str, rows: Sequence[Row]) -> Mapping[str, tuple[Sentence, ...]]:
    """Return what is wrong with each of these groups, in sentences by group id; the list is drawn
    again when they are there.

    Where the lake cannot be read, the page says why and the list stays without sentences.
    """
    asked = tuple(row["group_id"] for row in rows)
    if not asked:
        return {}
    try:
        found = listed_diagnoses(cluster, asked)
    except SnapshotError as error:
        problem.show(str(error))
        return {}
    if found.is_behind:
        _wait(partial(listed_diagnoses, cluster, asked))
    return found.sentences


def _say_how(cluster: str) -> None:
    command = f"`evenkeel collect --cluster {literal(cluster)}`"
    st.caption(
        f"Verdicts, time lags and drain times need snapshots: {command} writes them into this server's lake."
    )


@st.fragment(run_every=1.0)
def _wait(listed: Callable[[], ListedVerdicts | ListedDiagnoses], meanwhile: str = "") -> None:
    """Draw the list again when nothing of it is behind; say why where the lake cannot be read."""
    try:
        is_behind = listed().is_behind
    except SnapshotError as error:
        problem.show(str(error))
        return
    if not is_behind:
        address.draw_again()
    if meanwhile:
        st.caption(meanwhile)


def _say_age(found: ListedVerdicts, facts: DeltaGenerator) -> None:
    """Say of which moment they are, and when the collector has stopped."""
    time, now = found.axis.time, datetime.now(UTC)
    read_at, passed = datetime.fromtimestamp(time[-1], UTC), now.timestamp() - time[-1]
    step = (time[-1] - time[0]) / max(time.size - 1, 1)
    if passed > max(_OLD_SECONDS, _OLD_SLOTS * step):
        ago = f"{moment(read_at, now)}, {duration(passed)} ago"
        st.warning(
            f"Verdicts, time lags and drain times are of {ago}: no snapshot has been collected since."
        )
        return
    with facts:
        age.show(read_at, word="verdicts as of", shown_from=max(_AGE_SECONDS, _AGE_SLOTS * step))


# The last two readings of a cluster's groups in this session; the last one stays while the cluster
# gives no other.


_KEY = "groups-read"
_LOADING_SECONDS = 60.0
"""Brokers that restart list no groups at first: an empty list counts only after this time."""


class Reading(NamedTuple):
    """`groups` of the reading `now`, with the change of their lags since `before`.

    `empty_since`: when the first empty list came, by `clock.steady`.
    """

    cluster: str
    now: LiveList
    before: LiveList | None
    groups: pa.Table
    empty_since: float | None = None


def read(cluster: str) -> Reading | None:
    """Return the groups of a cluster; show the error if they cannot be read."""
    had = st.session_state.get(_KEY)
    had = had if had and had.cluster == cluster and reader().sees_some(cluster) else None
    try:
        # Groups that are shown already stay, with their age.
        with st.spinner("Reading the groups …") if had is None else nullcontext():
            now = live_list(cluster)
    except SnapshotError as error:
        had = had and _without_groups(had, error)
        _say(had, error)
        st.session_state[_KEY] = had
        return had
    if had is None or had.now.read_at != now.read_at or had.empty_since:
        st.session_state[_KEY] = _next(cluster, now, had)
    return st.session_state[_KEY]


def _next(cluster: str, now: LiveList, had: Reading | None) -> Reading:
    before = had and (had.now if had.now.read_at != now.read_at else had.before)
    groups = (
        with_lag_change(now.groups, before.groups, now.steady - before.steady)
        if before
        else now.groups
    )
    return Reading(cluster, now, before, groups)


def _without_groups(had: Reading, error: SnapshotError) -> Reading | None:
    """Return the reading that stays after an error: none if the cluster has listed no groups for
    long.
    """
    if not isinstance(error, NoGroupsError):
        return had._replace(empty_since=None)
    since = had.empty_since or clock.steady()
    return had._replace(empty_since=since) if clock.steady() - since < _LOADING_SECONDS else None


def _say(had: Reading | None, error: SnapshotError) -> None:
    if had is None:
        problem.show(str(error))
        return
    what = (
        f"cluster {had.cluster}: the brokers list no groups now, and may still be loading them"
        if had.empty_since
        else str(error)
    )
    age.is_overdue()
    st.warning(f"{literal(what)}. The last reading is shown.", icon=":material/cloud_off:")
