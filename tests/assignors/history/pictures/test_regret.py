"""The lag of the worst member as it was, beside other assignors."""

import numpy as np

from evenkeel.assignors.history.pictures.regret import Regret, replayed_rows, stalled_at_peak, stretches
from evenkeel.assignors.history.verdicts import verdicts
from tests.generated.histories import series_of


def regret(**worst) -> Regret:
    lags = np.array(list(worst.values())).T
    return Regret(np.arange(len(lags)) * 30.0, np.zeros(len(lags), dtype=np.int64), tuple(worst), lags)


def test_the_best_assignor_has_the_lowest_peak_and_of_those_the_lowest_mean():
    found = regret(current=[10, 100, 50], range=[10, 100, 50], sticky=[60, 60, 60], lag=[10, 60, 30])

    assert (found.peaks.tolist(), found.best, found.candidate) == ([100, 100, 60, 60], 3, 3)


def test_nothing_is_clearly_better_within_5_percent_of_the_peak():
    assert regret(current=[100, 100], lag=[95, 95]).candidate is None
    assert regret(current=[100, 100], lag=[94, 94]).candidate == 1
    assert regret(current=[0, 0], lag=[0, 0]).candidate is None


def test_an_assignor_without_an_answer_at_some_slot_is_not_the_best():
    found = regret(current=[9, 9], range=[-1, 1], lag=[8, 8])

    assert (found.best, found.candidate) == (2, 2)
    assert regret(current=[9, 9], range=[-1, 1]).best is None


def history(slots: int, missed: range = range(0)):
    """One partition, one member; the lag is 5, and 99 at slot 70."""
    slot = np.array([number for number in range(slots) if number not in missed])
    return series_of([[100]] * slot.size, [[1 if number == 70 else 95] for number in slot.tolist()], slot=slot, member_count=1)


def test_peaks_the_first_the_last_and_both_ends_of_gaps_are_replayed():
    series = history(1000, missed=range(500, 600))
    rows = replayed_rows(series, 40)

    assert set(series.slot[rows].tolist()) >= {0, 70, 499, 600, 999} and rows.size <= 4 * 10 + 4
    assert stretches(series)[rows].tolist() == [int(slot >= 600) for slot in series.slot[rows]]


def test_few_slots_are_all_replayed():
    assert replayed_rows(history(100), 10**6).size == 100


def test_a_peak_after_a_stall_is_told_from_one_of_slow_reading():
    end = [[100 + 10 * slot] for slot in range(30)]
    stuck = [[min(slot, 5) * 10 + 90] if slot < 20 else [end[slot][0]] for slot in range(30)]
    slow = [[90 + 5 * slot] for slot in range(30)]

    for committed, is_stalled in ((stuck, True), (slow, False)):
        series = series_of(end, committed, member_count=1)

        assert stalled_at_peak(series, verdicts(series)) == is_stalled
