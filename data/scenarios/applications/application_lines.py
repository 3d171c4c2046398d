"""The lines of `evenkeel replay` for an application: one for the scenario, then one for each step and assignor."""

from collections.abc import Iterator
from typing import Any

from evenkeel.data.columns import TaskNames
from evenkeel.data.document import Application
from evenkeel.data.scenarios.applications.application_result import ApplicationResult
from evenkeel.data.scenarios.applications.task_figures import figures_of_step
from evenkeel.data.scenarios.applications.task_step import TaskStep
from evenkeel.data.scenarios.run.lines import FORMAT, engine
from evenkeel.data.scenarios.scenario.hashes import content_hash, result_hash
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED

_HASHED = ("step", "assignor", "assignment", "withheld", "error")


def application_lines(result: ApplicationResult) -> list[dict[str, Any]]:
    """Return all lines, the scenario's first."""
    lines = list(_lines(result))
    hashed = ({key: line[key] for key in _HASHED} for line in lines)
    head = {"format": FORMAT, "content_hash": content_hash(result.scenario), "result_hash": result_hash(hashed), "engine": engine()}
    return [head, *lines]


def _lines(result: ApplicationResult) -> Iterator[dict[str, Any]]:
    names = [AS_LISTED, *result.scenario.step_names]
    for number, (name, answers) in enumerate(zip(names, result.steps, strict=True)):
        for answer in answers.values():
            yield line_of_step(number, name, answer)


def line_of_step(number: int, name: str, step: TaskStep) -> dict[str, Any]:
    """Return the line of one step by one assignor; `withheld` is what the first rebalance keeps back."""
    rests = step.answer is not None
    names = TaskNames(step.joined) if rests else None
    return {
        "step": number,
        "name": name,
        "assignor": step.name,
        "assignment": names.by_owner(step.answer, step.assignor.group_type) if rests else {},
        "owned_before": _owned(step.start, step.assignor.group_type) if rests else {},
        "withheld": names.withheld(step.answers[0]) if rests else {},
        **figures_of_step(step),
        "assumed": assumed_of_step(step),
        "error": {"type": step.error.java_class, "message": str(step.error)} if step.error else None,
    }


def assumed_of_step(step: TaskStep) -> list[str]:
    """Return what the answer may depend on and is not known."""
    if step.answer is None:
        return []
    return sorted({*TaskNames(step.joined).assumed_paths(step.answers[0]), *step.rests.assumed})


def _owned(document: Application, group_type: str) -> dict[str, list[str]]:
    """Return who runs what, by process, or by member for a streams group."""
    if group_type == "streams":
        return {consumer.member_id: consumer.owned or [] for process in document.processes or () for consumer in process.consumers}
    return {
        process.process_id: [task_id for consumer in process.consumers for task_id in consumer.owned or ()]
        for process in document.processes or ()
    }
