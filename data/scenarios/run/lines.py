"""The lines of `evenkeel replay`: one for the scenario, then one for each step and assignor."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from data.columns import assignment_by_name, withheld_by_name
from data.scenarios.run.result import Result
from data.scenarios.run.step import StepAnswer
from data.scenarios.scenario.hashes import content_hash, result_hash
from data.scenarios.scenario.scenario import AS_LISTED

FORMAT = "evenkeel.replay/1"

FIGURES = ("max_lag", "mean_lag", "total_lag", "lag_cv", "max_lag_share", "max_partitions", "min_partitions", "idle_members")
"""Figures of the group at rest that each line has."""


def engine() -> str:
    """Return the version whose answers these are."""
    return version("evenkeel")


def lines_of(result: Result) -> list[dict[str, Any]]:
    """Return all lines, the scenario's first."""
    lines = list(_answers(result))
    hashed = ({"step": line["step"], "assignor": line["assignor"], **_hashed(result, line)} for line in lines)
    head = {"format": FORMAT, "content_hash": content_hash(result.scenario), "result_hash": result_hash(hashed), "engine": engine()}
    return [head, *lines]


def _answers(result: Result) -> Iterator[dict[str, Any]]:
    names = [AS_LISTED, *result.scenario.step_names]
    for number, (name, answers) in enumerate(zip(names, result.steps, strict=True)):
        for answer in answers.values():
            yield line_of(number, name, answer)


def line_of(number: int, name: str, answer: StepAnswer) -> dict[str, Any]:
    """Return the line of one step by one assignor; figures are null where unknown, and all of them where Kafka's class throws."""
    rests = bool(answer.rebalances)
    return {
        "step": number,
        "name": name,
        "assignor": answer.name,
        "rebalances": answer.rebalance_count,
        "rounds": answer.rounds,
        "never_ends": answer.never_ends,
        "assignment": assignment_by_name(answer.group, answer.assignment) if rests else {},
        "owned_before": assignment_by_name(answer.start, answer.start.current) if rests and answer.start.current is not None else {},
        "moved_partitions": answer.moved_partitions,
        "moved_lag": answer.moved_lag,
        "moved_lag_is_least": answer.moved_lag_is_partial,
        "paused_partitions": answer.paused_partitions,
        **{figure: getattr(answer.balance, figure, None) for figure in FIGURES},
        "unknown_lag_partitions": answer.balance.unknown_lag_partitions if rests else None,
        "error": {"type": answer.error.java_class, "message": str(answer.error)} if answer.error else None,
    }


def _hashed(result: Result, line: dict[str, Any]) -> dict[str, Any]:
    answer = result.steps[line["step"]][line["assignor"]]
    first = answer.rebalances[0] if answer.rebalances else None
    has_answer = first is not None and first.settled is not None
    withheld = withheld_by_name(first.joined, first.settled.answer) if has_answer else {}
    return {"assignment": line["assignment"], "withheld": withheld, "error": line["error"]}
