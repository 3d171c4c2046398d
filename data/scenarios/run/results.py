"""Runs a whole scenario of a group or an application: every step, by every assignor."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evenkeel.assignors import ASSIGNORS, TASK_ASSIGNORS
from evenkeel.assignors.protocol import CLASSIC, serving
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import COMMAND_LINE, Budget
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationState
from evenkeel.data.scenarios.edits.edit import RefusedEditError
from evenkeel.data.scenarios.leaders import Made, client_of, led_by, with_settings
from evenkeel.data.scenarios.run.application_step import AskedOfApplication, TaskStep
from evenkeel.data.scenarios.run.group_step import (
    STEP_0,
    AskedOfGroup,
    StepAnswer,
    own_assignor,
    step_answer,
)
from evenkeel.data.scenarios.run.walk import Result, by_step, walk
from evenkeel.data.scenarios.scenario.scenario import ApplicationScenario, Scenario, Settings, Step
from evenkeel.data.scenarios.size import require_scenario

GroupResult = Result[Scenario, ObservedGroup, StepAnswer]
ApplicationResult = Result[ApplicationScenario, Application, TaskStep]


def result_of(
    scenario: Scenario,
    assignors: Mapping[str, Made] = ASSIGNORS,
    wanted: Sequence[str] | None = None,
    budget: Budget = COMMAND_LINE,
) -> GroupResult:
    """Run a scenario of a group.

    Parameters
    ----------
    assignors : mapping of str to class
        All available assignors by name.
    wanted : sequence of str or None
        Assignors to run instead of the scenario's assignors.

    Raises
    ------
    SnapshotError
        If the scenario costs more than the budget allows, or names an unknown assignor, or an
        edit names a missing thing.
    """
    names = require_allowed(scenario, assignors, wanted, budget)
    listed = observed_from_document(scenario.group)
    led = led_by(client_of(listed.leader, scenario.settings.client), assignors)
    return Result(
        scenario, listed, by_step({name: answers(scenario, listed, led[name]) for name in names})
    )


def require_allowed(
    scenario: Scenario,
    assignors: Mapping[str, Made] = ASSIGNORS,
    wanted: Sequence[str] | None = None,
    budget: Budget = COMMAND_LINE,
) -> list[str]:
    """Check the cost of a scenario and return the names of its assignors; raises as `result_of`.

    No array of the scenario's size is created before this check.
    """
    names = list(
        dict.fromkeys(
            wanted or scenario.settings.assignors or serving(scenario.group.type, assignors)
        )
    )
    unknown = next((name for name in names if name not in assignors), None)
    if unknown is not None:
        raise SnapshotError(
            f'settings.assignors: found "{unknown}", expected one of {", ".join(assignors)}'
        )
    require_scenario(budget, scenario.group, scenario.steps, len(names))
    return names


def answers(scenario: Scenario, listed: ObservedGroup, made: Made) -> list[StepAnswer]:
    """Return one assignor's answer to each step; step 0 is the group as listed."""
    assignor = with_settings(made, scenario.settings)
    return [
        step_answer(listed, STEP_0, 0, assignor),
        *walk(AskedOfGroup(assignor), listed, scenario.steps),
    ]


class Onward(NamedTuple):
    """The answers to consecutive steps, up to the first refused step.

    `refused`: the error of the refused step; None if no step is refused.
    """

    answers: tuple[StepAnswer, ...]
    refused: RefusedEditError | None = None


def onward(
    start: ObservedGroup, steps: Sequence[Step], number: int, name: str, settings: Settings
) -> Onward:
    """Run steps from a stable group with one of Evenkeel's own assignors.

    `number`: index of the first step.
    """
    answers_so_far = []
    try:
        for answer in walk(AskedOfGroup(own_assignor(name, start, settings)), start, steps, number):
            answers_so_far.append(answer)
    except RefusedEditError as error:
        return Onward(tuple(answers_so_far), error)
    return Onward(tuple(answers_so_far))


def application_result(
    scenario: ApplicationScenario,
    wanted: Sequence[str] | None = None,
    budget: Budget = COMMAND_LINE,
) -> ApplicationResult:
    """Run a scenario of an application.

    `wanted`: assignors to run instead of the scenario's assignors.

    Raises
    ------
    SnapshotError
        If the scenario costs more than the budget allows, names an unknown assignor or setting, or
        an edit names a missing thing.
    """
    names = require_application_allowed(scenario, wanted, budget)
    return Result(
        scenario, scenario.group, by_step({name: _task_answers(scenario, name) for name in names})
    )


def require_application_allowed(
    scenario: ApplicationScenario,
    wanted: Sequence[str] | None = None,
    budget: Budget = COMMAND_LINE,
) -> list[str]:
    """Check the cost of a scenario and return its assignors; raises as `application_result`."""
    names = asked_task_assignors(scenario.group, wanted or scenario.settings.assignors)
    require_scenario(budget, scenario.group, scenario.steps, len(names))
    return names


def asked_task_assignors(document: Application, wanted: Sequence[str] | None) -> list[str]:
    """Return the names of the task assignors to run: `wanted`, or all for the application's type.

    Raises
    ------
    SnapshotError
        If a name is unknown.
    """
    unknown = next((name for name in wanted or () if name not in TASK_ASSIGNORS), None)
    if unknown is not None:
        raise SnapshotError(
            f'assignors: found "{unknown}", expected one of {", ".join(TASK_ASSIGNORS)} for a'
            " streams document"
        )
    own = document.type or CLASSIC
    return list(
        dict.fromkeys(
            wanted
            or (name for name, assignor in TASK_ASSIGNORS.items() if assignor.group_type == own)
        )
    )


def _task_answers(scenario: ApplicationScenario, name: str) -> list[TaskStep]:
    walked = AskedOfApplication(name, scenario.settings.jdk)
    return [
        walked.listed(scenario.group),
        *walk(walked, ApplicationState(scenario.group), scenario.steps),
    ]
