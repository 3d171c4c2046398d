"""Kafka Streams applications: their probing rebalances under each task assignor, and their edits
step by step.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import msgspec

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.protocol import STREAMS
from evenkeel.assignors.rounds.streams import (
    MOST_ROUNDS,
    GridPoint,
    StreamsRounds,
    probing_rebalances,
    streams_grid,
)
from evenkeel.dashboard.names import process_names, thread_names
from evenkeel.dashboard.shell import cache
from evenkeel.dashboard.shell.cache import ALL, kept
from evenkeel.dashboard.shell.loading.walks import digests, onward, state_after
from evenkeel.dashboard.shell.reader import require_seen
from evenkeel.dashboard.view import ApplicationView, OpenGroup, TaskRound, TaskRounds
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import GroupKey, application_from_document, task_settings
from evenkeel.data.group.columns.application_document import task_order
from evenkeel.data.group.columns.application_rates import restoring_rates, with_measured_rates
from evenkeel.data.group.document.application import Application
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationState
from evenkeel.data.scenarios.edits.edit import EditPlace, RefusedEditError
from evenkeel.data.scenarios.leaders import why_task_there
from evenkeel.data.scenarios.run.application_step import (
    AskedOfApplication,
    TaskStep,
    joined,
    joining,
    rows_of_owners,
)
from evenkeel.data.scenarios.run.results import asked_task_assignors
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.scenarios.size import OverBudgetError, SizeOfApplication, require_steps
from evenkeel.data.scenarios.stored_groups import (
    StoredGroup,
    application_with_measured_rates,
    stored_application,
    stored_applications,
)
from evenkeel.data.sources.examples.worked_examples import example_document, streams_example


def is_application(opened: OpenGroup) -> bool:
    """Return whether the open group is a Kafka Streams application.

    Raises
    ------
    SnapshotError
        If the batch is gone.
    """
    if opened.slug:
        return streams_example(opened.slug) is not None
    require_seen(opened)
    return GroupKey(opened.group_id, None if opened.group_id else opened.source_file) in _stored(
        opened.batch
    )


def application(opened: OpenGroup) -> ApplicationView:
    """Return the open application as a document.

    Raises
    ------
    SnapshotError
        If the batch is gone.
    """
    require_seen(opened)
    return _application(key_of(opened))


def key_of(opened: OpenGroup) -> OpenGroup:
    """Return a cache key: only the fields of the open application that change its data. Fields for
    other pages are left out. The field `earlier` is the batch of an earlier reading, for rates.
    """
    return OpenGroup(
        opened.slug,
        opened.batch,
        opened.group_id,
        opened.source_file,
        earlier=opened.earlier,
        restore_rate=opened.restore_rate,
    )


def shown(
    opened: OpenGroup, document: Application, start: Application | None = None, digest: str = ""
) -> ApplicationView:
    """Return an application's document as pages need it. `start`: the document before edits.
    `digest`: the digest of the edits.
    """
    processes = document.processes or []
    return ApplicationView(
        opened,
        document,
        application_from_document(document),
        restoring_rates(document),
        tuple((document.tasks or ())[place].task_id for place in task_order(document).tolist()),
        process_names(processes),
        thread_names(processes),
        rows_of_owners(start or document, document),
        digest,
    )


@kept
def _stored(batch: str) -> list[GroupKey]:
    return stored_applications(configuration().lake, batch)


@kept
def _application(opened: OpenGroup) -> ApplicationView:
    document = example_document(opened.slug) if opened.slug else _document(opened)
    return shown(
        opened,
        document if opened.restore_rate is None else _with_rate(document, opened.restore_rate),
    )


def _with_rate(document: Application, rate: float) -> Application:
    """Set `rate` as the restore rate of each instance whose rate is missing."""
    others = {process.process_id: rate for process in document.processes or ()}
    return msgspec.structs.replace(document, restore_rates=others | (document.restore_rates or {}))


def _document(opened: OpenGroup) -> Application:
    chosen = configuration()
    stored = StoredGroup(
        chosen.lake, opened.batch, opened.group_id, opened.source_file, chosen.budget
    )
    application = application_with_measured_rates(stored)
    earlier = stored_application(stored._replace(batch=opened.earlier)) if opened.earlier else None
    if application is None:
        raise SnapshotError(
            f"group {opened.group_id}: found no tasks in this upload, expected tasks of a Kafka"
            " Streams application"
        )
    chosen.budget.require_listed(SizeOfApplication(application).footprint)
    return with_measured_rates(application, earlier) if earlier else application


# The probing rebalances of an application under each task assignor and under other settings. Long
# computations run in the background.


_MOST_BYTES = 256 * 10**6


_ENTRY_BYTES = 32
"""Bytes for each process and task while a round is computed."""


_LEAST_ROUNDS = 25


_PATIENCE = 1.5


class AssignorRounds(NamedTuple):
    """The rounds of one assignor. `task_rounds` is None if the assignor failed with `error`."""

    assignor: StreamsSettings
    task_rounds: TaskRounds | None
    error: AssignorError | None = None


def default_assignor(document: Application) -> str:
    """Return Kafka's default assignor: the broker's assignor for a streams group, else the leader's
    assignor.
    """
    streams = [
        name for name, made in TASK_ASSIGNORS.items() if made.group_type == document.type == STREAMS
    ]
    return streams[0] if streams else HighAvailabilityTaskAssignor.name


def made_of(document: Application, name: str) -> StreamsSettings:
    """Return an assignor with the settings in the document.

    Raises
    ------
    SnapshotError
        If a setting is unknown or out of range.
    """
    made: type[StreamsSettings] = TASK_ASSIGNORS[name]
    try:
        return made(**task_settings(made, document.settings or {}, "settings"))
    except ValueError as error:
        raise SnapshotError(str(error)) from None


def answered(view: ApplicationView, name: str, patience: float = _PATIENCE) -> AssignorRounds:
    """Return the rounds of an assignor. If they take longer than `patience` seconds, return only
    the first round; the other rounds are computed in the background.

    Raises
    ------
    SnapshotError
        If a setting is unknown or out of range.
    """
    key = (answered, view.opened, view.digest, name)
    assignor = made_of(view.document, name)
    if cache.missing({key: partial(_keep, key, view, assignor)}, patience):
        return ALL.get((*key, "first"), lambda: _answered(view, assignor, 1))
    return ALL.get(key, lambda: _answered(view, assignor, most_rounds(view)))


def most_rounds(view: ApplicationView) -> int:
    """Return the largest number of rounds to compute: fewer if the application is large."""
    each = max(view.snapshot.process_count * view.snapshot.task_count * _ENTRY_BYTES, 1)
    return max(min(MOST_ROUNDS, _MOST_BYTES // each), _LEAST_ROUNDS)


def _keep(
    key: tuple, view: ApplicationView, assignor: StreamsSettings, _is_wanted: Callable[[], bool]
) -> None:
    ALL.get(key, lambda: _answered(view, assignor, most_rounds(view)))


def _answered(view: ApplicationView, assignor: StreamsSettings, most: int) -> AssignorRounds:
    try:
        rounds = probing_rebalances(view.snapshot, assignor, view.restoring, most_rounds=most)
        return AssignorRounds(assignor, _slim(rounds, is_whole=most > 1 or rounds.is_balanced))
    except AssignorError as error:
        return AssignorRounds(assignor, None, error)


def _slim(answer: StreamsRounds, is_whole: bool) -> TaskRounds:
    # A copy of the snapshot does not have its cached matrices of processes and tasks.
    rounds = tuple(
        TaskRound(
            each.seconds,
            replace(each.application),
            each.answer,
            each.active_left,
            each.standby_left,
        )
        for each in answer.rounds
    )
    return TaskRounds(
        rounds, answer.is_balanced, answer.is_endless, answer.seconds_to_balance, is_whole
    )


def why_there(
    view: ApplicationView, assignor: StreamsSettings, rounds: TaskRounds, number: int, task: int
) -> tuple[str, ...]:
    """Return sentences that say why a task and its copies are on their instances after a round.
    Round 0 is the application as listed.
    """
    key = (why_there, view.opened, view.digest, assignor, number, task)
    return ALL.get(
        key, partial(_why_there, view, assignor, rounds.rounds[number].application, task)
    )


def _why_there(
    view: ApplicationView, assignor: StreamsSettings, joins: ApplicationSnapshot, task: int
) -> tuple[str, ...]:
    answers = probing_rebalances(joins, assignor, view.restoring, most_rounds=1).rounds[0].answers
    last = joining(joins, answers[:-1], view.restoring)[-1]
    return why_task_there(last, assignor, task, view.processes, view.threads)


_LAGS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


_WARMUPS = (1, 2, 4, 8, 16)


class Grid(NamedTuple):
    """Results by (max.warmup.replicas, acceptable.recovery.lag). Results that are not computed yet
    are missing.
    """

    warmups: tuple[int, ...]
    lags: tuple[int, ...]
    points: dict[tuple[int, int], GridPoint]
    is_whole: bool


def balance_times(
    view: ApplicationView, assignor: StreamsSettings, standbys: int, interval_ms: int
) -> Grid:
    """Return the results that are computed so far, by max.warmup.replicas and
    acceptable.recovery.lag. Missing results are computed in the background.
    """
    base = replace(
        assignor, num_standby_replicas=standbys, probing_rebalance_interval_ms=interval_ms
    )
    lags, warmups = (
        _with(_LAGS, assignor.acceptable_recovery_lag),
        _with(_WARMUPS, assignor.max_warmup_replicas),
    )
    keys = {
        (balance_times, view.opened, view.digest, assignor.name, base, row, lag): (row, lag)
        for row in warmups
        for lag in lags
    }
    tasks = {key: partial(_compute, key, view, base, *place) for key, place in keys.items()}
    waiting = cache.missing(tasks)
    points = {place: ALL.find(key) for key, place in keys.items() if key not in waiting}
    return Grid(
        warmups, lags, {place: point for place, point in points.items() if point}, not waiting
    )


def _with(values: tuple[int, ...], own: int) -> tuple[int, ...]:
    return tuple(sorted({*values, own}))


def _compute(
    key: tuple,
    view: ApplicationView,
    assignor: StreamsSettings,
    row: int,
    lag: int,
    _is_wanted: Callable[[], bool],
) -> None:
    values = {"acceptable_recovery_lag": [lag], "max_warmup_replicas": [row]}
    ALL.get(key, lambda: streams_grid(view.snapshot, assignor, values, view.restoring)[0])


# Steps of edits of an application. Under each assignor, a step starts with the end of the previous
# step under that assignor.


Steps = Sequence[Step]


def view_of(opened: OpenGroup, steps: Steps, number: int, name: str) -> ApplicationView:
    """Return the application at the start of a step's rebalance, after the step's edits, under the
    assignor `name`. Step 0 is the application as listed.

    Raises
    ------
    RefusedEditError
        If an edit up to this step names a missing thing or exceeds the budget. The error says which
        edit it is.
    """
    if not number:
        return application(opened)
    _require_allowed(opened, steps[:number])
    digest = f"{digests(steps[:number])[-1]} {name}"
    return ALL.get((view_of, opened, digest), lambda: _view_of(opened, steps, number, name, digest))


def state_before(opened: OpenGroup, steps: Steps, number: int, name: str) -> ApplicationState:
    """Return the balanced application before step `number`, counted from 1. Raises the errors of
    `view_of`.
    """
    before = steps[: number - 1]
    _require_allowed(opened, before)
    keys = [(state_before, opened, digest, name) for digest in digests(before)[1:]]
    listed = TaskStep(name, rests=ApplicationState(application(opened).document))
    walk = onward([listed], before, keys, lambda: AskedOfApplication(name))
    if walk.refused:
        raise RefusedEditError(
            EditPlace(walk.refused.step - 1, walk.refused.edit or 0), walk.refused.text
        )
    return next(each for each in map(state_after, reversed(walk.answers)) if each is not None)


def _view_of(
    opened: OpenGroup, steps: Steps, number: int, name: str, digest: str
) -> ApplicationView:
    before = state_before(opened, steps, number, name)
    joins = joined(before, steps[number - 1], number - 1)
    # A step has no time; only the listing has.
    return shown(
        opened, msgspec.structs.replace(joins.document, taken_at=None), before.document, digest
    )


def _require_allowed(opened: OpenGroup, steps: Steps) -> None:
    document = application(opened).document
    try:
        require_steps(
            configuration().budget,
            SizeOfApplication(document),
            steps,
            len(asked_task_assignors(document, None)),
        )
    except OverBudgetError as error:
        raise RefusedEditError(EditPlace(error.step, error.edit or 0), error.reason) from None
