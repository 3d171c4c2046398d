"""The table of two to four scenarios: the group as listed and the end of each scenario. Also the
table of the costs of a rolling restart.
"""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import NamedTuple

from evenkeel.assignors.arrays import all_known
from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.compare.figure import FIGURES, Figure, FigureInput
from evenkeel.data.compare.figure_words import WORDS, text
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.rolling_restart import Cost, Times
from evenkeel.data.text.formats import (
    UNKNOWN,
    about,
    change,
    compact,
    compact_sum,
    count,
    duration,
    exact,
    factor,
    most_and_fewest,
    percent,
    ratio,
    signed,
)


class End(NamedTuple):
    """One column of the table: the group as listed, or the end of a scenario. `moved_partitions`
    and `moved_lag` are sums over all steps. Both are None if unknown, and in the column of the
    group as listed.
    """

    title: str
    note: str
    balance: Balance | None
    partitions: int | None = None
    moved_partitions: int | None = None
    moved_lag: int | None = None
    moved_lag_is_least: bool = False

    @property
    def told(self) -> FigureInput:
        """The input of the column's figures."""
        return FigureInput(
            self.balance, self.moved_partitions, self.moved_lag, self.moved_lag_is_least
        )


def listed_end(listed: StepAnswer, balance: Balance | None, in_use: str | None) -> End:
    """Return the column of the group as listed. `in_use`: the assignor in use. `balance`: the
    balance of the present owners.
    """
    members = count(listed.start.member_count if listed.start else None, "member")
    return End("Now", ", ".join(filter(None, (members, in_use))), balance)


def scenario_end(title: str, answers: Sequence[StepAnswer]) -> End:
    """Return the column of a scenario. `answers`: an assignor's answers to the steps, the group as
    listed first.
    """
    last, steps = answers[-1], answers[1:] or answers
    members = count(last.group.member_count if last.group else None, "member")
    lags = [step.moved_lag for step in steps]
    return End(
        title,
        f"{members}, {last.name if _rebalances(answers) else 'no rebalance'}",
        last.balance,
        last.group.partition_count if last.group else None,
        _sum([step.moved_partitions for step in steps]),
        _sum(lags),
        any(step.moved_lag_is_partial for step in steps),
    )


def _rebalances(answers: Sequence[StepAnswer]) -> bool:
    """Return whether an edit of the scenario causes a rebalance. An edit that only changes the lag
    causes none.
    """
    done = [each.at_rest for step in answers[1:] for each in step.rebalances]
    return not done or any(each is not None for each in done)


def _sum(values: Sequence[int | None]) -> int | None:
    known = all_known(values)
    return None if known is None else sum(known)


class Cell(NamedTuple):
    """A text in the table, and the text next to it."""

    text: str
    beside: str = ""
    is_best: bool = False


class EndLine(NamedTuple):
    """One row of the table."""

    name: str
    cells: list[Cell]


def end_lines(now: End, ends: Sequence[End]) -> list[EndLine]:
    """Return the rows of the table. The first cell of a row is about the group as listed. The other
    cells show the end of each scenario, and the change.
    """
    keys = dict.fromkeys([*_FIRST, *(key for key, words in WORDS.items() if words.end)])
    return [
        EndLine(
            WORDS[key].end or "",
            _starred(FIGURES[key], [_cell(key, now, end) for end in (now, *ends)], ends),
        )
        for key in keys
    ]


def _starred(figure: Figure, cells: list[Cell], ends: Sequence[End]) -> list[Cell]:
    """Mark the lowest value of a row as best, if only one scenario has it. If a value is only a
    lower bound, no value is marked.
    """
    values = [figure.rank(end.told) if end.balance and figure.better else None for end in ends]
    known = [value for value in values if value is not None]
    if (
        len(known) < 2
        or known.count(min(known)) > 1
        or any(figure.is_partial(end.told) for end in ends)
    ):
        return cells
    return [
        cells[0],
        *(
            cell._replace(is_best=value == min(known))
            for cell, value in zip(cells[1:], values, strict=True)
        ),
    ]


def _cell(key: str, now: End, end: End) -> Cell:
    if key in _CELLS:
        return _CELLS[key](now, end)
    figure = FIGURES[key]
    return Cell(text(figure, figure.value(end.told), figure.is_partial(end.told)))


def _worst(now: End, end: End) -> Cell:
    before, after = (_of(moment, "max_lag") for moment in (now, end))
    some = [_is_partial(moment) for moment in (now, end)]
    text = compact_sum(after, some[1])
    return Cell(text) if end is now else Cell(text, _known(change(before, after, *some)))


def _cv(now: End, end: End) -> Cell:
    before, after = _of(now, "lag_cv"), _of(end, "lag_cv")
    text = about(ratio(after), _is_partial(end))
    if end is now or before is None or after is None or _is_partial(now) or _is_partial(end):
        return Cell(text)
    return Cell(text, _known(change(round(before * 1e6), round(after * 1e6))))


def _partitions(now: End, end: End) -> Cell:
    most = _of(end, "max_partitions")
    text = most_and_fewest(most, _of(end, "min_partitions"))
    return Cell(text) if end is now else _differs(text, _of(now, "max_partitions"), most)


def _idle(now: End, end: End) -> Cell:
    idle = _of(end, "idle_members")
    return (
        Cell(exact(idle)) if end is now else _differs(exact(idle), _of(now, "idle_members"), idle)
    )


def _moved(now: End, end: End) -> Cell:
    if end is now or end.moved_partitions is None:
        return Cell(UNKNOWN)
    return Cell(exact(end.moved_partitions), _share(end.moved_partitions, end.partitions))


def _moved_lag(now: End, end: End) -> Cell:
    if end is now or end.moved_lag is None:
        return Cell(UNKNOWN)
    total = None if end.moved_lag_is_least or _is_partial(end) else _of(end, "total_lag")
    return Cell(compact_sum(end.moved_lag, end.moved_lag_is_least), _share(end.moved_lag, total))


def _share(moved: int, total: int | None) -> str:
    """Return the moved lag as a share of the total lag: `52 %`, or `3.5×` if several steps together
    move more than the total.
    """
    if not total:
        return ""
    return percent(moved / total) if moved <= total else factor(moved / total)


def _of(end: End, figure: str):
    return getattr(end.balance, figure, None)


def _is_partial(end: End) -> bool:
    return bool(end.balance and end.balance.lag_is_partial)


def _known(text: str) -> str:
    return "" if text == UNKNOWN else text


def _differs(text: str, before: int | None, after: int | None) -> Cell:
    if before is None or after is None:
        return Cell(text)
    step = after - before
    return Cell(text, signed(step) if step else "=")


_CELLS = {
    "max_lag": _worst,
    "lag_cv": _cv,
    "max_partitions": _partitions,
    "idle_members": _idle,
    "moved_partitions": _moved,
    "moved_lag": _moved_lag,
}
"""Figures whose cells also have a change or a share."""

_FIRST = ("max_lag", "lag_cv")


# The rows of the table of rolling restarts.


COLUMNS = (
    ("As they are", "rebalances"),
    ("As they are", "moves"),
    ("As they are", "paused"),
    ("As they are", "without owner"),
    ("As they are", "worst lag"),
    ("As they are", "ends as it began"),
    ("All static", "rebalances"),
    ("All static", "without owner"),
)
"""Columns after the assignor's name, each with its group of columns and its label."""

PILES_UP = "piles up"


def restart_columns(costs: Mapping[str, tuple[Cost, Cost]]) -> list[tuple[str, str]]:
    """Return the columns of the table of restart costs. The column “piles up” is included only if
    the arrival rates are known.
    """
    if not _has_rates(costs):
        return list(COLUMNS)
    return [
        shown
        for column in COLUMNS
        for shown in ([column, (column[0], PILES_UP)] if column[1] == "without owner" else [column])
    ]


def restart_rows(costs: Mapping[str, tuple[Cost, Cost]], times: Times) -> list[dict]:
    """Return a row for each assignor: its name, and a text for each column.

    `costs`: by assignor, the costs with the present members and the costs if all members were
    static. The static costs are shown as unknown if a restart takes longer than the session
    timeout.
    """
    lasts = times.downtime_seconds <= times.session_timeout_seconds
    has_rates = _has_rates(costs)
    return [
        {
            "name": name,
            "cells": [
                *_now(now, has_rates),
                *(_static(static, has_rates) if lasts else [UNKNOWN] * (2 + has_rates)),
            ],
        }
        for name, (now, static) in costs.items()
    ]


def _has_rates(costs: Mapping[str, tuple[Cost, Cost]]) -> bool:
    return any(cost.records is not None for both in costs.values() for cost in both)


def _now(now: Cost, has_rates: bool) -> list[str]:
    return [
        exact(now.rebalances),
        exact(now.moved_partitions),
        exact(now.paused_partitions),
        *_waits(now, has_rates),
        compact(now.max_lag),
        _yes_or_no(now.returns),
    ]


def _yes_or_no(flag: bool | None) -> str:
    if flag is None:
        return UNKNOWN
    return "yes" if flag else "no"


def _static(static: Cost, has_rates: bool) -> list[str]:
    return [exact(static.rebalances), *_waits(static, has_rates)]


def _waits(cost: Cost, has_rates: bool) -> list[str]:
    seconds = UNKNOWN if cost.partition_seconds is None else duration(cost.partition_seconds)
    records = None if cost.records is None or isnan(cost.records) else round(cost.records)
    return [seconds, compact(records)] if has_rates else [seconds]
