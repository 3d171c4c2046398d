"""One step of a Kafka Streams application by one task assignor: edits, rebalances and figures."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError, TaskAssignment
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.application import RUNNING, ApplicationSnapshot
from evenkeel.assignors.group.tasks import (
    MovedTasks,
    is_left_unknown,
    moved_tasks,
    role_counts,
    tasks_without_caught_up_copy,
)
from evenkeel.assignors.protocol import STREAMS, TaskAssignor
from evenkeel.assignors.rounds.restoring import Restoring, restore
from evenkeel.assignors.rounds.streams import MOST_ROUNDS, StreamsRounds, probing_rebalances
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import TaskNames, application_from_document, task_settings
from evenkeel.data.group.columns.application_document import ordered_tasks
from evenkeel.data.group.columns.application_rates import document_after, restoring_rates
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationState, Rebalance
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.scenario.scenario import Step

TASK_FIGURES = (
    "max_active_tasks",
    "min_active_tasks",
    "max_stateful_tasks",
    "min_stateful_tasks",
    "standby_tasks",
    "warmup_tasks",
    "moved_tasks",
    "records_to_restore",
    "seconds_to_restore",
    "tasks_without_caught_up_copy",
    "rebalances",
    "rounds",
    "seconds_to_balance",
)
"""Figures of a step, in the order of `--json`.

`records_to_restore`: records that moved tasks must restore before they run again.
"""


NO_FIGURES: dict[str, Any] = {
    **dict.fromkeys(TASK_FIGURES),
    "probing_rebalance": None,
    "never_ends": None,
}


_MOST_BYTES, _ENTRY_BYTES, _LEAST_ROUNDS = 256 * 10**6, 32, 25


@dataclass(frozen=True, eq=False)
class TaskStep:
    """The answer of one assignor to one step.

    If Kafka's class throws in this step or an earlier step, only `name` and `error` are set.

    Parameters
    ----------
    start : Application
        The application before the step.
    joined : Application
        The application at the start of the rebalance.
    applications : tuple of ApplicationSnapshot
        The application at the start of each immediate rebalance.
    answers : tuple of TaskAssignment
        The assignment for each of `applications`.
    rounds : StreamsRounds
        Simulated rounds until the application is balanced.
    rests : ApplicationState
        State after the last immediate rebalance.
    """

    name: str
    assignor: TaskAssignor | None = None
    start: Application | None = None
    joined: Application | None = None
    applications: tuple[ApplicationSnapshot, ...] = ()
    answers: tuple[TaskAssignment, ...] = ()
    rounds: StreamsRounds | None = None
    rests: ApplicationState | None = None
    error: AssignorError | None = None

    @property
    def answer(self) -> TaskAssignment | None:
        """The assignment that remains until the next probing rebalance; None if Kafka's class
        throws.
        """
        return self.answers[-1] if self.answers else None

    @cached_property
    def moves(self) -> MovedTasks:
        """Active tasks that moved to another process, including tasks of departed processes."""
        assert self.start
        assert self.joined
        assert self.answer
        before = rows_of_owners(self.start, self.joined)
        return moved_tasks(
            self.applications[-1], before, self.answer, restoring_rates(self.joined).restore_rate
        )

    def assigned(self) -> dict[str, Any]:
        """Return the owners after the step."""
        return (
            TaskNames(self.joined).by_owner(self.answer, self.assignor.group_type)
            if self.joined and self.assignor and self.answer
            else {}
        )

    def withheld(self) -> dict[str, Any]:
        """Return the withheld tasks: first revoked, and assigned in a later rebalance."""
        return TaskNames(self.joined).withheld(self.answers[0]) if self.joined else {}

    def line(self) -> dict[str, Any]:
        """Return the step as a line of `evenkeel replay`."""
        return {
            "assignment": self.assigned(),
            "owned_before": _owned(self.start, self.assignor.group_type)
            if self.start and self.assignor
            else {},
            "withheld": self.withheld(),
            **figures_of_step(self),
            "assumed": assumed_of_step(self),
        }


class AskedOfApplication(NamedTuple):
    """One task assignor that must answer a scenario of an application."""

    name: str
    jdk: int | None = None

    def made(self, document: Application) -> TaskAssignor:
        """Return the assignor with the settings of the document."""
        return task_assignor(self.name, document.settings, self.jdk)

    def answer(self, state: ApplicationState, step: Step, number: int) -> TaskStep:
        """Apply the step's edits to the application and rebalance; `number`: index of the step."""
        joins = joined(state, step, number)
        return rebalance(state.document, joins, self.made(joins.document))

    def listed(self, document: Application) -> TaskStep:
        """Return the assignor's answer to the application as listed."""
        return rebalance(document, ApplicationState(document), self.made(document))

    def failed(self, error: AssignorError) -> TaskStep:
        """Return the answer to a step that follows a step in which Kafka's class threw."""
        return TaskStep(self.name, error=error)


def task_assignor(
    name: str, settings: dict[str, Any] | None, jdk: int | None = None
) -> TaskAssignor:
    """Return an assignor with the settings of a streams document.

    Raises
    ------
    SnapshotError
        If a setting is unknown or out of Kafka's range.
    """
    made, ours = TASK_ASSIGNORS[name], {} if jdk is None else {"jdk": jdk}
    try:
        return made(**task_settings(made, (settings or {}) | ours, "settings"))
    except ValueError as error:
        raise SnapshotError(f"settings: {error}") from None


def joined(state: ApplicationState, step: Step, number: int) -> ApplicationState:
    """Return the application after the edits of a step; `number`: index of the step.

    Raises
    ------
    SnapshotError
        If an edit names a missing thing. The message names the place of the edit.
    """
    for place, edit in step.edits_on:
        state = edit.apply(state, EditPlace(number, place))
    return state


def rebalance(start: Application, joins: ApplicationState, assignor: TaskAssignor) -> TaskStep:
    """Rebalance an application after its edits; `start`: the application before the step."""
    application, rates = application_from_document(joins.document), restoring_rates(joins.document)
    try:
        rounds = probing_rebalances(
            application, assignor, rates, most_rounds=_most_rounds(application)
        )
    except AssignorError as error:
        return TaskStep(assignor.name, error=error)
    answers = rounds.rounds[0].answers
    applications = joining(application, answers[:-1], rates)
    after = restore(applications[-1], answers[-1], 0, rates).application
    document = document_after(joins.document, after, answers[-1])
    rests = ApplicationState(
        document, joins.gone, Rebalance(applications[-1], answers[-1]), joins.assumed
    )
    return TaskStep(
        assignor.name, assignor, start, joins.document, applications, answers, rounds, rests
    )


def joining(
    application: ApplicationSnapshot, answers: Sequence[TaskAssignment], rates: Restoring
) -> tuple[ApplicationSnapshot, ...]:
    """Return the application at the start of each rebalance.

    First `application`, then the application after each of `answers`.
    """
    joined = [application]
    for answer in answers:
        joined.append(restore(joined[-1], answer, 0, rates).application)
    return tuple(joined)


def _most_rounds(application: ApplicationSnapshot) -> int:
    """Return the largest number of rounds to simulate; memory for processes and tasks limits it."""
    each = max(application.process_count * application.task_count * _ENTRY_BYTES, 1)
    return max(min(MOST_ROUNDS, _MOST_BYTES // each), _LEAST_ROUNDS)


def rows_of_owners(start: Application, joined: Application) -> np.ndarray:
    """Return the process that ran each task in `start`: int32 (K,), indices of `joined.processes`.

    For a departed process, the number C of these processes. `UNASSIGNED` if no process ran the
    task.
    """
    row = {process.process_id: number for number, process in enumerate(joined.processes or ())}
    runs = {
        task_id: row.get(process.process_id, len(row))
        for process in reversed(start.processes or ())
        for consumer in process.consumers
        for task_id in consumer.owned or ()
    }
    return np.array(
        [runs.get(task.task_id, UNASSIGNED) for task in ordered_tasks(joined)], dtype=np.int32
    )


def assumed_of_step(step: TaskStep) -> list[str]:
    """Return the assumed values on which the answer may depend."""
    if step.joined is None or step.rests is None:
        return []
    return sorted({*TaskNames(step.joined).assumed_paths(step.answers[0]), *step.rests.assumed})


def _owned(document: Application, group_type: str) -> dict[str, list[str]]:
    """Return the tasks of each process, or of each member of a streams group."""
    if group_type == STREAMS:
        return {
            consumer.member_id: consumer.owned or []
            for process in document.processes or ()
            for consumer in process.consumers
        }
    return {
        process.process_id: [
            task_id for consumer in process.consumers for task_id in consumer.owned or ()
        ]
        for process in document.processes or ()
    }


def figures_of_step(step: TaskStep) -> dict[str, Any]:
    """Return the figures after a step; all null if Kafka's class throws."""
    answer, rounds, assignor = step.answer, step.rounds, step.assignor
    if answer is None or rounds is None or assignor is None:
        return dict(NO_FIGURES)
    application = step.applications[-1]
    counts, knows_rates = (
        role_counts(application, answer),
        not any(each.is_assumed for each in rounds.rounds),
    )
    state = counts.state
    is_restored = _ends_are_known(application, step.moves.task, step.moves.to_process)
    return {
        "max_active_tasks": int(counts.active.max(initial=0)),
        "min_active_tasks": int(counts.active.min()) if counts.active.size else 0,
        "max_stateful_tasks": int(state.max(initial=0)),
        "min_stateful_tasks": int(state.min()) if state.size else 0,
        "standby_tasks": int(counts.standby.sum()),
        "warmup_tasks": int(counts.warmup.sum()),
        "moved_tasks": int(step.moves.task.size),
        "records_to_restore": step.moves.record_count if is_restored else None,
        "seconds_to_restore": _finite(step.moves.longest_seconds) if is_restored else None,
        "tasks_without_caught_up_copy": _without_copy(
            step.applications[0], assignor.acceptable_recovery_lag
        ),
        "rebalances": len(step.answers),
        "rounds": len(rounds.rounds) if rounds.is_balanced and knows_rates else None,
        "seconds_to_balance": rounds.seconds_to_balance,
        "probing_rebalance": answer.is_probing_rebalance_needed,
        "never_ends": rounds.is_endless if rounds.is_endless or rounds.is_balanced else None,
    }


def figures_as_listed(document: Application, acceptable_recovery_lag: int) -> dict[str, Any]:
    """Return the figures of the application as listed.

    The number of warmups is None: a streams document does not say which copies are warmups.
    """
    owned = [
        sum(len(consumer.owned or ()) for consumer in process.consumers)
        for process in document.processes or ()
    ]
    consumers = [consumer for process in document.processes or () for consumer in process.consumers]
    is_known = any(consumer.owned is not None for consumer in consumers)
    state = _state_as_listed(document) if is_known else None
    copies = (
        sum(len(consumer.standby or ()) for consumer in consumers)
        if document.type == STREAMS
        else None
    )
    return NO_FIGURES | {
        "max_active_tasks": max(owned) if is_known else None,
        "min_active_tasks": min(owned) if is_known else None,
        "max_stateful_tasks": max(state) if state else None,
        "min_stateful_tasks": min(state) if state else None,
        "standby_tasks": copies,
        "moved_tasks": 0,
        "records_to_restore": 0,
        "seconds_to_restore": 0.0,
        "tasks_without_caught_up_copy": _without_copy(
            application_from_document(document), acceptable_recovery_lag
        ),
    }


def _state_as_listed(document: Application) -> list[int] | None:
    """Return the number of stateful tasks of each process.

    None if the document does not say which tasks are stateful.
    """
    if any(path.endswith(".stateful") for path in document.assumed or ()):
        return None
    stateful = {task.task_id for task in document.tasks or () if task.stateful}
    return [
        len(
            stateful.intersection(
                chain.from_iterable(consumer.owned or () for consumer in each.consumers)
            )
        )
        for each in document.processes or ()
    ]


def _ends_are_known(
    application: ApplicationSnapshot, task: np.ndarray, process: np.ndarray
) -> bool:
    """Return whether it is known how many records each moved task must restore."""
    return not is_left_unknown(application)[process, task].any()


def _without_copy(application: ApplicationSnapshot, acceptable_recovery_lag: int) -> int | None:
    is_unknown = (
        application.is_stateful
        & (application.end_offset_sum == UNKNOWN)
        & ~(application.offset_sum == RUNNING).any(axis=0)
    )
    return (
        None
        if is_unknown.any()
        else int(tasks_without_caught_up_copy(application, acceptable_recovery_lag).size)
    )


def _finite(seconds: float | None) -> float | None:
    return None if seconds is None or math.isinf(seconds) else seconds
