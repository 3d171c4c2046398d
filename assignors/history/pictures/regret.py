"""Regret: the lag of the worst member as the group was, beside what it would have been under assignors that were asked again."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.history.pictures.thinning import thinned
from evenkeel.assignors.history.replay import worst_lag
from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.verdicts import OBSERVATIONS, STALL, Verdicts

_BINS, _A_BIN = 60, 4
"""Of each bin up to four slots stay: those with the least and the most in all, and of the worst member."""

CLEAR = 0.05
"""Share of the peak from which an assignor is clearly better."""


@dataclass(frozen=True, eq=False)
class Regret:
    """R slots; K answers.

    Parameters
    ----------
    time : float64 (R,)
        Seconds since 1970, ascending.
    stretch : int64 (R,)
        Equal numbers have no gap between them.
    names : (K,) str
        The owners as they were come first.
    worst : int64 (R, K)
        Lag of the worst member, `UNKNOWN_LAG` where the assignor has no answer.
    """

    time: np.ndarray
    stretch: np.ndarray
    names: tuple[str, ...]
    worst: np.ndarray

    @property
    def peaks(self) -> np.ndarray:
        """int64 (K,): the largest worst lag of each, `UNKNOWN_LAG` where it has no answer."""
        return self.worst.max(axis=0, initial=UNKNOWN_LAG)

    @property
    def best(self) -> int | None:
        """The assignor with the lowest peak, of those the one with the lowest mean; None where none answers at every slot."""
        whole = [place for place in range(1, len(self.names)) if self.time.size and (self.worst[:, place] != UNKNOWN_LAG).all()]
        return min(whole, key=lambda place: (self.peaks[place], self.worst[:, place].mean()), default=None)

    @property
    def candidate(self) -> int | None:
        """The best one, if its peak is clearly lower than that of the owners as they were."""
        best = self.best
        return best if best is not None and self.peaks[0] - self.peaks[best] > CLEAR * self.peaks[0] else None


def replayed_rows(series: Series, most_cells: int) -> np.ndarray:
    """Return the slots that are worth a replay for a picture, int64: first and last, both ends of gaps, peaks and lows.

    `series`: of one slot or more. `most_cells`: slots x partitions, but for the ends of gaps.
    """
    bins = min(_BINS, max(most_cells // max(series.tp_count * _A_BIN, 1), 1))
    total = np.where(series.lag == UNKNOWN_LAG, 0, series.lag).sum(axis=1)
    worst = worst_lag(series.owner, series.lag, len(series.member_id))
    return thinned(np.column_stack([total, worst]), stretches(series), bins)


def stalled_at_peak(series: Series, verdicts: Verdicts) -> bool:
    """Tell whether a partition stalled when the worst member was furthest behind, or in the window before."""
    row = int(np.argmax(worst_lag(series.owner, series.lag, len(series.member_id))))
    return bool((verdicts.verdict[max(row - OBSERVATIONS, 0) : row + 1] == STALL).any())


def stretches(series: Series) -> np.ndarray:
    """Number the slots, int64 (S,), by the gaps before them; slots that do not list the group are stretches of their own."""
    listed = series.is_listed.any(axis=1)
    begins = (np.diff(series.slot) > 1) | (listed[1:] != listed[:-1])
    return np.cumsum(np.append(False, begins))
