"""Rows of the assignor table as plain values: texts, sort keys, bars, and the best cell of each
column.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan
from operator import itemgetter
from typing import NamedTuple

from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.compare.comparison import Row
from evenkeel.assignors.compare.facts import NO_FACTS, Facts
from evenkeel.assignors.compare.figure import FIGURES, Figure, FigureInput, figure_input
from evenkeel.assignors.rounds.switch import Switch
from evenkeel.dashboard.parts.drain_words import HELP, NO_NAMES, Names, drain_words
from evenkeel.dashboard.parts.switch_words import in_use_sentence, pair, sentences
from evenkeel.dashboard.shell.answer_words import (
    BEST,
    IN_USE,
    in_words,
    is_gap,
    note,
    protocol_of,
    warning,
)
from evenkeel.data.compare.figure_words import WORDS, text
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.text.formats import (
    UNKNOWN,
    WHERE_PARTIAL,
    change,
    most_and_fewest,
)

DRAINS = {
    "over": "By history",
    "key": "drains",
    "label": "drained in",
    "help": HELP,
}
"""Last column, if the group has a history."""

BEST_ROW = "best"

_NAME = {"over": "", "key": "name", "label": "Assignor", "help": "Sort by name"}


class _TableRow(NamedTuple):
    """A row of the table: the figures of its answer, the current assignment, and the largest values
    of all rows.
    """

    row: Row
    seen: FigureInput
    current: Row
    tp_count: int
    highest_lag: int
    highest_moved: int
    switch: Switch | None
    is_in_use: bool


class _Column(NamedTuple):
    """A column: its header, and a function that returns the cell of a row with an answer.

    `figure`: None if the column only repeats another column in another form.
    """

    head: dict
    cell: Callable[[_TableRow, Balance], dict]
    figure: Figure | None = None


def figure_columns() -> list[_Column]:
    """Return all columns except the assignor's name. Figures have the order of `WORDS`. If columns
    repeat a figure in another form, they come directly after the figure.
    """
    columns = []
    for key, words in WORDS.items():
        if words.compare:
            over = words.compare.over
            columns.append(_figure(key, words.compare))
            columns += [
                _Column({"over": over} | head, cell) for head, cell in _REPEATED.get(key, ())
            ]
    return columns


def assignor_columns(is_timed: bool = False) -> list[dict]:
    """Return the headers. `is_timed`: whether there is a header for the drain time."""
    heads = [_NAME, *(column.head for column in figure_columns())]
    if is_timed:
        heads.append(DRAINS)
    return [
        head | ({"first": ""} if "key" in head else {"kind": "bar", "wide": True}) for head in heads
    ]


def _figure(key: str, header: tuple[str, str, str, str]) -> _Column:
    figure, (over, label, help, name) = FIGURES[key], header
    return _Column(
        {"over": over, "key": name, "label": label, "help": help},
        _CELLS.get(key, partial(_plain, figure)),
        figure,
    )


def assignor_rows(
    rows: Sequence[Row],
    tp_count: int,
    facts: Mapping[str, Facts],
    group_type: str | None = None,
    in_use: str | None = None,
    drains: Mapping[str, GroupDrain] | None = None,
    names: Names = NO_NAMES,
) -> list[dict]:
    """Return one row for each assignment, the current assignment first. A failed assignor has an
    error and no cells.

    `drains`: drain time of each answer, None for a group without history. `names`: names of
    members, by member id. Every value is a plain Python value, because a numpy number would reach
    the browser as a string.
    """
    highest_lag = max((row.balance.max_lag or 0 for row in rows if row.balance), default=0)
    highest_moved = max((row.moved_lag or 0 for row in rows if row.balance), default=0)
    shown = [
        _shown(row, rows[0], facts, tp_count, highest_lag, highest_moved, row.name == in_use)
        for row in rows
    ]
    columns = figure_columns()
    named = [
        _named(row, facts.get(row.name, NO_FACTS), group_type, row.name == in_use) for row in rows
    ]
    for made, table_row in zip(named, shown, strict=True):
        row = table_row.row
        if row.balance:
            made["cells"] = [
                {"text": row.name, "sort": row.name},
                *(column.cell(table_row, row.balance) for column in columns),
            ]
        elif not row.error:
            made["cells"] = _dashes(row.name, columns)
        if drains is not None and made["cells"]:
            made["cells"].append(_drains(drains.get(row.name), names))
    unreached = {made["name"] for made in named if made["warning"]}
    _star_all(named, shown, columns, unreached)
    return named


def in_order(rows: Sequence[dict], columns: Sequence[dict], sort: str | None) -> list[dict]:
    """Return the rows, sorted by the column with the key `sort`. A `-` before the key means highest
    first.

    Rows with an unknown value come after other rows. The current assignment is always first, and
    the best plan is always last.
    """
    place = next(
        (
            place
            for place, column in enumerate(columns)
            if sort and column.get("key") == sort.removeprefix("-")
        ),
        None,
    )
    current, *others = rows
    inner = [row for row in others if not row.get("isBest")]
    if sort and place is not None:
        values = [(_value(row, place), row) for row in inner]
        known = [(value, row) for value, row in values if value is not None]
        known.sort(key=itemgetter(0), reverse=sort.startswith("-"))
        unknown = (row for value, row in values if value is None)
        inner = [*(row for _, row in known), *unknown]
    return [
        current | {"isCurrent": True, "picks": False},
        *inner,
        *(row for row in others if row.get("isBest")),
    ]


def _value(row: dict, place: int) -> tuple | None:
    cell = row["cells"][place] if row["cells"] else {"sort": None}
    return None if cell["sort"] is None else (cell["sort"], cell.get("then", 0.0))


def _shown(
    row: Row,
    current: Row,
    facts: Mapping[str, Facts],
    tp_count: int,
    highest_lag: int,
    highest_moved: int,
    is_in_use: bool,
) -> _TableRow:
    switch = facts.get(row.name, NO_FACTS).switch
    seen = figure_input(row, switch)
    # The current assignment has no moves to itself, so its 0 is not marked as the best.
    seen = seen._replace(moved_partitions=None, moved_lag=None) if row is current else seen
    return _TableRow(row, seen, current, tp_count, highest_lag, highest_moved, switch, is_in_use)


def _named(row: Row, facts: Facts, group_type: str | None, is_in_use: bool) -> dict:
    remark, (warned, because) = note(row, is_in_use), warning(facts)
    return {
        "name": row.name,
        "title": protocol_of(row.name, group_type),
        "note": remark.text,
        "mark": remark.mark,
        "why": remark.title,
        "warning": warned,
        "warningTitle": because,
        "inUse": IN_USE if is_in_use else "",
        "error": in_words(row.error) if row.error else None,
        "cells": [],
    } | ({"isGap": True} if is_gap(row.error) else {})


def _plain(figure: Figure, table_row: _TableRow, _balance: Balance) -> dict:
    value = figure.value(table_row.seen)
    look = ""
    if WORDS[figure.key].is_fault:
        look = "worse" if value else "quiet"
    return _cell(
        text(figure, value, figure.is_partial(table_row.seen)),
        value,
        look,
    )


def _partitions(_one: _TableRow, balance: Balance) -> dict:
    both = most_and_fewest(balance.max_partitions, balance.min_partitions)
    return _cell(both, balance.max_partitions) | {"then": -float(balance.min_partitions or 0)}


def _change(table_row: _TableRow, balance: Balance) -> dict:
    current = table_row.current.balance
    now, some_now = current.max_lag if current else None, bool(current and current.lag_is_partial)
    step = (
        "="
        if table_row.row.keeps_all and now is not None
        else change(now, balance.max_lag, some_now, balance.lag_is_partial)
    )
    return _cell(UNKNOWN if table_row.row is table_row.current else step, balance.max_lag, "quiet")


def _dashes(name: str, columns: Sequence[_Column]) -> list[dict]:
    dashes = [
        _bar(None, 0) if column.head.get("bar") else _cell(UNKNOWN, None, "quiet")
        for column in columns
    ]
    return [_cell(name, None), *dashes]


def _cell(text: str, sort: float | None, className: str = "") -> dict:
    return {"text": text, "sort": None if sort is None else float(sort), "className": className}


def _pauses(table_row: _TableRow, _balance: Balance) -> dict:
    row, switch = table_row.row, table_row.switch
    if table_row.is_in_use:
        return _cell("no change", 0, "quiet") | {"then": 0.0, "title": in_use_sentence(row, switch)}
    if switch is None:
        return _cell(UNKNOWN, None, "quiet")
    cell = _cell(pair(switch), switch.paused_count, "worse" if switch.is_endless else "")
    return cell | {"then": float(switch.round_count), "title": sentences(switch, row)}


def _drains(drain: GroupDrain | None, names: Names) -> dict:
    words = drain_words(drain, names=names)
    ends = (
        []
        if drain is None
        else [float(end) for end in (drain.band.middle, drain.band.low) if not isnan(end)]
    )
    return _cell(words.text, min(ends[0], _NEVER) if ends else None, words.tone) | {
        "title": words.tip
    }


def _bar(value: int | None, highest: int) -> dict:
    return {
        "text": "",
        "sort": None,
        "bar": float(value / highest) if value is not None and highest else None,
    }


_NEVER = 1e18
"""Sort key of `never`, above all times; JSON has no infinity."""

_CELLS: dict[str, Callable[[_TableRow, Balance], dict]] = {
    "max_partitions": _partitions,
    "paused_partitions": _pauses,
}
"""Cells with more than one figure."""

_REPEATED: dict[str, Sequence[tuple[dict, Callable[[_TableRow, Balance], dict]]]] = {
    "max_lag": (
        (
            {
                "key": "change",
                "label": "vs now",
                "help": f"Worst lag against the current assignment; ≥, ≤ and ≈ {WHERE_PARTIAL}",
            },
            _change,
        ),
        ({"label": "", "bar": True}, lambda row, balance: _bar(balance.max_lag, row.highest_lag)),
    ),
    "moved_lag": (
        ({"label": "", "bar": True}, lambda row, _: _bar(row.seen.moved_lag, row.highest_moved)),
    ),
}
"""Columns that repeat a figure, by the key of the figure."""


def _star_all(
    named: list[dict], shown: Sequence[_TableRow], columns: Sequence[_Column], unreached: set[str]
) -> None:
    """Mark the best cell of each column. Answers that the group never reaches get no mark.

    If a value is a lower bound or an estimate, its column gets no mark.
    """
    for place, (_, _, figure) in enumerate(columns, 1):
        if (
            figure
            and figure.better
            and not WORDS[figure.key].is_fault
            and not any(figure.is_partial(table_row.seen) for table_row in shown)
        ):
            _star(
                named,
                [
                    None if table_row.row.name in unreached else _rank(figure, table_row)
                    for table_row in shown
                ],
                place,
            )


def _rank(figure: Figure, table_row: _TableRow) -> tuple | float | None:
    """Return the value that ranks a row, lower is better. None if the row is not ranked.

    The assignor in use is not ranked by pauses, because without a switch nothing pauses.
    """
    if not table_row.row.balance or (figure.key == "paused_partitions" and table_row.is_in_use):
        return None
    return figure.rank(table_row.seen)


def _star(named: Sequence[dict], ranks: Sequence[tuple | float | None], column: int) -> None:
    """Mark the lowest value of a column as the best.

    No cell is marked if several rows have the lowest value, or if the current value and the lowest
    value differ by less than 1 %.
    """
    now, *values = ranks
    known = [value for value in values if value is not None]
    if len(known) > 1 and known.count(min(known)) == 1 and not _is_as_now(now, min(known)):
        for made, value in zip(named[1:], values, strict=True):
            if value is not None and value == min(known):
                title = made["cells"][column].get("title", "")
                made["cells"][column] |= {
                    "className": "best",
                    "title": f"{BEST}{'. ' * bool(title)}{title}",
                }


def _is_as_now(now: tuple | float | None, best: tuple | float) -> bool:
    if now is None or isinstance(now, tuple) or isinstance(best, tuple):
        return now == best
    return abs(best - now) < 0.01 * abs(now)
