"""One step of a scenario by one task assignor."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, TaskAssignment
from evenkeel.assignors.errors import AssignorError
from evenkeel.assignors.figures.tasks import MovedTasks, moved_tasks
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.protocol import TaskAssignor
from evenkeel.assignors.rounds.restoring import Restoring, restore
from evenkeel.assignors.rounds.streams import MOST_ROUNDS, StreamsRounds, probing_rebalances
from evenkeel.data.columns import application_from_document
from evenkeel.data.columns.applications.application_from_document import task_order
from evenkeel.data.columns.applications.document_after import document_after
from evenkeel.data.columns.applications.restoring_rates import restoring_rates
from evenkeel.data.document import Application
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationState, Rebalance
from evenkeel.data.scenarios.applications.application_scenario import ApplicationStep
from evenkeel.data.scenarios.edits.edit import EditPlace

Made = Callable[[Application], TaskAssignor]

_MOST_BYTES, _ENTRY_BYTES, _LEAST_ROUNDS = 256 * 10**6, 32, 25


@dataclass(frozen=True, eq=False)
class TaskStep:
    """What one assignor does in one step; nothing but `name` and `error` where Kafka's class throws, here or in an earlier step.

    Parameters
    ----------
    start, joined : Application
        Before the step, and as it joins the rebalance.
    applications : tuple of ApplicationSnapshot
        As it joins each of the rebalances that follow each other at once.
    answers : tuple of TaskAssignment
        One for each of them.
    rounds : StreamsRounds
        From here until the application is balanced.
    rests : ApplicationState
        After the last of these rebalances.
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
        """What the application rests on until the next probing rebalance."""
        return self.answers[-1] if self.answers else None

    @cached_property
    def moves(self) -> MovedTasks:
        """Active tasks that run on another process than before the step, also those of processes that are gone."""
        before = rows_of_owners(self.start, self.joined)
        return moved_tasks(self.applications[-1], before, self.answer, restoring_rates(self.joined).restore_rate)


def rows_of_owners(start: Application, joined: Application) -> np.ndarray:
    """int32 (K,): the process of `joined` that ran each task in `start`; C for one that is gone, `UNASSIGNED` where none did."""
    row = {process.process_id: number for number, process in enumerate(joined.processes or ())}
    runs = {
        task_id: row.get(process.process_id, len(row))
        for process in reversed(start.processes or ())
        for consumer in process.consumers
        for task_id in consumer.owned or ()
    }
    return np.array([runs.get(joined.tasks[place].task_id, UNASSIGNED) for place in task_order(joined).tolist()], dtype=np.int32)


def task_step(state: ApplicationState, step: ApplicationStep, number: int, made: Made) -> TaskStep:
    """Carry out a step; `number`: its place among the steps of the scenario, from 0. `made`: the assignor with a document's settings.

    Raises
    ------
    SnapshotError
        When an edit names what is not there, with its place.
    """
    joins = state
    for place, edit in step.edits_on:
        joins = edit.apply(joins, EditPlace(number, place))
    return rebalance(state.document, joins, made(joins.document))


def rebalance(start: Application, joins: ApplicationState, assignor: TaskAssignor) -> TaskStep:
    """Rebalance an application that joins; `start`: before the step."""
    application, rates = application_from_document(joins.document), restoring_rates(joins.document)
    try:
        rounds = probing_rebalances(application, assignor, rates, most_rounds=_most_rounds(application))
    except AssignorError as error:
        return TaskStep(assignor.name, error=error)
    answers = rounds.rounds[0].answers
    applications = _joined(application, answers[:-1], rates)
    after = restore(applications[-1], answers[-1], 0, rates).application
    document = document_after(joins.document, after, answers[-1])
    rests = ApplicationState(document, joins.gone, Rebalance(applications[-1], answers[-1]), joins.assumed)
    return TaskStep(assignor.name, assignor, start, joins.document, applications, answers, rounds, rests)


def _joined(application: ApplicationSnapshot, answers: Sequence[TaskAssignment], rates: Restoring) -> tuple[ApplicationSnapshot, ...]:
    joined = [application]
    for answer in answers:
        joined.append(restore(joined[-1], answer, 0, rates).application)
    return tuple(joined)


def _most_rounds(application: ApplicationSnapshot) -> int:
    """Return how many rounds are looked at: each takes memory for every process and task."""
    each = max(application.process_count * application.task_count * _ENTRY_BYTES, 1)
    return max(min(MOST_ROUNDS, _MOST_BYTES // each), _LEAST_ROUNDS)
