"""Completeness of an open group with its history: two readings or more are the highest level."""

from functools import partial

import numpy as np

from assignors.history.series import Series
from assignors.history.speed.rates import WINDOW, rates
from dashboard.loading.cache.cache import ALL
from dashboard.loading.history.readings import Readings, readings
from dashboard.loading.history.speeds import MOST_PARTITIONS
from dashboard.view import View
from data.lake.history.instants import Instants
from data.lake.history.recent import last_of

RATES = 5


def level_of(view: View) -> int:
    """Return the level of what is open: 5 where a rate of a partition is known, else that of its last reading.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    opened, own = view.opened, view.observed.level
    if not own or opened.batch is None or opened.group_id is None or view.comparison.group.tp_count > MOST_PARTITIONS:
        return own
    read = readings(opened)
    last = last_of(read.found, WINDOW)
    if len(last.batches) < 2:
        return own
    key = (level_of, read.lake, opened.group_id, last.axis.batch[-1])
    return RATES if ALL.get(key, partial(_has_rates, read, opened.group_id, last)) else own


def has_rates(series: Series) -> bool:
    """Tell whether the last readings give a rate of any partition."""
    found = rates(series, np.array([series.slot_count - 1]))
    return any(not np.isnan(one).all() for one in found)


def _has_rates(read: Readings, group_id: str, last: Instants) -> bool:
    return has_rates(read.history(group_id, last).series)
