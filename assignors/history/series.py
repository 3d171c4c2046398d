"""Series: one group at many instants, as columns of instants by partitions."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.snapshot import UNKNOWN

_OF_SLOTS = ("slot", "time", "begin_offset", "committed_offset", "end_offset", "lag", "owner", "is_listed", "is_member", "generation")

UNKNOWN_RATE = np.nan
"""Records/s that are unknown. Tables and JSON have null."""

UNKNOWN_SECONDS = -1.0
"""A time lag that is unknown. Tables and JSON have null."""


RUN_SECONDS = 900
"""A consumer that comes back no later after the time before belongs to the same run of restarts: three deployments of a day do not."""

_MANY = 3
_PAUSES = 3
"""A run is over when so many times its longest pause have passed: a crash loop waits twice as long each time."""


class Restarts(NamedTuple):
    """A run of restarts: the row of `member_id` that left and came back, and the times at which it was there again, seconds since 1970.

    Each time is at most `RUN_SECONDS` after the one before.
    """

    member: int
    times: tuple[float, ...]

    @property
    def count(self) -> int:
        return len(self.times)

    @property
    def seconds(self) -> float:
        """From the first to the last time."""
        return self.times[-1] - self.times[0]

    @property
    def period(self) -> float:
        """The usual time between two, NaN for a single one."""
        return float(np.median(np.diff(self.times))) if self.count > 1 else np.nan

    @property
    def is_unstable(self) -> bool:
        """Whether it came back three times or more, which is then told once, by its pattern."""
        return self.count >= _MANY

    def is_over(self, time: float) -> bool:
        """Tell whether a run of two or more has ended at this time, which is not before its last."""
        return time - self.times[-1] > _PAUSES * float(np.diff(self.times).max())

    def within(self, time: np.ndarray) -> "Restarts":
        """Return those at these times alone."""
        return self._replace(times=tuple(np.array(self.times)[np.isin(self.times, time)].tolist()))


class Life(NamedTuple):
    """A member that a consumer was, and when it was first and last seen, seconds since 1970."""

    member_id: str
    first: float
    last: float


@dataclass(frozen=True, eq=False)
class Series:
    """S slots, P partitions, M members; only slots of which something was read.

    Parameters
    ----------
    slot : int64 (S,)
        Numbers of slots, ascending. Numbers between two neighbours are slots without a snapshot.
    time : float64 (S,)
        Seconds since 1970 at which each was read.
    topic_name : (T,) str
        Ascending.
    topic, partition : int32 (P,)
        By topic and partition.
    begin_offset, committed_offset, end_offset : int64 (S, P)
        `UNKNOWN` where missing or unknown.
    lag : int64 (S, P)
        The page's lag, `UNKNOWN_LAG` where unknown.
    member_id : (M,) str
        Every member of any slot, in the order in which they came.
    owner : int32 (S, P)
        Row of `member_id`, or `UNASSIGNED`.
    is_listed : bool (S, P)
        Whether the slot has a row of the partition.
    is_member : bool (S, M)
        Whether the slot names the member.
    generation : int64 (S,)
        Classic generation or epoch of the group, `UNKNOWN` where unknown.
    read_seconds : float64 (S, P) or None
        Age of the record at the committed offset by its own timestamp, `UNKNOWN_SECONDS` where it was not read; None where none was.
    restarts : tuple of Restarts
        Of a series by lineage: the consumers that left and came back, the longest run first.
    client_id : (M,) str or None
        Of a series by lineage; empty where none is known.
    lives : (M,) tuples of Life
        Of a series by lineage: the members that each consumer was, in the order in which they came.
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
    restarts: tuple[Restarts, ...] = ()
    client_id: tuple[str | None, ...] = ()
    lives: tuple[tuple[Life, ...], ...] = ()

    def at(self, rows: np.ndarray | slice) -> "Series":
        """Return these slots alone; partitions and members stay."""
        columns = {name: getattr(self, name)[rows] for name in _OF_SLOTS}
        restarts = sorted_runs(one.within(columns["time"]) for one in self.restarts)
        return replace(self, **columns, restarts=restarts, read_seconds=None if self.read_seconds is None else self.read_seconds[rows])

    @property
    def slot_count(self) -> int:
        return self.time.size

    @property
    def tp_count(self) -> int:
        return self.topic.size

    @cached_property
    def is_there(self) -> np.ndarray:
        """bool (S,): whether the slot says anything of the group, names a partition or a member."""
        return self.is_listed.any(axis=1) | self.is_member.any(axis=1)

    def until(self, row: int) -> "Series":
        """Return the slots up to a row, and with it."""
        return self.at(slice(row + 1))

    @cached_property
    def is_observed(self) -> np.ndarray:
        """bool (S, P): an observation in the sense of the verdicts, committed offset and lag are known."""
        return (self.committed_offset != UNKNOWN) & (self.lag != UNKNOWN_LAG)

    @cached_property
    def restarted(self) -> np.ndarray:
        """bool (S, P): the end or begin offset is below the one before; a series begins anew. The first slot is none."""
        return _falls(self.end_offset) | _falls(self.begin_offset)

    @cached_property
    def first_slot(self) -> np.ndarray:
        """int32 (S, P): row of the slot in which the partition's series began, as of each slot."""
        rows = np.arange(self.slot_count, dtype=np.int32)[:, None]
        return np.maximum.accumulate(np.where(self.restarted, rows, np.int32(0)), axis=0)


def sorted_runs(found: Iterable[Restarts]) -> tuple[Restarts, ...]:
    """Return the runs that have a restart, the longest first."""
    return tuple(sorted((one for one in found if one.count), key=lambda one: -one.count))


def _falls(offset: np.ndarray) -> np.ndarray:
    """Tell where an offset is below the last one that was known."""
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
    """Return for each row the last known value up to it, by column; rows before the first known value stay as they are."""
    rows = np.arange(values.shape[0], dtype=np.int32)[:, None]
    last = np.maximum.accumulate(np.where(known, rows, np.int32(0)), axis=0)
    return np.take_along_axis(values, last, axis=0)
