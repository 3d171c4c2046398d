"""Speeds of a history that is too short for three windows, such as two listings: shorter windows, or one draw of what was seen."""

import numpy as np

from evenkeel.assignors.history.series import UNKNOWN_RATE, Series
from evenkeel.assignors.history.speed.busy_windows import busy_rates
from evenkeel.assignors.history.speed.capacity import LEAST_WINDOWS, are_medians, with_medians
from evenkeel.assignors.history.speed.draws import Draws, draws
from evenkeel.assignors.history.speed.rates import WINDOW, rates
from evenkeel.assignors.history.speed.records_on_the_way import kept_up_with, on_the_way, possible
from evenkeel.assignors.history.speed.stuck import stuck


def draws_of(series: Series, chance: np.random.Generator, group_of_member: np.ndarray | None = None) -> Draws:
    """Draw as `draws` does, of few readings in windows of two or more; `group_of_member` as in `capacity`.

    Of fewer than six there is one draw, without a band: members go on reading what they read while they had records to read all the time.
    """
    span = int(series.slot[-1] - series.slot[0]) + 1 if series.slot_count else 0
    window = min(span // LEAST_WINDOWS, WINDOW)
    if window >= 2:
        return draws(series, chance, window=window, group_of_member=group_of_member)
    return _one_draw(series, max(span, 1), group_of_member)


def _one_draw(series: Series, window: int, group_of_member: np.ndarray | None) -> Draws:
    last = np.array([series.slot_count - 1]) if series.slot_count else np.zeros(0, dtype=np.int64)
    waiting, in_rate = on_the_way(series, window), rates(series, last, window).incoming
    busy = busy_rates(series, window)
    seen = busy if busy.size else np.full((1, len(series.member_id)), UNKNOWN_RATE)
    busy_rate = possible(with_medians(seen, group_of_member), series, waiting, in_rate)
    proven = kept_up_with(series, waiting, in_rate)
    return Draws(in_rate, busy_rate, np.zeros_like(busy_rate), waiting, proven, are_medians(seen, busy_rate), stuck(series, waiting))
