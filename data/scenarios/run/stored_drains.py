"""Times to drain as the lines of a result tell them: they came from a history, which whoever reads the lines may not have."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evenkeel.data.scenarios.run.lines import line_of
from evenkeel.data.scenarios.run.result import Result
from evenkeel.data.scenarios.run.step import StepAnswer
from evenkeel.data.scenarios.run.step_drains import Drained, drain_of

Line = Mapping[str, Any]

_SAME = ("assignment", "total_lag", "max_lag")
"""What a time to drain depends on, beside the history."""


def lines_by_step(lines: Sequence[Line]) -> dict[int, dict[str, Line]]:
    """Return the lines of a replay by step and assignor, without the first one."""
    by_step: dict[int, dict[str, Line]] = {}
    for line in lines:
        if "step" in line:
            by_step.setdefault(line["step"], {})[line["assignor"]] = line
    return by_step


def drains_in(by_step: Mapping[int, Mapping[str, Line]]) -> Drained:
    """Return the times that lines tell, empty where none of them tells any."""
    if not any(line.get("drain") for lines in by_step.values() for line in lines.values()):
        return ()
    return [{name: drain_of(line["drain"]) for name, line in by_step[number].items() if line.get("drain")} for number in sorted(by_step)]


def with_stored_drains(result: Result, lines: Sequence[Line]) -> Result:
    """Return a result with the times of the lines; an answer that is no longer the same has none."""
    by_step = lines_by_step(lines)
    kept = [
        {name: one for name, one in found.items() if _is_same(number, answers.get(name), by_step[number][name])}
        for number, (found, answers) in enumerate(zip(drains_in(by_step), result.steps, strict=False))
    ]
    return replace(result, drains=kept)


def _is_same(number: int, answer: StepAnswer | None, line: Line) -> bool:
    if answer is None:
        return False
    now = line_of(number, line["name"], answer)
    return all(now[key] == line[key] for key in _SAME)
