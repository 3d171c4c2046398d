"""Many groups as one series: read all groups at once, then cut the series into one per group."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import pyarrow as pa

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.episodes.calm import calm_groups
from evenkeel.assignors.episodes.evidence import Evidence, Retention
from evenkeel.assignors.group.series import Identity, Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.protocol import CLASSIC, SHARE
from evenkeel.data.episodes.subscriptions import carried, table_of
from evenkeel.data.group.document import STABLE
from evenkeel.data.group.tables.arrow import names
from evenkeel.data.group.tables.many_groups import many_groups, named_by_group, split_name
from evenkeel.data.group.tables.series import (
    Axis,
    identities_of,
    offsets_of,
    series_of,
    slots_of_rows,
)


def evidence_of_groups(
    offsets: pa.Table, members: pa.Table, axis: Axis, retention: Mapping[str, Retention]
) -> Iterator[tuple[str, Evidence]]:
    """Yield the name and the evidence of each group in OFFSETS; `retention`: by topic name."""
    if offsets["auto_offset_reset"].null_count == offsets.num_rows:
        yield from together(offsets, members, axis).cut(retention)
        return
    # A series has only one `auto_offset_reset`.
    of_members = _by_group(members)
    for name, rows in sorted(_by_group(offsets).items()):
        mine = of_members.get(name, members.slice(0, 0))
        yield from together(rows, mine, axis).cut(retention)


def _by_group(rows: pa.Table) -> dict[str, pa.Table]:
    """Return each group's rows, as slices of `rows`."""
    group = names(rows["group_id"])
    edges = np.flatnonzero(np.diff(group.code, prepend=-2, append=-2)).tolist()
    runs = defaultdict(list)
    for begin, end in pairwise(edges):
        runs[group.name[group.code[begin]]].append(rows.slice(begin, end - begin))
    return {name: pa.concat_tables(parts) for name, parts in runs.items()}


@dataclass(frozen=True, eq=False)
class Together:
    """The series of G groups in S slots, stored as one series.

    The name of each topic and member starts with its group's name. Members are sorted by group.

    Parameters
    ----------
    stable_end : int64 (S, P)
    identity : function
        Returns the identities of some members; its argument is a slice of member row numbers.
    subscription : int32 (S, M)
        Index in `sets` of the member's topics; `UNASSIGNED` if the slot has no subscription.
    is_listed : bool (S, M)
        Whether table MEMBERS lists the member in the slot.
    is_stable : bool (S, G)
    is_share : bool (G,)
    """

    series: Series
    stable_end: np.ndarray
    identity: Callable[[slice], tuple[Identity, ...]]
    group_id: list[str]
    of_tp: np.ndarray
    of_member: np.ndarray
    subscription: np.ndarray
    is_listed: np.ndarray
    sets: list[frozenset[str]]
    is_stable: np.ndarray
    is_share: np.ndarray

    @cached_property
    def is_calm(self) -> np.ndarray:
        """Whether it is certain that a group has no finding, except `over_slo`, bool (G,)."""
        calm = calm_groups(self.series, self.of_tp, self.of_member, len(self.group_id))
        return calm & ~self.is_share

    def cut(
        self, retention: Mapping[str, Retention], is_asked: Callable[[str], bool] | None = None
    ) -> Iterator[tuple[str, Evidence]]:
        """Yield the evidence of each group with partitions.

        If `is_asked` is given, a group that certainly has no finding (`is_calm`) is left out,
        unless `is_asked` returns True for the group's name.
        """
        numbers = np.arange(len(self.group_id) + 1)
        first_tp = np.searchsorted(self.of_tp, numbers).tolist()
        first_member = np.searchsorted(self.of_member, numbers).tolist()
        for row, group in enumerate(self.group_id):
            tps = slice(first_tp[row], first_tp[row + 1])
            if is_asked is not None and self.is_calm[row] and not is_asked(group):
                continue
            if tps.start < tps.stop:
                members = slice(first_member[row], first_member[row + 1])
                yield group, self._evidence(row, tps, members, retention)

    def _evidence(
        self, row: int, tps: slice, members: slice, retention: Mapping[str, Retention]
    ) -> Evidence:
        series = self._of_group(tps, members)
        number = carried(self.subscription[:, members], self.is_listed[:, members])
        used = np.unique(number[number != UNASSIGNED])
        subscription = np.where(number != UNASSIGNED, np.searchsorted(used, number), UNASSIGNED)
        return Evidence(
            series=series,
            stable_end=self.stable_end[:, tps].copy(),
            has_no_leader=np.zeros(series.lag.shape, dtype=bool),
            identity=self.identity(members),
            subscription=subscription.astype(np.int32),
            topic_set=table_of([self.sets[each] for each in used.tolist()], series.topic_name),
            is_stable=self.is_stable[:, row],
            is_share=bool(self.is_share[row]),
            retention=tuple(map(retention.get, series.topic_name)),
        )

    def _of_group(self, tps: slice, members: slice) -> Series:
        whole = self.series
        topic = whole.topic[tps]
        read, owner = whole.read_seconds, whole.owner[:, tps]
        cells = ("begin_offset", "committed_offset", "end_offset", "lag", "is_listed")
        return replace(
            whole,
            topic_name=tuple(
                split_name(name)[1] for name in whole.topic_name[topic[0] : topic[-1] + 1]
            ),
            topic=topic - topic[0],
            partition=whole.partition[tps],
            member_id=tuple(split_name(name)[1] for name in whole.member_id[members]),
            owner=np.where(owner == UNASSIGNED, owner, owner - np.int32(members.start)),
            is_member=whole.is_member[:, members],
            # Many groups have no common generation.
            generation=np.full(whole.slot_count, UNKNOWN),
            read_seconds=None if read is None else read[:, tps].copy(),
            **{name: getattr(whole, name)[:, tps].copy() for name in cells},
        )


def together(offsets: pa.Table, members: pa.Table, axis: Axis) -> Together:
    """Return the groups of tables OFFSETS and MEMBERS, both with the column `batch`.

    The `auto_offset_reset` of the last row is used for all groups.
    """
    named = named_by_group(offsets, ("topic", "member_id"))
    members = named_by_group(members, ("member_id",))
    series = series_of(named, members, axis)
    group_id, of_tp, of_member = many_groups(series)

    # Topics are sorted by name, but members are not sorted by group.
    order = np.argsort(of_member, kind="stable")
    row = np.full(order.size + 1, UNASSIGNED, dtype=np.int32)
    row[order] = np.arange(order.size)
    series = replace(
        series,
        member_id=tuple(series.member_id[place] for place in order.tolist()),
        is_member=series.is_member[:, order],
        owner=row[series.owner],
    )
    return Together(
        series,
        offsets_of(named, "stable_offset", axis),
        _Identities(series, named, members).of,
        group_id,
        of_tp,
        of_member[order],
        *_subscriptions(members, series, axis),
        *_states(members, group_id, axis),
    )


class _Identities:
    """The identities of all members, computed when the first identity is needed."""

    def __init__(self, series: Series, offsets: pa.Table, members: pa.Table):
        self._sources = series, offsets, members

    @cached_property
    def _every(self) -> tuple[Identity, ...]:
        return identities_of(*self._sources)

    def of(self, members: slice) -> tuple[Identity, ...]:
        return self._every[members]


def _states(members: pa.Table, group_id: list[str], axis: Axis) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each group is stable in each slot, bool (S, G), and is a share group."""
    place, group = {name: row for row, name in enumerate(group_id)}, names(members["group_id"])
    of_row = np.array([place.get(name, -1) for name in group.name] or [-1])[group.code]
    slot, state = slots_of_rows(members, axis), names(members["group_state"])
    is_told = (state.code >= 0) & (slot >= 0) & (of_row >= 0)
    is_stable = np.zeros((len(axis.batch), len(group_id)), dtype=bool)
    is_state = np.array([name == STABLE for name in state.name], dtype=bool)
    is_stable[slot[is_told], of_row[is_told]] = is_state[state.code[is_told]]
    is_share = np.zeros(len(group_id), dtype=bool)
    is_share[of_row[_is(members, "group_type", SHARE) & (of_row >= 0)]] = True
    return is_stable, is_share


def _is(members: pa.Table, column: str, value: str) -> np.ndarray:
    """Return whether `column` of each row is `value`, bool."""
    text = names(members[column])
    return np.array([*(name == value for name in text.name), False], dtype=bool)[text.code]


def _subscriptions(
    members: pa.Table, series: Series, axis: Axis
) -> tuple[np.ndarray, np.ndarray, list[frozenset[str]]]:
    """Return each member's topic set in each slot, and whether the slot lists the member.

    The third result is the list of all topic sets. The first two are arrays (S, M).
    """
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
    slot = slots_of_rows(members, axis)
    is_there = (row >= 0) & (slot >= 0)
    cells = slot[is_there], row[is_there]
    table = np.full(series.is_member.shape, UNASSIGNED, dtype=np.int32)
    table[cells] = np.where(is_known, number, UNASSIGNED)[is_there]
    is_listed = np.zeros(table.shape, dtype=bool)
    is_listed[cells] = True
    return table, is_listed, sets


def _numbered(topics: pa.ListArray) -> tuple[np.ndarray, list[frozenset[str]]]:
    """Return the distinct topic sets, and for each row the index of its set, int64."""
    topic = names(pa.chunked_array([topics.values]))
    # Equal topic sets have equal sums of random numbers in any order; other sets have other sums.
    weight = np.random.default_rng(0).integers(2**63, size=len(topic.name) + 1, dtype=np.uint64)
    sums = np.concatenate(([np.uint64(0)], np.cumsum(weight[topic.code], dtype=np.uint64)))
    offset = topics.offsets.to_numpy()
    key = sums[offset[1:]] - sums[offset[:-1]]
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return number, [frozenset(topics[row].as_py() or ()) for row in first.tolist()]
