"""Series: one group over time. Most arrays have one row for each slot.

A series can also follow consumers across restarts.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.restarts import RUN_SECONDS, Life, Restarts, sorted_runs
from evenkeel.assignors.group.snapshot import UNKNOWN, partition_name

_OF_SLOTS = (
    "slot",
    "time",
    "begin_offset",
    "committed_offset",
    "end_offset",
    "lag",
    "owner",
    "is_listed",
    "is_member",
    "generation",
)

UNKNOWN_RATE = np.nan
"""An unknown rate in records/s. Tables and JSON have null."""

UNKNOWN_SECONDS = -1.0
"""An unknown time lag. Tables and JSON have null."""

_WINDOW_SECONDS = 300
"""Shortest window, in seconds, if slots have no owners, because another program chose the times of
these slots. If slots are further apart, they are no observations.
"""

_MOST_OBSERVATIONS = 60
_STEP_SECONDS = 30.0


@dataclass(frozen=True, eq=False)
class Series:
    """Slots with data of one group: S slots, P partitions, M members.

    Parameters
    ----------
    slot : int64 (S,)
        Numbers of slots, ascending. A missing number is a slot without a snapshot.
    time : float64 (S,)
        Time at which each slot was read, in seconds since 1970.
    topic_name : (T,) str
        Ascending.
    topic, partition : int32 (P,)
        Sorted by topic and partition.
    begin_offset, committed_offset, end_offset : int64 (S, P)
        `UNKNOWN` if missing or unknown.
    lag : int64 (S, P)
        Lag as pages show it, `UNKNOWN_LAG` if unknown.
    member_id : (M,) str
        All members of all slots, in the order of their first slots.
    owner : int32 (S, P)
        Number of the owner in `member_id`, or `UNASSIGNED`.
    is_listed : bool (S, P)
        Whether the slot has data of the partition.
    is_member : bool (S, M)
        Whether the member is in the group in this slot.
    generation : int64 (S,)
        Classic generation or epoch of the group, `UNKNOWN` if unknown.
    read_seconds : float64 (S, P) or None
        Age of the record at the committed offset, from the timestamp of this record.
        `UNKNOWN_SECONDS` if this record was not read. None if no record of the series was read.
    has_owners : bool (S,) or None
        Whether the source of the slot records owners. None if the sources of all slots record
        owners. In a slot without owners, `owner` and `is_member` have no meaning.
    restarts : tuple of Restarts
        For a result of `by_lineage`: the consumers that left and came back, longest run first.
    client_id : (M,) str or None
        For a result of `by_lineage`: the client id of each consumer. Empty if no client id is
        known.
    lives : (M,) tuples of Life
        For a result of `by_lineage`: the member ids of each consumer, in the order of their first
        slots.
    """

    slot: np.ndarray
    time: np.ndarray
    topic_name: tuple[str, ...]
    topic: np.ndarray
    partition: np.ndarray
    begin_offset: np.ndarray
    committed_offset: np.ndarray
    end_offset: np.ndarray
    lag: np.ndarray
    member_id: tuple[str, ...]
    owner: np.ndarray
    is_listed: np.ndarray
    is_member: np.ndarray
    generation: np.ndarray
    read_seconds: np.ndarray | None = None
    has_owners: np.ndarray | None = None
    restarts: tuple[Restarts, ...] = ()
    client_id: tuple[str | None, ...] = ()
    lives: tuple[tuple[Life, ...], ...] = ()

    def at(self, rows: np.ndarray | slice) -> "Series":
        """Return the series with only the slots `rows`. Partitions and members do not change."""
        columns = {name: getattr(self, name)[rows] for name in _OF_SLOTS}
        restarts = sorted_runs(restarts_of.within(columns["time"]) for restarts_of in self.restarts)
        return replace(
            self,
            **columns,
            restarts=restarts,
            read_seconds=None if self.read_seconds is None else self.read_seconds[rows],
            has_owners=None if self.has_owners is None else self.has_owners[rows],
        )

    @property
    def slot_count(self) -> int:
        return self.time.size

    @property
    def tp_count(self) -> int:
        return self.topic.size

    def tp_name(self, tp: int) -> str:
        """Return the name of a topic-partition."""
        return partition_name(self.topic_name[self.topic[tp]], int(self.partition[tp]))

    @cached_property
    def is_there(self) -> np.ndarray:
        """bool (S,): whether the slot has at least one partition or member of the group."""
        return np.any(self.is_listed, axis=1) | np.any(self.is_member, axis=1)

    @cached_property
    def shows_owners(self) -> np.ndarray:
        """bool (S,): whether the slot has data of the group, and its source records owners."""
        return self.is_there if self.has_owners is None else self.is_there & self.has_owners

    def window(self, least: int) -> int:
        """Return the number of slots in a window.

        If all slots have owners, this is `least`. Otherwise it is the number of slots in five
        minutes, but at least `least` and at most `_MOST_OBSERVATIONS`.
        """
        if self.has_owners is None:
            return least
        return int(np.clip(np.ceil(_WINDOW_SECONDS / self._step), least, _MOST_OBSERVATIONS))

    @property
    def is_sparse(self) -> bool:
        """Whether slots without owners are so far apart that no verdict is possible.

        This happens if a metrics store has downsampled its samples.
        """
        return self.has_owners is not None and self._step > _WINDOW_SECONDS

    @cached_property
    def _step(self) -> float:
        """Median seconds between two slots, at least 1.

        If some slots have no owners, only these slots count.
        """
        steps = np.diff(self.time if self.has_owners is None else self.time[~self.has_owners])
        return max(float(np.median(steps)), 1.0) if steps.size else _STEP_SECONDS

    def until(self, row: int) -> "Series":
        """Return the series with only the slots 0 to `row`."""
        return self.at(slice(row + 1))

    @cached_property
    def growth(self) -> tuple[tuple[float, int], ...]:
        """Each increase of the generation: its time, and the difference from the last known
        generation.
        """
        known = np.flatnonzero(self.generation != UNKNOWN)
        growth = np.diff(self.generation[known])
        rows = np.flatnonzero(growth > 0)
        times = self.time[known[rows + 1]]
        return tuple(zip(times.tolist(), growth[rows].tolist(), strict=True))

    @cached_property
    def is_observed(self) -> np.ndarray:
        """bool (S, P): whether committed offset and lag are known in the slot.

        Verdicts use only such slots.
        """
        return (self.committed_offset != UNKNOWN) & (self.lag != UNKNOWN_LAG)

    @cached_property
    def restarted(self) -> np.ndarray:
        """bool (S, P): whether the end offset or begin offset is smaller than the last known
        offset.

        A new series of offsets then starts. False in the first slot.
        """
        return _falls(self.end_offset) | _falls(self.begin_offset)

    @cached_property
    def first_slot(self) -> np.ndarray:
        """int32 (S, P): the slot in which the partition's present series of offsets started.

        This is the last slot so far in which `restarted` is True, else slot 0.
        """
        rows = np.arange(self.slot_count, dtype=np.int32)[:, None]
        return np.maximum.accumulate(np.where(self.restarted, rows, np.int32(0)), axis=0)


def _falls(offset: np.ndarray) -> np.ndarray:
    """Return whether each offset is smaller than the last known offset before it."""
    known = offset != UNKNOWN
    if known.all():
        result = np.zeros(offset.shape, dtype=bool)
        np.less(offset[1:], offset[:-1], out=result[1:])
        return result
    before = last_known(offset, known)
    result = np.zeros(offset.shape, dtype=bool)
    result[1:] = known[1:] & (offset[1:] < before[:-1])
    return result


def last_known(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Replace each unknown value by the last known value above it in the same column.

    An unknown value remains if no known value is above it.
    """
    rows = np.arange(values.shape[0], dtype=np.int32)[:, None]
    last = np.maximum.accumulate(np.where(known, rows, np.int32(0)), axis=0)
    return np.take_along_axis(values, last, axis=0)


# Lineages: the same consumer across restarts


class Identity(NamedTuple):
    """What a member reports about itself. None if unknown.

    `instance_id`: id of a static member (KIP-345).
    """

    client_id: str | None = None
    host: str | None = None
    instance_id: str | None = None


def by_lineage(series: Series, identity: tuple[Identity, ...], lead: int = 0) -> Series:
    """Return the series with consumers in place of members, and with the restarts of each consumer.

    A consumer has one entry, with its last member id. Members with the same static id are one
    consumer. Members without a static id are one consumer if they have the same client id and never
    live at the same time. If members with the same client id live at the same time, members on the
    same host are one consumer, if they never live at the same time.

    `identity`: identity of each member in `series`. `lead`: number of slots at the start whose
    restarts do not count.
    """
    of_member = _lineages(series, identity)
    count = int(of_member.max(initial=-1)) + 1
    is_member = np.zeros((count, series.slot_count), dtype=bool)
    np.logical_or.at(is_member, of_member, series.is_member.T)
    owner = np.append(of_member, UNASSIGNED).astype(np.int32)[series.owner]
    last_members = _last_members(series, of_member, count)
    return replace(
        series,
        member_id=tuple(series.member_id[row] for row in last_members),
        client_id=tuple(identity[row].client_id for row in last_members),
        lives=_lives(series, of_member, count),
        owner=owner,
        is_member=is_member.T,
        restarts=_restarts(series, of_member, is_member, lead),
    )


def _lineages(series: Series, identity: tuple[Identity, ...]) -> np.ndarray:
    """Return the number of each member's consumer, int64 (M,).

    Consumers are numbered in the order of their first members.
    """
    key: list[tuple] = [("member", row) for row in range(len(identity))]
    static, clients = defaultdict(list), defaultdict(list)
    for row, key_of in enumerate(identity):
        if key_of.instance_id is not None:
            static[key_of.instance_id].append(row)
    # If two members have a static id at the same time, it identifies neither member.
    for instance, rows in static.items():
        if _live_alone(series, rows):
            _name(key, rows, ("static", instance))
    for row, key_of in enumerate(identity):
        if key[row][0] == "member" and key_of.client_id is not None:
            clients[key_of.client_id].append(row)
    for client, rows in clients.items():
        if _live_alone(series, rows):
            _name(key, rows, ("client", client))
            continue
        of_host = defaultdict(list)
        for row in rows:
            of_host[identity[row].host].append(row)
        for host, some in of_host.items():
            if host is not None and _live_alone(series, some):
                _name(key, some, ("host", client, host))
    number: dict[tuple, int] = {}
    return np.array([number.setdefault(value, len(number)) for value in key], dtype=np.int64)


def _name(key: list[tuple], rows: list[int], name: tuple) -> None:
    for row in rows:
        key[row] = name


def _live_alone(series: Series, rows: list[int]) -> bool:
    return len(rows) == 1 or bool((np.count_nonzero(series.is_member[:, rows], axis=1) <= 1).all())


def _last_members(series: Series, of_member: np.ndarray, count: int) -> list[int]:
    """Return for each consumer the member that was in the group last."""
    last = _last_seen(series)
    newest = np.zeros(count, dtype=np.int64)
    for row in np.lexsort((np.arange(last.size), last)).tolist():
        newest[of_member[row]] = row
    return newest.tolist()


def _last_seen(series: Series) -> np.ndarray:
    """Return the last slot in which each member is in the group, int64 (M,), or -1 if there is
    none.
    """
    return np.where(
        series.is_member.any(axis=0),
        series.slot_count - 1 - np.argmax(series.is_member[::-1], axis=0),
        -1,
    )


def _lives(series: Series, of_member: np.ndarray, count: int) -> tuple[tuple[Life, ...], ...]:
    first, last = np.argmax(series.is_member, axis=0), _last_seen(series)
    lives: list[list[Life]] = [[] for _ in range(count)]
    for row in np.argsort(first, kind="stable").tolist():
        if last[row] >= 0:
            lives[of_member[row]].append(
                Life(
                    series.member_id[row],
                    float(series.time[first[row]]),
                    float(series.time[last[row]]),
                )
            )
    return tuple(map(tuple, lives))


def _restarts(
    series: Series, of_member: np.ndarray, is_member: np.ndarray, lead: int
) -> tuple[Restarts, ...]:
    """Return the runs of restarts. The run with the most restarts comes first.

    A consumer restarted if it was away and came back, or if it has another member id.
    """
    rows = np.flatnonzero(series.shows_owners)
    if rows.size < 2:
        return ()
    # The member of each lineage at each slot, as its row + 1. 0 if the lineage is absent.
    now = np.zeros((rows.size, is_member.shape[0]), dtype=np.int64)
    place, member = np.nonzero(series.is_member[rows])
    now[place, of_member[member]] = member + 1
    runs_of = []
    for lineage in range(is_member.shape[0]):
        seen = np.flatnonzero(now[:, lineage])
        again = np.flatnonzero((np.diff(now[seen, lineage]) != 0) | (np.diff(seen) > 1)) + 1
        at = rows[seen[again]]
        times = series.time[at[at >= lead]]
        runs = np.split(times, np.flatnonzero(np.diff(times) > RUN_SECONDS) + 1)
        runs_of += [Restarts(lineage, tuple(run.tolist())) for run in runs]
    return sorted_runs(runs_of)
