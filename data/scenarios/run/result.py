"""A whole scenario: every step by every assignor."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assignors import ASSIGNORS
from assignors.group import NO_GENERATION
from assignors.kafka.release import NEWEST, Release, of_release
from assignors.protocol import Assignor, serving
from data.columns import observed_from_document
from data.columns.observed import ObservedGroup
from data.errors import SnapshotError
from data.scenarios.leaders.leader import Made, client_of, led_by
from data.scenarios.run.step import StepAnswer, step_answer
from data.scenarios.run.step_drains import Drained
from data.scenarios.scenario.scenario import AS_LISTED, Scenario, Settings, Step

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


def result_of(scenario: Scenario, assignors: Mapping[str, Made] = ASSIGNORS, wanted: Sequence[str] | None = None) -> Result:
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
        When the scenario names an assignor that there is not, or an edit names what is not there.
    """
    listed = observed_from_document(scenario.group)
    names = asked(scenario.settings, listed, assignors, wanted)
    led = led_by(client_of(listed.leader, scenario.settings.client), assignors)
    by_assignor = [list(answers(scenario, listed, led[name])) for name in names]
    steps = (dict(zip(names, each, strict=True)) for each in zip(*by_assignor, strict=True))
    return Result(scenario, listed, tuple(steps))


def asked(settings: Settings, listed: ObservedGroup, assignors: Mapping[str, Made], wanted: Sequence[str] | None = None) -> list[str]:
    """Return the names of the assignors that a scenario asks; SnapshotError for one that there is not."""
    names = list(dict.fromkeys(wanted or settings.assignors or serving(listed.group_type, assignors)))
    unknown = next((name for name in names if name not in assignors), None)
    if unknown is not None:
        raise SnapshotError(f'settings.assignors: found "{unknown}", expected one of {", ".join(assignors)}')
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
