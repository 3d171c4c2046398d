"""Whether the history of an open group gives rates, which is what the highest level of completeness needs."""

from functools import partial

import numpy as np

from evenkeel.assignors.history.series import Series
from evenkeel.assignors.history.speed import WINDOW, rates
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.history.readings import Readings, readings
from evenkeel.dashboard.loading.history.speeds import MOST_PARTITIONS
from evenkeel.dashboard.view import View
from evenkeel.data.lake.history.instants import Instants
from evenkeel.data.lake.history.recent import last_of


def is_rated(view: View) -> bool:
    """Tell whether a rate of a partition of what is open is known.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    opened = view.opened
    if not view.observed.level or opened.batch is None or opened.group_id is None or view.comparison.group.tp_count > MOST_PARTITIONS:
        return False
    read = readings(opened)
    last = last_of(read.found, WINDOW)
    if len(last.batches) < 2:
        return False
    key = (is_rated, read.lake, opened.group_id, last.axis.batch[-1])
    return ALL.get(key, partial(_has_rates, read, opened.group_id, last))


def has_rates(series: Series) -> bool:
    """Tell whether the last readings give a rate of any partition."""
    found = rates(series, np.array([series.slot_count - 1]))
    return any(not np.isnan(one).all() for one in found)


def _has_rates(read: Readings, group_id: str, last: Instants) -> bool:
    return has_rates(read.history(group_id, last).series)
