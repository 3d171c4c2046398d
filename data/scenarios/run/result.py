"""A whole scenario: every step by every assignor."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.group import NO_GENERATION
from evenkeel.assignors.kafka.release import NEWEST, Release, of_release
from evenkeel.assignors.protocol import Assignor, serving
from evenkeel.data.budget import COMMAND_LINE, Budget
from evenkeel.data.columns import observed_from_document
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.edits.edit import RefusedEditError
from evenkeel.data.scenarios.leaders.leader import Made, client_of, led_by
from evenkeel.data.scenarios.run.step import StepAnswer, step_answer
from evenkeel.data.scenarios.run.step_drains import Drained
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED, Scenario, Settings, Step
from evenkeel.data.scenarios.size import require_scenario

STEP_0 = Step(name=AS_LISTED)
"""The group as listed: no edits. Its answers are those of Compare; step 1 starts from the group as listed and not from these answers."""


@dataclass(frozen=True, eq=False)
class Result:
    """A scenario and its answers: `steps[k][assignor]`, step 0 is the group as listed. `drains`: the same, empty without a history."""

    scenario: Scenario
    listed: ObservedGroup
    steps: tuple[dict[str, StepAnswer], ...]
    drains: Drained = ()

    @property
    def assignors(self) -> list[str]:
        return list(self.steps[0])


def result_of(
    scenario: Scenario, assignors: Mapping[str, Made] = ASSIGNORS, wanted: Sequence[str] | None = None, budget: Budget = COMMAND_LINE
) -> Result:
    """Carry out a scenario.

    Parameters
    ----------
    assignors : mapping of str to class
        All that may be asked, by name.
    wanted : sequence of str or None
        Names to ask in place of the scenario's.

    Raises
    ------
    SnapshotError
        When the scenario asks for more than the budget allows, names an assignor that there is not, or an edit names what is not there.
    """
    names = require_allowed(scenario, assignors, wanted, budget)
    listed = observed_from_document(scenario.group)
    led = led_by(client_of(listed.leader, scenario.settings.client), assignors)
    by_assignor = [list(answers(scenario, listed, led[name])) for name in names]
    steps = (dict(zip(names, each, strict=True)) for each in zip(*by_assignor, strict=True))
    return Result(scenario, listed, tuple(steps))


def require_allowed(
    scenario: Scenario, assignors: Mapping[str, Made] = ASSIGNORS, wanted: Sequence[str] | None = None, budget: Budget = COMMAND_LINE
) -> list[str]:
    """Return the names of the assignors that a scenario asks, before anything of its size is made; raises as `result_of`."""
    names = list(dict.fromkeys(wanted or scenario.settings.assignors or serving(scenario.group.type, assignors)))
    unknown = next((name for name in names if name not in assignors), None)
    if unknown is not None:
        raise SnapshotError(f'settings.assignors: found "{unknown}", expected one of {", ".join(assignors)}')
    require_scenario(budget, scenario.group, scenario.steps, len(names))
    return names


def answers(scenario: Scenario, listed: ObservedGroup, made: Made) -> Iterator[StepAnswer]:
    """Yield one assignor's answer to each step, the group as listed first."""
    assignor = with_settings(made, scenario.settings)
    yield step_answer(listed, STEP_0, 0, assignor)
    group, failed = listed, None
    for number, step in enumerate(scenario.steps):
        if failed:
            yield StepAnswer(assignor.name, error=failed)
            continue
        answer = step_answer(group, step, number, remembering(assignor, group))
        yield answer
        group, failed = answer.group, answer.error


class Onward(NamedTuple):
    """Answers to steps that follow one another, up to the one that is refused."""

    answers: tuple[StepAnswer, ...]
    refused: RefusedEditError | None = None


def onward(start: ObservedGroup, steps: Sequence[Step], number: int, name: str, settings: Settings) -> Onward:
    """Carry out steps from a group at rest by one of Evenkeel's own assignors; `number`: the place of the first step, from 0."""
    assignor, found = own_assignor(name, start, settings), []
    try:
        for place, step in enumerate(steps, number):
            before = found[-1] if found else None
            if before is not None and before.error:
                found.append(StepAnswer(assignor.name, error=before.error))
                continue
            group = start if before is None else before.group or before.start
            found.append(step_answer(group, step, place, remembering(assignor, group)))
    except RefusedEditError as error:
        return Onward(tuple(found), error)
    return Onward(tuple(found))


def own_assignor(name: str, group: ObservedGroup, settings: Settings) -> Assignor:
    """Make one of Evenkeel's own assignors, as the client that is chosen or leads the group has it."""
    return with_settings(led_by(client_of(group.leader, settings.client), {name: ASSIGNORS[name]})[name], settings)


def with_settings(made: Made, settings: Settings) -> Assignor:
    """Make an assignor with a scenario's settings; SnapshotError for one that it does not take."""
    try:
        assignor = of_release(made, settings.kafka_version or NEWEST)
        ours = {"jdk": settings.jdk, "max_generation": settings.max_generation}
        given = {key: value for key, value in ours.items() if value is not None}
        return replace(assignor, **given) if given and isinstance(assignor, Release) else assignor
    except ValueError as error:
        raise SnapshotError(f"settings: {error}") from None


def remembering(assignor: Assignor, group: ObservedGroup) -> Assignor:
    """Return the assignor as its leader runs it on: a sticky one of Java's remembers the highest generation that it has seen."""
    seen = int(group.snapshot.generation.max(initial=NO_GENERATION)) - 1
    if not (isinstance(assignor, Release) and assignor.uses_generations) or seen <= assignor.max_generation:
        return assignor
    return replace(assignor, max_generation=seen)
