"""Rows of many groups become the evidence of each: read together as one series, then cut."""

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.episodes.evidence import Evidence, Retention
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.protocol import CLASSIC, SHARE
from evenkeel.data.episodes.subscriptions import carried, table_of
from evenkeel.data.group.document import STABLE
from evenkeel.data.group.tables.arrow import names
from evenkeel.data.group.tables.series import BATCH, Axis, identities_of, offsets_of, series_of
from evenkeel.data.group.tables.verdicts import many_groups, named_by_group, split_name


def evidence_of_groups(
    offsets: pa.Table, members: pa.Table, axis: Axis, retention: Mapping[str, Retention]
) -> Iterator[tuple[str, Evidence]]:
    """Yield the evidence of each group that OFFSETS has, by name; `retention`: of topics by
    name.
    """
    if offsets["auto_offset_reset"].null_count == offsets.num_rows:
        yield from _Together(offsets, members, axis, retention).cut()
        return
    # A series has one such setting.
    for group in sorted(set(offsets["group_id"].unique().to_pylist())):
        mine = (rows.filter(pc.equal(rows["group_id"], group)) for rows in (offsets, members))
        yield from _Together(*mine, axis, retention).cut()


class _Together:
    """Groups as one series, whose names of topics and members begin with their group."""

    def __init__(
        self, offsets: pa.Table, members: pa.Table, axis: Axis, retention: Mapping[str, Retention]
    ):
        named = named_by_group(offsets, ("topic", "member_id"))
        members = named_by_group(members, ("member_id",))
        self._axis, self._retention = axis, retention
        self._series = series_of(named, members, axis)
        self._stable_end = offsets_of(named, "stable_offset", axis)
        self._identity = identities_of(self._series, named, members)
        self._group_id, of_tp, of_member = many_groups(self._series)
        self._subscription, self._sets = _subscriptions(members, self._series, axis)
        self._is_stable, self._is_share = _states(members, self._group_id, axis)

        # Topics are in the order of names, members are not.
        numbers = np.arange(len(self._group_id) + 1)
        self._first_tp = np.searchsorted(of_tp, numbers)
        self._members = np.argsort(of_member, kind="stable")
        self._first_member = np.searchsorted(of_member[self._members], numbers)
        row_in_group = np.full(of_member.size + 1, UNASSIGNED, dtype=np.int32)
        row_in_group[self._members] = (
            np.arange(of_member.size) - self._first_member[of_member[self._members]]
        )
        self._owner = row_in_group[self._series.owner]

    def cut(self) -> Iterator[tuple[str, Evidence]]:
        """Yield the evidence of each group with partitions."""
        for row, group in enumerate(self._group_id):
            tps = slice(self._first_tp[row], self._first_tp[row + 1])
            if tps.start < tps.stop:
                members = slice(self._first_member[row], self._first_member[row + 1])
                yield group, self._evidence(row, tps, self._members[members])

    def _evidence(self, row: int, tps: slice, members: np.ndarray) -> Evidence:
        series = self._of_group(tps, members)
        number = self._subscription[:, members]
        used = np.unique(number[number != UNASSIGNED])
        subscription = np.where(number != UNASSIGNED, np.searchsorted(used, number), UNASSIGNED)
        return Evidence(
            series=series,
            stable_end=self._stable_end[:, tps].copy(),
            has_no_leader=np.zeros(series.lag.shape, dtype=bool),
            identity=tuple(self._identity[member] for member in members.tolist()),
            subscription=subscription.astype(np.int32),
            topic_set=table_of([self._sets[each] for each in used.tolist()], series.topic_name),
            is_stable=self._is_stable[:, row],
            is_share=bool(self._is_share[row]),
            retention=tuple(map(self._retention.get, series.topic_name)),
        )

    def _of_group(self, tps: slice, members: np.ndarray) -> Series:
        whole = self._series
        topic = whole.topic[tps]
        ids = (whole.member_id[member] for member in members.tolist())
        read = whole.read_seconds
        return Series(
            slot=whole.slot,
            time=whole.time,
            topic_name=tuple(
                split_name(name)[1] for name in whole.topic_name[topic[0] : topic[-1] + 1]
            ),
            topic=topic - topic[0],
            partition=whole.partition[tps],
            begin_offset=whole.begin_offset[:, tps].copy(),
            committed_offset=whole.committed_offset[:, tps].copy(),
            end_offset=whole.end_offset[:, tps].copy(),
            lag=whole.lag[:, tps].copy(),
            member_id=tuple(split_name(name)[1] for name in ids),
            owner=self._owner[:, tps].copy(),
            is_listed=whole.is_listed[:, tps].copy(),
            is_member=whole.is_member[:, members],
            # That of one group is not known of many.
            generation=np.full(whole.slot_count, UNKNOWN),
            read_seconds=None if read is None else read[:, tps].copy(),
            has_owners=whole.has_owners,
        )


def _slots(members: pa.Table, axis: Axis) -> np.ndarray:
    place, batch = {name: row for row, name in enumerate(axis.batch)}, names(members[BATCH])
    return np.array([place.get(name, -1) for name in batch.name] or [-1])[batch.code]


def _states(members: pa.Table, group_id: list[str], axis: Axis) -> tuple[np.ndarray, np.ndarray]:
    """Return at which slots each group is stable, bool (S, G), and which is a share group."""
    place, group = {name: row for row, name in enumerate(group_id)}, names(members["group_id"])
    of_row = np.array([place.get(name, -1) for name in group.name] or [-1])[group.code]
    slot, state = _slots(members, axis), names(members["group_state"])
    is_told = (state.code >= 0) & (slot >= 0) & (of_row >= 0)
    is_stable = np.zeros((len(axis.batch), len(group_id)), dtype=bool)
    is_state = np.array([name == STABLE for name in state.name], dtype=bool)
    is_stable[slot[is_told], of_row[is_told]] = is_state[state.code[is_told]]
    is_share = np.zeros(len(group_id), dtype=bool)
    is_share[of_row[_is(members, "group_type", SHARE) & (of_row >= 0)]] = True
    return is_stable, is_share


def _is(members: pa.Table, column: str, value: str) -> np.ndarray:
    """bool: rows with this value."""
    text = names(members[column])
    return np.array([*(name == value for name in text.name), False], dtype=bool)[text.code]


def _subscriptions(
    members: pa.Table, series: Series, axis: Axis
) -> tuple[np.ndarray, list[frozenset[str]]]:
    """Return the set of topics of each member at each slot, int32 (S, M), and all sets."""
    topics = members["subscribed"].combine_chunks()
    number, sets = _numbered(topics)
    size = np.diff(topics.offsets.to_numpy())
    state = names(members["group_state"]).code < 0
    # A rebalancing classic group lists members without their metadata.
    is_read = ~_is(members, "group_type", CLASSIC) | state | _is(members, "group_state", STABLE)
    has_expression = names(members["subscribed_regex"]).code >= 0
    is_known = topics.is_valid().to_numpy(zero_copy_only=False) & ~has_expression
    is_known &= is_read | (size > 0)

    row_of = {name: row for row, name in enumerate(series.member_id)}
    member = names(members["member_id"])
    row = np.array([*(row_of.get(name, -1) for name in member.name), -1])[member.code]
    slot = _slots(members, axis)
    is_there = (row >= 0) & (slot >= 0)
    cells = slot[is_there], row[is_there]
    table = np.full(series.is_member.shape, UNASSIGNED, dtype=np.int32)
    table[cells] = np.where(is_known, number, UNASSIGNED)[is_there]
    is_listed = np.zeros(table.shape, dtype=bool)
    is_listed[cells] = True
    return carried(table, is_listed), sets


def _numbered(topics: pa.ListArray) -> tuple[np.ndarray, list[frozenset[str]]]:
    """Return the number of each row's set, int64, and the sets."""
    topic = names(pa.chunked_array([topics.values]))
    # Random numbers add up to the same for the same topics alone, in any order.
    weight = np.random.default_rng(0).integers(2**63, size=len(topic.name) + 1, dtype=np.uint64)
    sums = np.concatenate(([np.uint64(0)], np.cumsum(weight[topic.code], dtype=np.uint64)))
    offset = topics.offsets.to_numpy()
    key = sums[offset[1:]] - sums[offset[:-1]]
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return number, [frozenset(topics[row].as_py() or ()) for row in first.tolist()]
