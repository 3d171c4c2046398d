"""Time to balance under other settings, computed behind the page."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from evenkeel.assignors.protocol import TaskAssignor
from evenkeel.assignors.rounds.streams import GridPoint, streams_grid
from evenkeel.dashboard.loading.cache import later
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.view import ApplicationView

_LAGS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
_WARMUPS = (1, 2, 4, 8, 16)


class Grid(NamedTuple):
    """Points by (max.warmup.replicas, acceptable.recovery.lag); those that are still computed are not there."""

    warmups: tuple[int, ...]
    lags: tuple[int, ...]
    points: dict[tuple[int, int], GridPoint]
    is_whole: bool


def balance_times(view: ApplicationView, assignor: TaskAssignor, standbys: int, interval_ms: int) -> Grid:
    """Return the points that are known, with the other two settings as given; the others are computed one after the other."""
    base = replace(assignor, num_standby_replicas=standbys, probing_rebalance_interval_ms=interval_ms)
    lags, warmups = _with(_LAGS, assignor.acceptable_recovery_lag), _with(_WARMUPS, assignor.max_warmup_replicas)
    keys = {(balance_times, view.opened, view.digest, assignor.name, base, row, lag): (row, lag) for row in warmups for lag in lags}
    asked = {key: partial(_compute, key, view, base, *place) for key, place in keys.items()}
    waiting = later.missing(asked)
    points = {place: ALL.find(key) for key, place in keys.items() if key not in waiting}
    return Grid(warmups, lags, {place: point for place, point in points.items() if point}, not waiting)


def _with(values: tuple[int, ...], own: int) -> tuple[int, ...]:
    return tuple(sorted({*values, own}))


def _compute(key: tuple, view: ApplicationView, assignor: TaskAssignor, row: int, lag: int, _is_wanted: Callable[[], bool]) -> None:
    values = {"acceptable_recovery_lag": [lag], "max_warmup_replicas": [row]}
    ALL.get(key, lambda: streams_grid(view.snapshot, assignor, values, view.restoring)[0])
