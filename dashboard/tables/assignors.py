"""The rows of the assignor table as plain values: texts, sort keys, bars, and the best cell of each column."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan

from evenkeel.assignors.explain.facts import NO_FACTS, Facts
from evenkeel.assignors.figures.comparison import Row
from evenkeel.assignors.rounds.switch import Switch
from evenkeel.dashboard.words.answers.failures import in_words, is_gap
from evenkeel.dashboard.words.answers.row_notes import BEST, IN_USE, note, protocol_of, warning
from evenkeel.dashboard.words.answers.switches import in_use_sentence, pair, sentences
from evenkeel.dashboard.words.history.drains import HELP, NO_NAMES, Names, drain_words
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.words.formats import (
    UNKNOWN,
    WHERE_PARTIAL,
    about,
    change,
    compact_sum,
    exact,
    most_and_fewest,
    percent,
    ratio,
)

_PARTITIONS, _LAG, _MEMBERS, _MOVED, _SWITCH = "Partitions", "Lag per member", "Members", "Moved from current", "Switch"

COLUMNS = [
    {"key": "name", "label": "Assignor", "help": "Sort by name"},
    {"over": _PARTITIONS, "key": "partitions", "label": "max / min", "help": "Partitions of the member with the most and with the fewest"},
    {"over": _LAG, "key": "worst", "label": "worst", "help": f"Lag of the member that is furthest behind, records; ≥ {WHERE_PARTIAL}"},
    {
        "over": _LAG,
        "key": "change",
        "label": "vs now",
        "help": f"Worst lag against the current assignment; ≥, ≤ and ≈ {WHERE_PARTIAL}",
        "wide": True,
    },
    {"label": "", "bar": True},
    {"over": _LAG, "key": "ratio", "label": "max ÷ mean", "help": "Largest over mean lag of a member; 1 is even"},
    {
        "over": _LAG,
        "key": "cv",
        "label": "CV",
        "help": "Coefficient of variation of the members' lag: standard deviation ÷ mean; 0 is even",
    },
    {"over": _MEMBERS, "key": "idle", "label": "idle", "help": "Members without partitions"},
    {"over": _MOVED, "key": "moved", "label": "partitions", "help": "Partitions that go to another member than now"},
    {"over": _MOVED, "key": "share", "label": "share", "help": "Their share of all partitions", "wide": True},
    {"over": _MOVED, "key": "moved-lag", "label": "lag", "help": "Lag of the partitions that move, records"},
    {"label": "", "bar": True},
    {
        "over": _SWITCH,
        "key": "paused",
        "label": "paused / rounds",
        "help": "Partitions without an owner for a part of the switch, and the number of rounds",
    },
]

_DROPPED = "cv"
"""The column that a narrow table leaves out where it shows when answers drain."""

DRAINS = {
    "key": "drains",
    "label": "drains in",
    "help": HELP,
}
"""Behind the others where the group has a history."""


def assignor_columns(is_timed: bool) -> list[dict]:
    """Return the columns; `is_timed`: with when answers drain."""
    return [*(column | {"wide": True} if column.get("key") == _DROPPED else column for column in COLUMNS), DRAINS] if is_timed else COLUMNS


def assignor_rows(
    rows: Sequence[Row],
    tp_count: int,
    facts: Mapping[str, Facts],
    group_type: str | None = None,
    in_use: str | None = None,
    drains: Mapping[str, GroupDrain] | None = None,
    names: Names = NO_NAMES,
) -> list[dict]:
    """Return one row for each assignment, the current one first; a failed assignor has an error and no cells.

    `drains`: None for a group without history. `names`: of members, by
    id. A numpy number in a cell would reach the browser as a string: every value is plain.
    """
    highest_lag = max((row.balance.max_lag or 0 for row in rows if row.balance), default=0)
    highest_moved = max((row.moved_lag or 0 for row in rows if row.balance), default=0)
    switches = {row.name: facts.get(row.name, NO_FACTS).switch for row in rows}
    named = [_named(row, facts.get(row.name, NO_FACTS), group_type, row.name == in_use) for row in rows]
    for made, row in zip(named, rows, strict=True):
        if row.balance:
            pauses = _pauses(switches[row.name], row, row.name == in_use)
            made["cells"] = [*_cells(row, rows[0], tp_count, highest_lag, highest_moved), pauses]
        elif not row.error:
            made["cells"] = _dashes(row.name)
        if drains is not None and made["cells"]:
            made["cells"].append(_drains(drains.get(row.name), names))
    unreached = {made["name"] for made in named if made["warning"]}
    _star_all(named, rows, switches, in_use, unreached)
    return named


def _named(row: Row, facts: Facts, group_type: str | None, is_in_use: bool) -> dict:
    said, (warned, because) = note(row), warning(facts)
    return {
        "name": row.name,
        "title": protocol_of(row.name, group_type),
        "note": said.text,
        "mark": said.mark,
        "why": said.title,
        "warning": warned,
        "warningTitle": because,
        "inUse": IN_USE if is_in_use else "",
        "error": in_words(row.error) if row.error else None,
        "cells": [],
    } | ({"isGap": True} if is_gap(row.error) else {})


def is_whole(row: Row) -> bool:
    """Tell whether one round gives the whole answer: a cooperative assignor withholds a partition until its owner has released it."""
    return row.assignment is not None and not len(row.assignment.withheld)


def _cells(row: Row, current: Row, tp_count: int, highest_lag: int, highest_moved: int) -> list[dict]:
    balance, now, first = row.balance, current.balance.max_lag if current.balance else None, row is current
    both = most_and_fewest(balance.max_partitions, balance.min_partitions)
    moved = None if first else row.moved_partitions
    moved_lag = None if first else row.moved_lag
    some, some_now = balance.lag_is_partial, bool(current.balance and current.balance.lag_is_partial)
    step = "=" if row.keeps_all and now is not None else change(now, balance.max_lag, some_now, some)
    some_moved = row.moves is not None and row.moves.moved_lag_is_partial
    return [
        {"text": row.name, "sort": row.name},
        _cell(both, balance.max_partitions) | {"then": -float(balance.min_partitions or 0)},
        _cell(compact_sum(balance.max_lag, some), balance.max_lag),
        _cell(UNKNOWN if first else step, balance.max_lag, "quiet"),
        _bar(balance.max_lag, highest_lag),
        _cell(about(ratio(balance.max_lag_share), some), balance.max_lag_share),
        _cell(about(ratio(balance.lag_cv), some), balance.lag_cv),
        _cell(exact(balance.idle_members), balance.idle_members, "worse" if balance.idle_members else "quiet"),
        _cell(exact(moved), moved),
        _cell(percent(None if moved is None or not tp_count else moved / tp_count), moved, "quiet"),
        _cell(compact_sum(moved_lag, some_moved), moved_lag),
        _bar(moved_lag, highest_moved),
    ]


def _dashes(name: str) -> list[dict]:
    dashes = [_bar(None, 0) if column.get("bar") else _cell(UNKNOWN, None, "quiet") for column in COLUMNS[1:]]
    return [_cell(name, None), *dashes]


def _cell(text: str, sort: float | None, className: str = "") -> dict:
    return {"text": text, "sort": None if sort is None else float(sort), "className": className}


def _pauses(switch: Switch | None, row: Row, is_in_use: bool) -> dict:
    if is_in_use:
        return _cell("no change", 0, "quiet") | {"then": 0.0, "title": in_use_sentence(row, switch)}
    if switch is None:
        return _cell(UNKNOWN, None, "quiet")
    cell = _cell(pair(switch), switch.paused_count, "worse" if switch.is_endless else "")
    return cell | {"then": float(switch.round_count), "title": sentences(switch, row)}


def _drains(found: GroupDrain | None, names: Names) -> dict:
    words = drain_words(found, names=names)
    ends = [] if found is None else [float(end) for end in (found.band.middle, found.band.low) if not isnan(end)]
    return _cell(words.text, min(ends[0], _NEVER) if ends else None, words.tone) | {"title": words.tip}


def _bar(value: int | None, highest: int) -> dict:
    return {"text": "", "sort": None, "bar": float(value / highest) if value is not None and highest else None}


_NEVER = 1e18
"""Sorts behind every time; JSON has no infinity."""

_BEST: dict[int, Callable[[Row], tuple | float | None]] = {
    1: lambda row: (row.balance.max_partitions, -row.balance.min_partitions) if row.balance.max_partitions is not None else None,
    2: lambda row: row.balance.max_lag,
    5: lambda row: row.balance.max_lag_share,
    6: lambda row: row.balance.lag_cv,
    8: lambda row: row.moved_partitions,
    10: lambda row: row.moved_lag,
}
"""The figures to compare, by their place in `COLUMNS`: the lowest is the best."""

_PAUSES = 12


def _star_all(
    named: list[dict], rows: Sequence[Row], switches: Mapping[str, Switch | None], in_use: str | None, unreached: set[str]
) -> None:
    """Mark the best cells; an answer that the group never reaches is not the best at anything."""

    def pauses(row: Row) -> tuple | None:
        switch = switches[row.name]
        return (switch.paused_count, switch.round_count) if switch and row.name != in_use else None

    for column, key in (_BEST | {_PAUSES: pauses}).items():
        if not any(_is_bound(row, column) for row in rows):
            _star(named[1:], rows, column, lambda row, key=key: None if row.name in unreached else key(row))


def _is_bound(row: Row, column: int) -> bool:
    """Tell whether a figure is a lower bound or an estimate: then the best of its column is unknown."""
    if column == 10:
        return row.moves is not None and row.moves.moved_lag_is_partial
    return column in (2, 5, 6) and row.balance is not None and row.balance.lag_is_partial


def _star(named: list[dict], rows: Sequence[Row], column: int, key: Callable[[Row], tuple | float | None]) -> None:
    """Mark the lowest value of a column; none if all are the same, or if it differs from the current one by less than 1 %."""
    now, *values = [key(row) if row.balance else None for row in rows]
    known = [value for value in values if value is not None]
    if known and min(known) != max(known) and not _is_as_now(now, min(known)):
        for made, value in zip(named, values, strict=True):
            if value is not None and value == min(known):
                told = made["cells"][column].get("title", "")
                made["cells"][column] |= {"className": "best", "title": f"{BEST}{'. ' * bool(told)}{told}"}


def _is_as_now(now: tuple | float | None, best: tuple | float) -> bool:
    if now is None or isinstance(now, tuple):
        return now == best
    return abs(best - now) < 0.01 * now
