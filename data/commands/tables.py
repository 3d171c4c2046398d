"""A comparison as a table for people."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from assignors.errors import REQUEST_ERROR
from assignors.group import GroupSnapshot
from assignors.lag import UNKNOWN_LAG, page_lag, total_lag
from data.commands.aligned import aligned
from data.commands.printing import printable
from data.observed import ObservedGroup

UNKNOWN = "–"

_COLUMNS = {
    "max_partitions": "max partitions",
    "min_partitions": "min",
    "max_lag": "max lag",
    "mean_lag": "mean",
    "total_lag": "total",
    "lag_cv": "CV",
    "max_lag_share": "max ÷ mean",
    "idle_members": "idle",
    "moved_partitions": "moved",
    "moved_lag": "lag moved",
    "rounds": "rounds",
}
_NUMBER = re.compile(r"\[\d+\]")
_TWO_DECIMALS = ("lag_cv", "max_lag_share")


def comparison_table(observed: ObservedGroup, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the group in one line, one line for each assignment with right-aligned numbers, and what was assumed and what is to be said of the rows."""
    cells = [["assignor", *_COLUMNS.values()]] + [[row["assignor"], *(_cell(row, figure) for figure in _COLUMNS)] for row in rows]
    lines, width = aligned(cells), max(len(row[0]) for row in cells)
    for place, row in enumerate(rows, 1):
        if row["error"]:
            lines[place] = f"{row['assignor']:<{width}}  {_why(observed, row)}"
    assumed = in_short({path for row in rows for path in row["assumed"]})
    notes = [f"assumed: {', '.join(assumed)}"] if assumed else []
    notes = [""] * bool(said := _remarks(rows)) + said + [""] * bool(notes) + notes
    return "\n".join([printable(line) for line in (_about(observed), "", *lines, *notes)]) + "\n"


def _remarks(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each remark; rows of which the same is to be said share it."""
    names: dict[str, list[str]] = {}
    for row in rows:
        for remark in row["remarks"]:
            names.setdefault(remark, []).append(row["assignor"])
    return [f"{', '.join(of)}: {remark}" for remark, of in names.items()]


def _why(observed: ObservedGroup, row: Mapping[str, Any]) -> str:
    error = row["error"]
    if not observed.snapshot.member_count:
        return f"no answer: the group has no members (Kafka throws {error['type']})"
    message = error["message"].removeprefix(f"{row['assignor']}: ")
    return message if error["type"] == REQUEST_ERROR else f"{error['type']}: {message}"


def in_short(paths: Iterable[str]) -> list[str]:
    """Return paths that differ in numbers alone as one, with their count."""
    alike: dict[str, list[str]] = {}
    for path in sorted(paths):
        alike.setdefault(_NUMBER.sub("[…]", path), []).append(path)
    return [same[0] if len(same) == 1 else f"{shape} ({len(same):,})" for shape, same in alike.items()]


def _about(observed: ObservedGroup) -> str:
    group = observed.snapshot
    name = "group without a name" if observed.group_id is None else observed.group_id
    topics = None if observed.partition_count is None else np.count_nonzero(group.topic_known)
    facts = [f"{noun} {_exact(number)}" for noun, number in (("members", observed.member_count), ("topics", topics), ("partitions", observed.partition_count))]
    stated = [fact for fact in (observed.group_state, observed.assignor) if fact]
    if not group.member_count:
        facts.append(f"lag {UNKNOWN}" if observed.is_named_alone else _lag(group))
    taken = [f"as of {observed.taken_at:%Y-%m-%d %H:%M:%S %Z}"] if observed.taken_at else []
    return " · ".join([name, *stated, *facts, *taken])


def _exact(number: int | None) -> str:
    return UNKNOWN if number is None else f"{number:,}"


def _lag(group: GroupSnapshot) -> str:
    lag = page_lag(group)
    unknown, total = int((lag == UNKNOWN_LAG).sum()), total_lag(lag)
    return f"lag {UNKNOWN if total is None else f'{total:,}'}" + (f" (of {unknown:,} not known)" if unknown and total is not None else "")


def _cell(row: Mapping[str, Any], figure: str) -> str:
    value = row[figure]
    if value is None:
        return UNKNOWN
    if figure == "rounds" and row["never_ends"] is not False:
        return "∞" if row["never_ends"] else f"> {value:,}"
    return f"{value:,.2f}" if figure in _TWO_DECIMALS else f"{value:,.0f}"
