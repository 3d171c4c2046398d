"""Replay: the owners that an assignor chooses at each snapshot of a group. Regret: the lag of the
worst member under the actual owners, compared with the lag of the worst member under each assignor.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, AssignorError
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, read_lag
from evenkeel.assignors.group.owned import with_owned
from evenkeel.assignors.group.series import Series, last_known
from evenkeel.assignors.protocol import Assignor
from evenkeel.assignors.timeline.pictures.member_lags import thinned
from evenkeel.assignors.timeline.verdicts import OBSERVATIONS, STALL, Verdicts

_CELLS = 1 << 17
"""Number of lags handled at once. More would not fit the processor's cache."""

_EXACT = 2**53
"""Sums below this number are exact as floats."""


class Offsets(NamedTuple):
    """Offsets of a group's partitions at each slot, int64 (S, P). `UNKNOWN` if unknown. `lag`: the
    lag that pages show.
    """

    begin: np.ndarray
    committed: np.ndarray
    end: np.ndarray
    lag: np.ndarray

    def of(self, rows: slice | int) -> "Offsets":
        """Return the offsets at the slots with the row numbers `rows`."""
        return Offsets(*(column[rows] for column in self))

    def as_snapshot(self) -> dict[str, Any]:
        """Return the columns under a snapshot's names. `given_lag`: the lag if the end offset or
        the committed offset is unknown, else `UNKNOWN`.
        """
        given = np.where((self.end == UNKNOWN) | (self.committed == UNKNOWN), self.lag, UNKNOWN)
        return {
            "begin_offset": self.begin,
            "committed_offset": self.committed,
            "end_offset": self.end,
            "given_lag": given,
        }


def answers(
    group: GroupSnapshot, offsets: Offsets, assignor: Assignor, before: np.ndarray | None
) -> np.ndarray | None:
    """Return the owners after each snapshot, int32 (S, P). None if Kafka's own class would throw.

    `before`: int32 (P,), the owners before the first snapshot. If None, members own the partitions
    that they claim in `group`.
    """
    at_once = _by_lag(group, offsets, assignor)
    if at_once is not None:
        return at_once
    owner = np.empty(offsets.end.shape, dtype=np.int32)
    try:
        for row, answer in enumerate(_answers(group, offsets, assignor, before)):
            owner[row] = answer
            if not assignor.uses_lag and row and (answer == owner[row - 1]).all():
                # The same input always gives the same answer, so all later answers are equal.
                owner[row:] = answer
                break
    except AssignorError:
        return None
    return owner


def _by_lag(group: GroupSnapshot, offsets: Offsets, assignor: Assignor) -> np.ndarray | None:
    """Return the answers of an assignor that depends only on lags. None for other assignors."""
    if not assignor.uses_lag:
        return None
    parts = []
    size = max(_CELLS // max(group.tp_count, 1), 1)
    for first in range(0, offsets.end.shape[0], size):
        columns = offsets.of(slice(first, first + size)).as_snapshot()
        lag = read_lag(*columns.values(), group.auto_offset_reset)
        owner = assignor.assign_each(group, lag)
        if owner is None:
            return None
        parts.append(owner)
    return np.concatenate(parts)


def _answers(
    group: GroupSnapshot, offsets: Offsets, assignor: Assignor, before: np.ndarray | None
) -> Iterator[np.ndarray]:
    for row in range(offsets.end.shape[0]):
        joined = group if before is None else with_owned(group, Assignment(before), 1)
        if assignor.uses_lag:
            joined = replace(joined, **offsets.of(row).as_snapshot())
        before = assignor.assign(joined).handed_out().owner
        yield before


def worst_lag(owner: np.ndarray, lag: np.ndarray, member_count: int) -> np.ndarray:
    """Return the lag of the worst member at each snapshot, int64 (S,). `owner`, `lag`: (S, P).
    Unknown lags are left out.
    """
    size = max(_CELLS // max(owner.shape[1], 1), 1)
    parts = [slice(first, first + size) for first in range(0, owner.shape[0], size)]
    lags = [
        _worst_lag(owner[rows], np.where(lag[rows] == UNKNOWN_LAG, 0, lag[rows]), member_count)
        for rows in parts
    ]
    return np.concatenate([np.zeros(0, dtype=np.int64), *lags])


def _worst_lag(owner: np.ndarray, lag: np.ndarray, member_count: int) -> np.ndarray:
    width = member_count + 1
    # The first place of each row is for partitions without an owner.
    place = (np.arange(owner.shape[0])[:, None] * width + owner + 1).ravel()
    if int(lag.max(initial=0)) < _EXACT // max(lag.shape[1], 1):
        sums = np.bincount(place, lag.ravel(), owner.shape[0] * width).astype(np.int64)
    else:
        sums = np.zeros(owner.shape[0] * width, dtype=np.int64)
        np.add.at(sums, place, lag.ravel())
    return sums.reshape(-1, width)[:, 1:].max(axis=1, initial=0)


def moved(owner: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    """Return for each answer the number of partitions that move from their last owner to another
    member, int64 (S,). The first number is -1 if `before` is None.

    `before`: int32 (P,), the last owners before the first answer. A departed member may have any
    number that no present member has.
    """
    whole = with_last_owner(owner if before is None else np.concatenate([before[None], owner]))
    first = np.full(int(before is None), -1)
    return np.concatenate(
        [first, np.count_nonzero((whole[1:] != whole[:-1]) & (whole[:-1] != UNASSIGNED), axis=1)]
    )


def with_last_owner(owner: np.ndarray) -> np.ndarray:
    """Return `owner`, int32 (S, P), with the previous owner in place of `UNASSIGNED`."""
    return last_known(owner, known) if not (known := owner != UNASSIGNED).all() else owner


# Regret


_BINS, _A_BIN = 60, 4
"""Number of bins, and largest number of slots in a bin: the slots with the least and the most lag
in total and of the worst member.
"""

CLEAR = 0.05
"""An assignor is clearly better if its peak is lower by this part of the peak."""


@dataclass(frozen=True, eq=False)
class Regret:
    """Worst lag under each answer over time: R slots, K answers.

    Parameters
    ----------
    time : float64 (R,)
        Seconds since 1970, ascending.
    stretch : int64 (R,)
        Number of each slot's stretch. Slots with equal numbers have no gap between them.
    names : (K,) str
        Names of the answers. The actual owners are first.
    worst : int64 (R, K)
        Lag of the worst member, `UNKNOWN_LAG` if the assignor has no answer.
    """

    time: np.ndarray
    stretch: np.ndarray
    names: tuple[str, ...]
    worst: np.ndarray

    @property
    def peaks(self) -> np.ndarray:
        """int64 (K,): the peak of each answer, which is its largest value in `worst`. `UNKNOWN_LAG`
        if an assignor has no answer.
        """
        return self.worst.max(axis=0, initial=UNKNOWN_LAG)

    @property
    def best(self) -> int | None:
        """Index in `names` of the assignor with the lowest peak. If peaks are equal, the lowest
        mean decides. None if no assignor has an answer at every slot.
        """
        whole = [
            place
            for place in range(1, len(self.names))
            if self.time.size and (self.worst[:, place] != UNKNOWN_LAG).all()
        ]
        return min(
            whole, key=lambda place: (self.peaks[place], self.worst[:, place].mean()), default=None
        )

    @property
    def candidate(self) -> int | None:
        """The index `best`, if its peak is clearly below the peak of the actual owners; else
        None.
        """
        best = self.best
        return (
            best
            if best is not None and self.peaks[0] - self.peaks[best] > CLEAR * self.peaks[0]
            else None
        )


def replayed_rows(series: Series, most_cells: int) -> np.ndarray:
    """Return the row numbers of the slots that a picture of the replay needs, int64: the first and
    the last slot, the slots before and after each gap, and slots with the most and the least lag.

    `series`: has at least one slot. `most_cells`: limit of slots x partitions; the slots next to
    gaps do not count.
    """
    bins = min(_BINS, max(most_cells // max(series.tp_count * _A_BIN, 1), 1))
    total = np.where(series.lag == UNKNOWN_LAG, 0, series.lag).sum(axis=1)
    worst = worst_lag(series.owner, series.lag, len(series.member_id))
    return thinned(np.column_stack([total, worst]), stretches(series), bins)


def stalled_at_peak(series: Series, verdicts: Verdicts) -> bool:
    """Return whether a partition had the verdict STALL when the worst member had its largest lag,
    or shortly before.
    """
    row = int(np.argmax(worst_lag(series.owner, series.lag, len(series.member_id))))
    return bool((verdicts.verdict[max(row - OBSERVATIONS, 0) : row + 1] == STALL).any())


def stretches(series: Series) -> np.ndarray:
    """Return the number of each slot's stretch, int64 (S,). A stretch is a run of slots between two
    gaps. Slots that do not list the group form stretches of their own.
    """
    listed = np.any(series.is_listed, axis=1)
    begins = (np.diff(series.slot) > 1) | (listed[1:] != listed[:-1])
    return np.cumsum(np.append(False, begins))
