"""A whole scenario of an application: every step by every task assignor."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.protocol import TaskAssignor
from evenkeel.data.budget import COMMAND_LINE, Budget
from evenkeel.data.columns import task_settings
from evenkeel.data.document import Application
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationState
from evenkeel.data.scenarios.applications.application_scenario import ApplicationScenario, ApplicationSettings
from evenkeel.data.scenarios.applications.task_step import TaskStep, rebalance, task_step
from evenkeel.data.scenarios.size import require_scenario

_CLASSIC = "classic"


@dataclass(frozen=True, eq=False)
class ApplicationResult:
    """A scenario and its answers: `steps[k][assignor]`, step 0 is the application as listed."""

    scenario: ApplicationScenario
    steps: tuple[dict[str, TaskStep], ...]


def application_result(
    scenario: ApplicationScenario, wanted: Sequence[str] | None = None, budget: Budget = COMMAND_LINE
) -> ApplicationResult:
    """Carry out a scenario; `wanted`: assignors to ask in place of the scenario's.

    Raises
    ------
    SnapshotError
        When the scenario asks for more than the budget allows, names an assignor or a setting that there is not, or an edit names what is
        not there.
    """
    names = require_allowed(scenario, wanted, budget)
    by_assignor = [list(_answers(scenario, name)) for name in names]
    return ApplicationResult(scenario, tuple(dict(zip(names, each, strict=True)) for each in zip(*by_assignor, strict=True)))


def require_allowed(scenario: ApplicationScenario, wanted: Sequence[str] | None = None, budget: Budget = COMMAND_LINE) -> list[str]:
    """Return the names of the assignors that a scenario asks, before anything of its size is made; raises as `application_result`."""
    names = asked_task_assignors(scenario.group, wanted or scenario.settings.assignors)
    require_scenario(budget, scenario.group, scenario.steps, len(names))
    return names


def asked_task_assignors(document: Application, wanted: Sequence[str] | None) -> list[str]:
    """Return the task assignors to ask, else all that serve the application's type; SnapshotError for a name that there is not."""
    unknown = next((name for name in wanted or () if name not in TASK_ASSIGNORS), None)
    if unknown is not None:
        raise SnapshotError(f'assignors: found "{unknown}", expected one of {", ".join(TASK_ASSIGNORS)} for a streams document')
    own = document.type or _CLASSIC
    return list(dict.fromkeys(wanted or (name for name, assignor in TASK_ASSIGNORS.items() if assignor.group_type == own)))


def task_assignor(name: str, settings: dict[str, Any] | None, jdk: int | None = None) -> TaskAssignor:
    """Make an assignor with the settings of a streams document.

    Raises
    ------
    SnapshotError
        Where a setting is unknown or out of Kafka's range.
    """
    made, ours = TASK_ASSIGNORS[name], {} if jdk is None else {"jdk": jdk}
    try:
        return made(**task_settings(made, (settings or {}) | ours, "settings"))
    except ValueError as error:
        raise SnapshotError(f"settings: {error}") from None


def application_comparison(document: Application, wanted: Sequence[str] | None, budget: Budget = COMMAND_LINE) -> ApplicationResult:
    """Return what each assignor would do with an application as it is listed."""
    return application_result(ApplicationScenario("", document), wanted, budget)


def _answers(scenario: ApplicationScenario, name: str) -> Iterator[TaskStep]:
    """Yield one assignor's answer to each step, the application as listed first."""
    listed = ApplicationState(scenario.group)
    yield rebalance(scenario.group, listed, _of(name, scenario.group, scenario.settings))
    state, failed = listed, None
    for number, step in enumerate(scenario.steps):
        if failed:
            yield TaskStep(name, error=failed)
            continue
        answer = task_step(state, step, number, lambda document: _of(name, document, scenario.settings))
        yield answer
        state, failed = answer.rests or state, answer.error


def _of(name: str, document: Application, settings: ApplicationSettings) -> TaskAssignor:
    return task_assignor(name, document.settings, settings.jdk)
