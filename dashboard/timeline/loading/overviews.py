"""The total lag of a group over the week that contains the Timeline's range."""

from functools import partial
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.timeline.pictures.member_lags import thinned
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.readings import readings
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.lake.history.instants import Instants, between
from evenkeel.data.lake.history.totals import Totals, totals_in
from evenkeel.data.lake.place import Place
from evenkeel.data.prometheus.facts import exporters_of

WEEK = 7 * 86_400
_BINS = 360


class Overview(NamedTuple):
    """The total lag of a group at each reading, from `since` to `until` (seconds since 1970). For R
    readings: time float64 (R,), stretch int64 (R,), lag int64 (R,). `stretch` is a number that
    changes after each gap.

    `every`: from the time `sparse_since` on, only every N-th reading is used. `past`: first and
    last time of the readings from a metrics store.
    """

    since: float
    until: float
    time: np.ndarray
    stretch: np.ndarray
    lag: np.ndarray
    every: int
    sparse_since: float
    past: tuple[float, float] | None


def overview(group: OpenGroup, since: float, until: float) -> Overview:
    """Return the total lag of an open group in the last week of its readings. If the range starts
    earlier, return the week around the range.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    read = readings(group)
    slots = read.found
    chosen = between(slots, *_around(since, until, *slots.axis.time[[0, -1]].tolist()))
    key = (
        overview,
        read.lake,
        read.cluster,
        group.group_id,
        chosen.axis.batch[0],
        chosen.axis.batch[-1],
        len(chosen.batches),
    )
    return ALL.get(key, partial(_overview, read.lake, group.group_id, chosen))


def _around(since: float, until: float, first: float, last: float) -> tuple[float, float]:
    if since >= last - WEEK:
        return max(first, last - WEEK), last
    begin = max((since + until - WEEK) / 2, first)
    return min(begin, since), min(max(begin + WEEK, until), last)


def _overview(lake: Place, group_id: str, chosen: Instants) -> Overview:
    totals = totals_in(lake, group_id, chosen)
    stretch = _stretches(chosen, totals)
    known = np.flatnonzero(totals.lag != UNKNOWN_LAG)
    drawn = known[thinned(totals.lag[known, None], stretch[known], _BINS)] if known.size else known
    time = chosen.axis.time
    return Overview(
        since=float(time[0]),
        until=float(time[-1]),
        time=time[totals.row[drawn]],
        stretch=stretch[drawn],
        lag=totals.lag[drawn],
        every=totals.every,
        sparse_since=float(time[totals.first]),
        past=_past(chosen),
    )


def _past(chosen: Instants) -> tuple[float, float] | None:
    is_of_store = [bool(exporters_of(each.formats)) for each in chosen.batches]
    rows = np.flatnonzero(is_of_store)
    time = chosen.axis.time
    return (float(time[rows[0]]), float(time[rows[-1]])) if rows.size else None


def _stretches(chosen: Instants, totals: Totals) -> np.ndarray:
    """Return a number for each reading. The number changes after a gap, and also when the lag
    becomes unknown or known again.
    """
    # Readings that were skipped are not a gap.
    gaps = np.cumsum(np.diff(chosen.axis.slot, prepend=chosen.axis.slot[:1]) > 1)[totals.row]
    is_known = totals.lag != UNKNOWN_LAG
    return np.cumsum(
        (np.diff(gaps, prepend=gaps[:1]) > 0) | (np.diff(is_known, prepend=is_known[:1]))
    )
