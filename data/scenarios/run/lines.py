"""The lines of `evenkeel replay`: one for the scenario, then one for each step and assignor."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from evenkeel.assignors.figures.figure import values_of
from evenkeel.data.columns import assignment_by_name, withheld_by_name
from evenkeel.data.columns.names import ByName
from evenkeel.data.scenarios.run.result import Result
from evenkeel.data.scenarios.run.step import StepAnswer
from evenkeel.data.scenarios.run.step_drains import drain_line
from evenkeel.data.scenarios.scenario.hashes import content_hash, result_hash
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED

FORMAT = "evenkeel.replay/1"


def engine() -> str:
    """Return the version whose answers these are."""
    return version("evenkeel")


def lines_of(result: Result) -> list[dict[str, Any]]:
    """Return all lines, the scenario's first."""
    lines = list(_answers(result))
    hashed = (_hashed(result, line["step"], line["assignor"], line["assignment"], line["error"]) for line in lines)
    head = {"format": FORMAT, "content_hash": content_hash(result.scenario), "result_hash": result_hash(hashed), "engine": engine()}
    return [head, *lines]


def hash_of(result: Result) -> str:
    """Return the hash of the answers alone."""
    return result_hash(
        _hashed(result, number, name, _assignment(answer), _error(answer))
        for number, answers in enumerate(result.steps)
        for name, answer in answers.items()
    )


def _answers(result: Result) -> Iterator[dict[str, Any]]:
    names = [AS_LISTED, *result.scenario.step_names]
    for number, (name, answers) in enumerate(zip(names, result.steps, strict=True)):
        for answer in answers.values():
            found = result.drains[number].get(answer.name) if result.drains else None
            yield line_of(number, name, answer) | ({"drain": found and drain_line(found)} if result.drains else {})


def line_of(number: int, name: str, answer: StepAnswer) -> dict[str, Any]:
    """Return the line of one step by one assignor; figures are null where unknown, and all of them where Kafka's class throws."""
    rests = bool(answer.rebalances)
    return {
        "step": number,
        "name": name,
        "assignor": answer.name,
        "rebalances": answer.rebalance_count,
        "never_ends": answer.never_ends,
        "assignment": _assignment(answer),
        "owned_before": assignment_by_name(answer.start, answer.start.current) if rests and answer.start.current is not None else {},
        "moved_lag_is_least": answer.moved_lag_is_partial,
        **values_of(answer.told),
        "error": _error(answer),
    }


def _assignment(answer: StepAnswer) -> ByName:
    return assignment_by_name(answer.group, answer.assignment) if answer.rebalances else {}


def _error(answer: StepAnswer) -> dict[str, str] | None:
    return {"type": answer.error.java_class, "message": str(answer.error)} if answer.error else None


def _hashed(result: Result, step: int, name: str, assignment: ByName, error: dict[str, str] | None) -> dict[str, Any]:
    answer = result.steps[step][name]
    first = answer.rebalances[0] if answer.rebalances else None
    has_answer = first is not None and first.at_rest is not None
    withheld = withheld_by_name(first.joined, first.at_rest.answer) if has_answer else {}
    return {"step": step, "assignor": name, "assignment": assignment, "withheld": withheld, "error": error}
