"""Runs a scenario of a group or an application, step after step.

For each assignor, each step starts where the previous step ended. A `WalkSubject` runs a step and
returns an `Answer`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from evenkeel.assignors.assignment import AssignorError
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application
from evenkeel.data.scenarios.run.step_drains import Drained, drain_line
from evenkeel.data.scenarios.scenario.scenario import (
    AS_LISTED,
    ApplicationScenario,
    Scenario,
    Step,
    content_hash,
    result_hash,
)

FORMAT = "evenkeel.replay/1"


class Answer(Protocol):
    """The answer of one assignor to one step.

    `start`, `rests`: the state before and after the step. `rests` is None if Kafka's class throws
    in this step or an earlier step.
    """

    @property
    def name(self) -> str: ...

    @property
    def error(self) -> AssignorError | None: ...

    @property
    def start(self) -> ObservedGroup | Application | None: ...

    @property
    def rests(self) -> Any: ...

    def assigned(self) -> dict[str, Any]:
        """Return the owner of each partition or task after the step, with names."""

    def line(self) -> dict[str, Any]:
        """Return the step as a line of `evenkeel replay`."""

    def withheld(self) -> dict[str, Any]:
        """Return by owner the partitions or tasks that a later rebalance assigns."""


AnswerT = TypeVar("AnswerT", bound=Answer)
AnswerT_co = TypeVar("AnswerT_co", bound=Answer, covariant=True)
ScenarioT = TypeVar("ScenarioT", bound=Scenario | ApplicationScenario)
SubjectT = TypeVar("SubjectT", bound=ObservedGroup | Application)


class WalkSubject(Protocol[AnswerT_co]):
    """One assignor that runs the steps of a scenario."""

    def answer(self, state: Any, step: Step, number: int) -> AnswerT_co:
        """Run a step from a state; `number`: index of the step in the scenario."""

    def failed(self, error: AssignorError) -> AnswerT_co:
        """Return the answer to a step that follows a step in which Kafka's class threw."""


def walk(
    subject: WalkSubject[AnswerT], state: Any, steps: Sequence[Step], first: int = 0
) -> Iterator[AnswerT]:
    """Yield one assignor's answer to each step; `first`: index of the first step.

    Raises
    ------
    SnapshotError
        If an edit names a missing thing. The message names the place of the edit.
    """
    failed = None
    for number, step in enumerate(steps, first):
        answer = subject.failed(failed) if failed else subject.answer(state, step, number)
        yield answer
        state, failed = answer.rests or state, answer.error


@dataclass(frozen=True, eq=False)
class Result(Generic[ScenarioT, SubjectT, AnswerT]):
    """A scenario and its answers.

    `steps[k][assignor]`: the answer to step k; step 0 is the group as listed.
    `drains[k][assignor]`: the time to drain; `drains` is empty if the group has no history.
    """

    scenario: ScenarioT
    listed: SubjectT
    steps: tuple[dict[str, AnswerT], ...]
    drains: Drained = ()

    @property
    def assignors(self) -> list[str]:
        return list(self.steps[0])


def by_step(answers: Mapping[str, Sequence[AnswerT]]) -> tuple[dict[str, AnswerT], ...]:
    """Convert answers by assignor into answers by step."""
    return tuple(
        dict(zip(answers, each, strict=True)) for each in zip(*answers.values(), strict=True)
    )


def engine() -> str:
    """Return the version of Evenkeel."""
    from importlib.metadata import version

    return version("evenkeel")


def lines_of(result: Result) -> list[dict[str, Any]]:
    """Return the lines of `evenkeel replay`: a line about the scenario, then a line for each
    answer.

    Answers are in the order of steps, then of `Result.assignors`.
    """
    lines = list(_lines(result))
    hashed = (
        _hashed(line["step"], result.steps[line["step"]][line["assignor"]], line["assignment"])
        for line in lines
    )
    head = {
        "format": FORMAT,
        "content_hash": content_hash(result.scenario),
        "result_hash": result_hash(hashed),
        "engine": engine(),
    }
    return [head, *lines]


def hash_of(result: Result) -> str:
    """Return the hash of the answers, without the scenario."""
    return result_hash(
        _hashed(number, answer, answer.assigned())
        for number, answers in enumerate(result.steps)
        for answer in answers.values()
    )


def line_of(number: int, name: str, answer: Answer) -> dict[str, Any]:
    """Return the answer to a step as a line; unknown figures are null.

    If Kafka's class throws, all figures are null.
    """
    return {
        "step": number,
        "name": name,
        "assignor": answer.name,
        **answer.line(),
        "error": error_line(answer.error),
    }


def error_line(error: AssignorError | None) -> dict[str, str] | None:
    """Return the value `error` of a line: the exception of Kafka's class; None if there is none."""
    return {"type": error.java_class, "message": str(error)} if error else None


def _lines(result: Result) -> Iterator[dict[str, Any]]:
    names = [AS_LISTED, *result.scenario.step_names]
    for number, (name, answers) in enumerate(zip(names, result.steps, strict=True)):
        for answer in answers.values():
            step_drain = result.drains[number].get(answer.name) if result.drains else None
            yield line_of(number, name, answer) | (
                {"drain": step_drain and drain_line(step_drain)} if result.drains else {}
            )


def _hashed(step: int, answer: Answer, assigned: dict[str, Any]) -> dict[str, Any]:
    error = error_line(answer.error)
    return {
        "step": step,
        "assignor": answer.name,
        "assignment": assigned,
        "withheld": answer.withheld(),
        "error": error,
    }
