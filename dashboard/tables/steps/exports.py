"""The tables of a scenario as Arrow: figures by step and assignor, what each member carries, who has each partition."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.dashboard.words.answers import in_words
from evenkeel.data.scenarios import owner_tables
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.step_drains import StepDrain, drain_line
from evenkeel.data.scenarios.run.step_figures import StepFigures, figures_of
from evenkeel.data.scenarios.run.walk import Result
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED
from evenkeel.data.words.figures import WORDS

_FIELDS = [name for name in StepFigures.__dataclass_fields__ if name not in ("name", "error", "drain", "others")]
_TOLD = ("low_seconds", "seconds", "high_seconds", "is_never", "excess")
_DRAINS = [f"drain_{key}" for key in _TOLD]


def figures_table(result: Result) -> pa.Table:
    """Return one row for each step and assignor."""
    drains = result.drains or [None] * len(result.steps)
    rows = [_figures(number, name, answer, drains[number]) for number, name, answers in _steps(result) for answer in answers]
    return pa.Table.from_pylist(rows)


def _figures(step: int, name: str, answer: StepAnswer, drains: Mapping[str, StepDrain] | None) -> dict[str, Any]:
    """Return a row; `drains`: None where the group has no history."""
    found = figures_of(answer)
    drain = None if drains is None else drains.get(answer.name)
    timed = {} if drains is None else dict.fromkeys(_DRAINS) if drain is None else {f"drain_{key}": drain_line(drain)[key] for key in _TOLD}
    return {
        "step": step,
        "step_name": name,
        "assignor": answer.name,
        **{name: getattr(found, name) for name in _FIELDS},
        **{key: found.of(key).value for key, words in WORDS.items() if words.step and key not in (*_FIELDS, "max_lag")},
        **timed,
        "error": in_words(answer.error) if answer.error else None,
    }


def members_table(result: Result) -> pa.Table:
    """Return one row for each step, assignor and member at rest; `lag` is null where none of the member's lags is known."""
    return _joined([_members(number, answer) for number, _, answers in _steps(result) for answer in answers if answer.rebalances])


def partitions_table(result: Result) -> pa.Table:
    """Return one row for each step, assignor and partition: its owner at rest, null where it has none, and its lag, null where unknown."""
    return _joined([_partitions(number, answer) for number, _, answers in _steps(result) for answer in answers if answer.rebalances])


def _steps(result: Result) -> list[tuple[int, str, Sequence[StepAnswer]]]:
    names = [AS_LISTED, *result.scenario.step_names]
    return [(number, name, list(answers.values())) for number, (name, answers) in enumerate(zip(names, result.steps, strict=True))]


def _members(step: int, answer: StepAnswer) -> pa.Table:
    return _of_answer(step, answer, owner_tables.members_table(answer.group, answer.balance).drop_columns(["host", "instance_id"]))


def _partitions(step: int, answer: StepAnswer) -> pa.Table:
    return _of_answer(step, answer, owner_tables.owners_table(answer.group.snapshot, answer.assignment, answer.rebalances[-1].lag))


def _of_answer(step: int, answer: StepAnswer, table: pa.Table) -> pa.Table:
    named = {"step": pa.array(np.full(len(table), step), pa.int32()), "assignor": pa.array([answer.name] * len(table), pa.string())}
    return pa.table(named | dict(zip(table.column_names, table.columns, strict=True)))


def _joined(tables: list[pa.Table]) -> pa.Table:
    return pa.concat_tables(tables) if tables else pa.table({})
