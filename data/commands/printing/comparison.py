"""A comparison as a table for people."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evenkeel.assignors.assignment import REQUEST_ERROR
from evenkeel.assignors.figures.figure import FIGURES
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag, total_lag
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.commands.printing.alignment import aligned_lines
from evenkeel.data.commands.printing.figures import Figures
from evenkeel.data.commands.printing.short_paths import in_short
from evenkeel.data.commands.printing.terminal_text import printable
from evenkeel.data.scenarios.advice import Advised
from evenkeel.data.words.figures import WORDS, decimals

UNKNOWN = "–"

_NOT_NAMED = (
    "The input names no members, so there is nothing to compare: add what --describe prints while the group runs, or --describe --members."
)
_NOT_RUNNING = "No consumer is running: the group has no active members, so there is nothing to compare. Its lag grows until one starts."


def comparison_table(observed: ObservedGroup, figures: Sequence[Figures], advised: Advised) -> str:
    """Return the group, the advice, one line for each assignment with right-aligned numbers, the remarks on the rows and what was assumed.

    A group without members has no table: one sentence says why.
    Of a figure that is not exact the least is shown as `≥ 2,245`; of a ratio what the known lags give as `≈ 1.43`.
    """
    rows = [one.row for one in figures]
    has_members = bool(observed.snapshot.member_count)
    advice = [advised.words.text] if has_members else []
    assumed = in_short({path for row in rows for path in row["assumed"]})
    notes = [f"assumed: {', '.join(assumed)}"] if assumed else []
    said = _remarks(rows) if has_members else []
    notes = [""] * bool(said) + said + [""] * bool(notes) + notes
    lines = _table(figures) if has_members else [_NOT_NAMED if observed.may_have_members else _NOT_RUNNING]
    return "\n".join([printable(line) for line in (about(observed), *advice, "", *lines, *notes)]) + "\n"


def _table(figures: Sequence[Figures]) -> list[str]:
    columns = {key: WORDS[key].command for key in FIGURES if key in WORDS and WORDS[key].command}
    cells = [["assignor", *columns.values()]] + [[one.row["assignor"], *(_cell(one, key) for key in columns)] for one in figures]
    lines, width = aligned_lines(cells), max(len(row[0]) for row in cells)
    for place, one in enumerate(figures, 1):
        if one.row["error"]:
            lines[place] = f"{one.row['assignor']:<{width}}  {_why(one.row)}"
    return lines


def _remarks(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each remark; rows with the same remark share it."""
    names: dict[str, list[str]] = {}
    for row in rows:
        for remark in row["remarks"]:
            names.setdefault(remark, []).append(row["assignor"])
    return [f"{', '.join(of)}: {remark}" for remark, of in names.items()]


def _why(row: Mapping[str, Any]) -> str:
    error = row["error"]
    message = error["message"].removeprefix(f"{row['assignor']}: ")
    return message if error["type"] == REQUEST_ERROR else f"{error['type']}: {message}"


def about(observed: ObservedGroup) -> str:
    """Return what a group is, in one line: its name, state, size and age."""
    group = observed.snapshot
    name = "group without a name" if observed.group_id is None else observed.group_id
    topics = None if observed.partition_count is None else np.count_nonzero(group.topic_known)
    facts = [
        f"{noun} {_exact(number)}"
        for noun, number in (("members", observed.member_count), ("topics", topics), ("partitions", observed.partition_count))
    ]
    stated = [fact for fact in (observed.group_state, observed.assignor) if fact]
    facts += _lag(observed, page_lag(group))
    taken = [f"as of {observed.taken_at:%Y-%m-%d %H:%M:%S %Z}"] if observed.taken_at else []
    return " · ".join([name, *stated, *facts, *taken])


def _exact(number: int | None) -> str:
    return UNKNOWN if number is None else f"{number:,}"


def _lag(observed: ObservedGroup, lag: np.ndarray) -> list[str]:
    """Return the lag of a group without members, which no row has, and of how many partitions it is unknown."""
    unknown, total = int(np.count_nonzero(lag == UNKNOWN_LAG)), None if observed.is_named_alone else total_lag(lag)
    is_partial = 0 < unknown < lag.size
    whole = f"lag {'≥ ' * is_partial}{_exact(total)}"
    return [whole] * (not observed.snapshot.member_count) + [f"unknown lags {unknown:,}"] * is_partial


def _cell(one: Figures, figure: str) -> str:
    value, bounds = one.row[figure], one.bounds.get(figure)
    if value is None:
        return UNKNOWN
    if figure == "rounds" and bounds:
        return "∞" if bounds.low == math.inf else f"> {value:,}"
    if bounds and bounds.high == math.inf:
        return f"≥ {math.floor(value):,}"
    return "≈ " * bool(bounds) + f"{value:,.{decimals(FIGURES[figure])}f}"
