"""The rows of a step's table as plain values: texts, bars, stars, and what a cell said at another time."""

from collections.abc import Sequence

from evenkeel.assignors.explain.advice import GAIN
from evenkeel.dashboard.tables.steps.columns import Column, columns_of
from evenkeel.dashboard.tables.steps.lines import Line, lines_of
from evenkeel.dashboard.words.answers import BEST, IN_USE, in_words, is_gap, name_note, protocol_of, rest, tone_of
from evenkeel.data.scenarios.run.step_figures import Figures

_DERIVED = ("change", "bars")
"""Kinds of columns that only repeat others."""


def step_rows(
    figures: Figures,
    step: int,
    in_use: str | None = None,
    was: Figures | None = None,
    group_type: str | None = None,
    gain: float = GAIN,
) -> list[dict]:
    """Return a row for each assignor, the one in use first; an assignor that throws has an error and no cells.

    `was`: the figures of another time; a cell that differs says under `was` what it was. `gain`: the least part of 1 that is green. Every
    value is plain: JSON can write it.
    """
    lines = lines_of(figures, step, in_use)
    former = {line.step.name: line for line in lines_of(was, step, in_use)} if was else {}
    highest = max((lag for line in lines for lag in (line.step.lag_before, line.step.lag) if lag is not None), default=0)
    columns = columns_of(figures, was)
    rows = [_named(line, _error(figures, step, line), in_use, group_type) for line in lines]
    for row, line in zip(rows, lines, strict=True):
        row |= {"isGap": True} if is_gap(line.step.error) else {}
        row["cells"] = [] if row["error"] else [_cell(column, line, former.get(row["name"]), highest, gain) for column in columns]
    for place, column in enumerate(columns):
        if column.best:
            _star([row["cells"][place] if row["cells"] else {} for row in rows], lines, column)
    return rows


def differing(figures: Figures, was: Figures) -> tuple[int, int]:
    """Return how many figures of a scenario's tables differ from `was`, of how many."""
    rows = [row for step in range(len(figures)) for row in step_rows(figures, step, was=was)]
    cells = [
        cell for row in rows for cell, column in zip(row["cells"], columns_of(figures, was), strict=False) if column.kind not in _DERIVED
    ]
    return sum("was" in cell for cell in cells), len(cells)


def _named(line: Line, error: str | None, in_use: str | None, group_type: str | None) -> dict:
    said, ends = name_note(line.step.name), rest(line.step)
    return {
        "name": line.step.name,
        "title": protocol_of(line.step.name, group_type),
        "note": said.text,
        "why": said.title,
        "warning": ends.text,
        "warningTitle": ends.title,
        "inUse": IN_USE if line.step.name == in_use else "",
        "error": error,
    }


def _error(figures: Figures, step: int, line: Line) -> str | None:
    """Return what Kafka's class throws; a step after that has no answer."""
    if line.step.error is None:
        return None
    first = next(place for place in (*range(1, step), step) if figures[place][line.step.name].error is not None)
    return in_words(line.step.error) + (f" (since step {first})" if first < step else "")


def _cell(column: Column, line: Line, former: Line | None, highest: int, gain: float) -> dict:
    text = column.text(line)
    cell = {"text": text, "className": _class(column, line, gain)}
    if column.said:
        cell["title"] = column.said(line).tip
    if column.kind == "bars":
        cell["bars"] = [lag / highest if highest and lag is not None else None for lag in (line.step.lag_before, line.step.lag)]
    if former and not former.step.error and column.kind not in _DERIVED and column.text(former) != text:
        cell["was"] = f"was {column.text(former)}"
    return cell


def _class(column: Column, line: Line, gain: float) -> str:
    step = line.step
    match column.kind:
        case "change":
            return tone_of(step.lag_before, step.lag, gain, step.lag_before_is_least, step.lag_is_least) or "quiet"
        case "idle":
            return "worse" if step.idle_members else "quiet"
        case "drains":
            return column.said(line).tone
        case kind:
            return "quiet" if kind else ""


def _star(cells: Sequence[dict], lines: Sequence[Line], column: Column) -> None:
    """Mark the lowest value of a column; none if all are the same. An answer that never rests is not the best at anything."""
    if any(column.is_bound(line) for line in lines):
        return
    values = [None if line.step.never_ends else column.best(line) for line in lines]
    known = [value for value in values if value is not None]
    if known and min(known) != max(known):
        for cell, value in zip(cells, values, strict=True):
            if value == min(known):
                cell |= {"className": "best", "title": BEST}
