"""The probing rebalances of an application under each task assignor, and under other settings; long ones are computed behind the page."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.protocol import TaskAssignor
from evenkeel.assignors.rounds.streams import MOST_ROUNDS, GridPoint, StreamsRounds, probing_rebalances, streams_grid
from evenkeel.dashboard.loading.cache import later
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.view import ApplicationView, TaskRound, TaskRounds
from evenkeel.data.columns import task_settings
from evenkeel.data.document.application import Application
from evenkeel.data.errors import SnapshotError

_MOST_BYTES = 256 * 10**6


_ENTRY_BYTES = 32
"""What a round takes for each process and task while it is computed."""


_LEAST_ROUNDS = 25


_PATIENCE = 1.5


_STREAMS = "streams"


class Answered(NamedTuple):
    """One assignor's rounds, or why it has none."""

    assignor: TaskAssignor
    found: TaskRounds | None
    error: AssignorError | None = None


def default_assignor(document: Application) -> str:
    """Return the one that Kafka takes where nothing is configured: of the broker for a streams group, else of the leader."""
    streams = [name for name, made in TASK_ASSIGNORS.items() if made.group_type == document.type == _STREAMS]
    return streams[0] if streams else HighAvailabilityTaskAssignor.name


def made_of(document: Application, name: str) -> TaskAssignor:
    """Return an assignor with the document's settings.

    Raises
    ------
    SnapshotError
        Where a setting is unknown or out of range.
    """
    made = TASK_ASSIGNORS[name]
    try:
        return made(**task_settings(made, document.settings or {}, "settings"))
    except ValueError as error:
        raise SnapshotError(str(error)) from None


def answered(view: ApplicationView, name: str, patience: float = _PATIENCE) -> Answered:
    """Return the rounds of an assignor; after `patience` seconds the first one alone while the others are computed.

    Raises
    ------
    SnapshotError
        Where a setting is unknown or out of range.
    """
    key = (answered, view.opened, view.digest, name)
    assignor = made_of(view.document, name)
    if later.missing({key: partial(_keep, key, view, assignor)}, patience):
        return ALL.get((*key, "first"), lambda: _answered(view, assignor, 1))
    return ALL.get(key, lambda: _answered(view, assignor, most_rounds(view)))


def most_rounds(view: ApplicationView) -> int:
    """Return how many rounds are computed at most: large applications take much memory."""
    each = max(view.snapshot.process_count * view.snapshot.task_count * _ENTRY_BYTES, 1)
    return max(min(MOST_ROUNDS, _MOST_BYTES // each), _LEAST_ROUNDS)


def _keep(key: tuple, view: ApplicationView, assignor: TaskAssignor, _is_wanted: Callable[[], bool]) -> None:
    ALL.get(key, lambda: _answered(view, assignor, most_rounds(view)))


def _answered(view: ApplicationView, assignor: TaskAssignor, most: int) -> Answered:
    try:
        found = probing_rebalances(view.snapshot, assignor, view.restoring, most_rounds=most)
        return Answered(assignor, _slim(found, is_whole=most > 1 or found.is_balanced))
    except AssignorError as error:
        return Answered(assignor, None, error)


def _slim(found: StreamsRounds, is_whole: bool) -> TaskRounds:
    # A copy of the snapshot is without the matrices that it has computed of processes and tasks.
    rounds = tuple(
        TaskRound(each.seconds, replace(each.application), each.answer, each.active_left, each.standby_left) for each in found.rounds
    )
    return TaskRounds(rounds, found.is_balanced, found.is_endless, found.seconds_to_balance, is_whole)


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
