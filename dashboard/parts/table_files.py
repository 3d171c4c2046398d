"""CSV and Parquet files of tables, and the tables of a scenario's answers."""

import io
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from evenkeel.dashboard.shell.answer_words import in_words
from evenkeel.data.compare import owner_tables
from evenkeel.data.compare.figure_words import WORDS
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.results import GroupResult
from evenkeel.data.scenarios.run.step_drains import StepDrain, drain_line
from evenkeel.data.scenarios.run.step_figures import StepFigures, figures_of
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED


def csv_file(table: pa.Table) -> bytes:
    """Return the table as CSV. Null is an empty cell; a spreadsheet runs no cell as a formula."""
    harmless = [harmless_column(table.column(name)) for name in table.column_names]
    sink = io.BytesIO()
    csv.write_csv(pa.table(dict(zip(table.column_names, harmless, strict=True))), sink)
    return sink.getvalue()


def parquet_file(table: pa.Table) -> bytes:
    """Return the table as Parquet."""
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


# Cells of downloaded CSV files: a spreadsheet must never run a name from a listing as a formula.


_SIGNS = ("=", "+", "-", "@")
_ENDS = frozenset("\t\r\n")
_UNSEEN = ("C", "M", "Z")
"""Unicode categories of invisible and blank characters: byte order marks, zero-width and control
characters, combining marks, separators.
"""

_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Invisible letters of Hangul."""


def harmless(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet might run as a formula.

    The first visible character of such a text is `=`, `+`, `-` or `@` (or their full-width form),
    or a tab or line end comes before the first visible character. Other texts are returned
    unchanged. Columns of numbers need no protection.
    """
    unseen = "".join(takewhile(_is_unseen, text))
    first = unicodedata.normalize("NFKC", text[len(unseen) : len(unseen) + 1])
    return f"'{text}" if _ENDS.intersection(unseen) or first[:1] in _SIGNS else text


def harmless_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Make each text of a column harmless; a column of another type is returned unchanged."""
    if not pa.types.is_string(column.type):
        return column
    # Each name once: a table with a million partitions has only a few thousand names.
    names = pc.unique(column)
    return pc.take(
        pa.array([name and harmless(name) for name in names.to_pylist()], "string"),
        pc.index_in(column, names),
    )


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character)[0] in _UNSEEN or character in _FILLERS


# Tables of a scenario as Arrow: figures by step and assignor, load of each member, owner of each
# partition.


_FIELDS = [
    name
    for name in StepFigures.__dataclass_fields__
    if name not in ("name", "error", "drain", "others")
]
_TOLD = ("low_seconds", "seconds", "high_seconds", "is_never", "excess")
_DRAINS = [f"drain_{key}" for key in _TOLD]


def figures_table(result: GroupResult) -> pa.Table:
    """Return the figures of each step and assignor, one row for each pair."""
    drains: Sequence[Mapping[str, StepDrain] | None] = result.drains or [None] * len(result.steps)
    rows = [
        _figures(number, name, answer, drains[number])
        for number, name, answers in _steps(result)
        for answer in answers
    ]
    return pa.Table.from_pylist(rows)


def _figures(
    step: int, name: str, answer: StepAnswer, drains: Mapping[str, StepDrain] | None
) -> dict[str, Any]:
    """Return the figures of an assignor in a step. `drains`: None if the group has no history."""
    figures = figures_of(answer)
    drain = None if drains is None else drains.get(answer.name)
    timed = {} if drains is None else dict.fromkeys(_DRAINS)
    if drain is not None:
        line = drain_line(drain)
        timed = {f"drain_{key}": line[key] for key in _TOLD}
    return {
        "step": step,
        "step_name": name,
        "assignor": answer.name,
        **{name: getattr(figures, name) for name in _FIELDS},
        **{
            key: figures.of(key).value
            for key, words in WORDS.items()
            if words.step and key not in (*_FIELDS, "max_lag")
        },
        **timed,
        "error": in_words(answer.error) if answer.error else None,
    }


def members_table(result: GroupResult) -> pa.Table:
    """Return a row for each step, assignor and member: the load after the step's last rebalance.

    `lag` is null if the member has no known lag.
    """
    return _joined(
        [
            _members(number, answer)
            for number, _, answers in _steps(result)
            for answer in answers
            if answer.rebalances
        ]
    )


def partitions_table(result: GroupResult) -> pa.Table:
    """Return a row for each step, assignor and partition: the owner after the last rebalance.

    The owner is null if the partition has no owner; the lag is null if unknown.
    """
    return _joined(
        [
            _partitions(number, answer)
            for number, _, answers in _steps(result)
            for answer in answers
            if answer.rebalances
        ]
    )


def _steps(result: GroupResult) -> list[tuple[int, str, Sequence[StepAnswer]]]:
    names = [AS_LISTED, *result.scenario.step_names]
    return [
        (number, name, list(answers.values()))
        for number, (name, answers) in enumerate(zip(names, result.steps, strict=True))
    ]


def _members(step: int, answer: StepAnswer) -> pa.Table:
    last = answer.rebalances[-1]
    return _of_answer(
        step,
        answer,
        owner_tables.members_table(last.group, last.balance).drop_columns(["host", "instance_id"]),
    )


def _partitions(step: int, answer: StepAnswer) -> pa.Table:
    last = answer.rebalances[-1]
    return _of_answer(
        step,
        answer,
        owner_tables.owners_table(last.group.snapshot, last.assignment, last.lag),
    )


def _of_answer(step: int, answer: StepAnswer, table: pa.Table) -> pa.Table:
    named = {
        "step": pa.array(np.full(len(table), step), "int32"),
        "assignor": pa.array([answer.name] * len(table), "string"),
    }
    return pa.table(named | dict(zip(table.column_names, table.columns, strict=True)))


def _joined(tables: list[pa.Table]) -> pa.Table:
    return pa.concat_tables(tables) if tables else pa.table({})
