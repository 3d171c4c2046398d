"""Replays of a history: the owners that an assignor would have chosen.

The assignor computes a new answer at each change of the group. Until the next change, its owners
are compared with the actual owners.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.protocol import CURRENT, serving
from evenkeel.assignors.timeline.replay import (
    Offsets,
    answers,
    moved,
    with_last_owner,
    worst_lag,
)
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.tables import history_schemas
from evenkeel.data.group.tables.schemas import TIME
from evenkeel.data.lake.history.history import History, group_rows
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import COLUMN
from evenkeel.data.prometheus.owners import with_assumed_owners
from evenkeel.data.scenarios.leaders import own_assignors
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.scenarios.stored_groups import group_at

_FEW = 8
"""Reading this number of slots one by one takes as long as reading one column of all slots."""


_COLUMNS = (
    "group_id",
    "member_id",
    "instance_id",
    "rack",
    "member_order",
    "subscribed",
    "subscribed_regex",
    "leader",
    "group_type",
)
"""Columns of remaining members that a rebalance can change."""


def periods(lake: Place, history: History) -> list[np.ndarray]:
    """Return the slots that list the group, int64, split into periods.

    If there are few rebalances, each rebalance starts a period. If there are many, a rebalance
    starts a period only if it changes the rows of MEMBERS, so that an unstable group is not read
    for every rebalance.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    runs = _runs(history.series)
    if len(runs) <= _FEW:
        return runs
    by_batch, joined = _members_at(lake, history, [int(run[0]) for run in runs]), [runs[0]]
    for before, run in pairwise(runs):
        earlier_members, other = (by_batch.get(history.batch[rows[0]]) for rows in (before, run))
        if (
            earlier_members is not None
            and earlier_members == other
            and _is_same(history.series, before[-1], run[0])
        ):
            joined[-1] = np.concatenate([joined[-1], run])
        else:
            joined.append(run)
    return joined


def _runs(series: Series) -> list[np.ndarray]:
    """Return the slots of the group, split where members, partitions or generation change."""
    listed = np.flatnonzero(series.is_listed.any(axis=1))
    if not listed.size:
        return []
    is_same = _is_same(series, listed[:-1], listed[1:]) & (
        series.generation[listed[1:]] == series.generation[listed[:-1]]
    )
    return np.split(listed, np.flatnonzero(~is_same) + 1)


def _is_same(series: Series, before: np.ndarray | int, now: np.ndarray | int) -> np.ndarray | bool:
    return np.logical_and(
        *(
            (column[now] == column[before]).all(axis=-1)
            for column in (series.is_member, series.is_listed)
        )
    )


def _members_at(lake: Place, history: History, rows: list[int]) -> dict[str, list[dict]]:
    """Return the rows of MEMBERS at the slots `rows`, by batch.

    A batch is left out if a subscription is unknown.
    """
    sent_rows = group_rows(
        lake, "MEMBERS", [history.manifest[row] for row in rows], [history.group_id], _COLUMNS
    )
    sent_rows = sent_rows.filter(
        pc.is_in(
            sent_rows[COLUMN].cast(pa.string()),
            value_set=pa.array([history.batch[row] for row in rows]),
        )
    )
    members_by_batch: dict[str, list[dict]] = {}
    for member in sent_rows.to_pylist():
        members_by_batch.setdefault(member.pop(COLUMN), []).append(member)
    return {
        batch: some
        for batch, some in members_by_batch.items()
        if all(member["subscribed"] is not None for member in some)
    }


class _Period(NamedTuple):
    """A period: slots in which a group has the same members and partitions.

    `rows`: slot numbers. `observed`: the group in the first slot.
    """

    rows: np.ndarray
    observed: ObservedGroup


_GONE = -2
"""Marks an owner that is no longer a member."""


class _Before(NamedTuple):
    """An assignor's previous answer.

    `owner`: owner of each partition in this answer. `last`: latest owner of each partition in this
    or an earlier answer; `_GONE` if this owner has left.
    """

    group: GroupSnapshot
    owner: np.ndarray
    last: np.ndarray


def replayed(
    lake: Place,
    history: History,
    wanted: Sequence[str] = (),
    members: ObservedGroup | None = None,
) -> pa.Table:
    """Return the table REPLAY of a group.

    `wanted`: names of assignors; if empty, all assignors that the group can use. `members`: the
    group whose members and owners are assumed for slots without owners.

    At the first snapshot, an assignor gets the group's owners as owned partitions. At later
    changes, it gets its own latest answer, without departed members and deleted topics.
    """
    before: dict[str, _Before] = {}
    tables = [history_schemas.REPLAY.empty_table()]
    if members is not None:
        history = history._replace(series=with_assumed_owners(history.series, members))
    shows_owners = history.series.shows_owners
    for rows in periods(lake, history):
        if members is not None and not shows_owners[rows[0]]:
            observed = members
        else:
            observed = group_at(lake, history.batch[rows[0]], history.group_id)
        if observed.snapshot.member_count and observed.snapshot.tp_count:
            tables.append(_replayed_period(history, _Period(rows, observed), before, wanted))
    return pa.concat_tables(tables)


def microseconds(time: np.ndarray) -> np.ndarray:
    """Return seconds since 1970 as microseconds, int64, as in REPLAY."""
    return np.round(time * 1e6).astype(np.int64)


def _replayed_period(
    history: History, period: _Period, before: dict[str, _Before], wanted: Sequence[str]
) -> pa.Table:
    group, series = period.observed.snapshot, history.series
    offsets, current = _aligned(group, series, period.rows)
    made = own_assignors(period.observed, Settings())
    names = [
        name
        for name in serving(period.observed.group_type, ASSIGNORS)
        if not wanted or name in wanted
    ]
    owner_of: dict[str, np.ndarray | None] = {CURRENT: current}
    for name in names:
        owner_of[name] = answers(group, offsets, made[name], _as_owner(before.get(name), group))
    columns = {
        name: _figures(group, offsets, owner, before.get(name)) for name, owner in owner_of.items()
    }
    before.update(
        {
            name: _answered(group, owner, before.get(name))
            for name, owner in owner_of.items()
            if owner is not None
        }
    )
    return _table(history, period.rows, group, columns)


def _answered(group: GroupSnapshot, owner: np.ndarray, before: _Before | None) -> _Before:
    earlier = _last_owner(before, group)
    return _Before(
        group,
        owner[-1],
        with_last_owner(owner if earlier is None else np.concatenate([earlier[None], owner]))[-1],
    )


def _figures(
    group: GroupSnapshot, offsets: Offsets, owner: np.ndarray | None, before: _Before | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the worst lag and the number of moves at each snapshot; -1 is null."""
    if owner is None:
        return (np.full(offsets.end.shape[0], UNKNOWN_LAG),) * 2
    is_known = (offsets.lag != UNKNOWN_LAG).any(axis=1)
    worst = np.where(is_known, worst_lag(owner, offsets.lag, group.member_count), UNKNOWN_LAG)
    return worst, moved(owner, _last_owner(before, group))


def _aligned(group: GroupSnapshot, series: Series, rows: np.ndarray) -> tuple[Offsets, np.ndarray]:
    """Return the offsets and owners of the slots `rows`, with partitions in the group's order."""
    tp_of, member_of = _places(group, series)
    if np.array_equal(tp_of, np.arange(group.tp_count)) and rows[-1] - rows[0] + 1 == rows.size:
        # The order is equal, so slices avoid a copy.
        run = slice(rows[0], rows[-1] + 1)
        same = Offsets(
            series.begin_offset[run],
            series.committed_offset[run],
            series.end_offset[run],
            series.lag[run],
        )
        return same, member_of[series.owner[run]]
    columns = []
    for name, missing in (
        ("begin_offset", UNKNOWN),
        ("committed_offset", UNKNOWN),
        ("end_offset", UNKNOWN),
        ("lag", UNKNOWN_LAG),
    ):
        column = np.full((rows.size, group.tp_count), missing, dtype=np.int64)
        column[:, tp_of[tp_of >= 0]] = getattr(series, name)[
            np.ix_(rows, np.flatnonzero(tp_of >= 0))
        ]
        columns.append(column)
    owner = np.full((rows.size, group.tp_count), UNASSIGNED, dtype=np.int32)
    owner[:, tp_of[tp_of >= 0]] = member_of[series.owner[np.ix_(rows, np.flatnonzero(tp_of >= 0))]]
    return Offsets(*columns), owner


def _places(group: GroupSnapshot, series: Series) -> tuple[np.ndarray, np.ndarray]:
    """Return the group's row number of each partition and of each member of a series.

    A missing partition is -1, a missing member is UNASSIGNED. The array of members ends with an
    additional UNASSIGNED for partitions without owner.
    """
    topic = {name: row for row, name in enumerate(group.topic_name)}
    of_topic = np.array([topic.get(name, -1) for name in series.topic_name])[series.topic]
    known = (of_topic >= 0) & (series.partition < group.partition_count[of_topic])
    member = {name: row for row, name in enumerate(group.member_id)}
    return np.where(known, group.first_tp[of_topic] + series.partition, -1), np.array(
        [*(member.get(name, UNASSIGNED) for name in series.member_id), UNASSIGNED], dtype=np.int32
    )


def _as_owner(before: _Before | None, group: GroupSnapshot) -> np.ndarray | None:
    """Return the owners in an answer as row numbers of `group`; missing members are unassigned."""
    return None if before is None else _in_numbers_of(group, before.group, before.owner, UNASSIGNED)


def _last_owner(before: _Before | None, group: GroupSnapshot) -> np.ndarray | None:
    """Return the latest owners as row numbers of `group`; missing members become `_GONE`."""
    return None if before is None else _in_numbers_of(group, before.group, before.last, _GONE)


def _in_numbers_of(
    group: GroupSnapshot, other: GroupSnapshot, owner: np.ndarray, gone: int
) -> np.ndarray:
    """Return owners, which are row numbers of `other`, as row numbers of `group`.

    `gone`: value for a member that is missing in `group`.
    """
    topic = {name: row for row, name in enumerate(other.topic_name)}
    of_topic = np.array([topic.get(name, -1) for name in group.topic_name])[group.tp_topic]
    known = (of_topic >= 0) & (group.tp_partition < other.partition_count[of_topic])
    member = {name: row for row, name in enumerate(group.member_id)}
    # The last two elements are for _GONE and UNASSIGNED, which index from the end.
    member_of = np.array(
        [*(member.get(name, gone) for name in other.member_id), gone, UNASSIGNED], dtype=np.int32
    )
    result = group.unowned()
    result[known] = member_of[owner[other.first_tp[of_topic[known]] + group.tp_partition[known]]]
    return result


def _table(
    history: History,
    rows: np.ndarray,
    group: GroupSnapshot,
    columns: Mapping[str, tuple[np.ndarray, np.ndarray]],
) -> pa.Table:
    count, width = rows.size, len(columns)
    starts = np.arange(count + 1, dtype=np.int32) * width

    def lists(place: int) -> pa.ListArray:
        values = np.stack([figures[place] for figures in columns.values()], axis=1).ravel()
        return pa.ListArray.from_arrays(starts, pa.array(values, mask=values < 0))

    names = pa.DictionaryArray.from_arrays(
        pa.array(np.tile(np.arange(width, dtype=np.int32), count)), list(columns)
    ).cast(pa.string())
    times = pa.array(microseconds(history.series.time[rows])).cast(TIME)
    constant = {
        "cluster": pa.array([history.cluster], "string"),
        "group_id": pa.array([history.group_id]),
        "partition_count": pa.array([group.tp_count]),
        "member_count": pa.array([group.member_count]),
    }
    same = pa.array(np.zeros(count, dtype=np.int64))
    given = {name: value.take(same) for name, value in constant.items()}
    given |= {
        "taken_at": times,
        "assignor": pa.ListArray.from_arrays(starts, names),
        "max_lag": lists(0),
        "moved_partitions": lists(1),
    }
    return pa.table(
        {name: given[name] for name in history_schemas.REPLAY.names}, schema=history_schemas.REPLAY
    )
