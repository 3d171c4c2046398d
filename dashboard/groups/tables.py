"""Rows of the list of groups: lines for groups that are not fine, folds that hide some of these
lines, and one page of the table.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.dashboard.groups.choices import ALL, ListFilter
from evenkeel.dashboard.groups.columns import (
    CAUSE,
    COLUMNS,
    Column,
    Row,
    behind_text,
    behind_title,
    class_of,
    name_of,
    reads,
)
from evenkeel.dashboard.groups.words import CLASSES, FINE, LATER, MORE, NEED, RECOVER, rest
from evenkeel.dashboard.groups.words import UNKNOWN as UNKNOWN_CLASS
from evenkeel.dashboard.parts.diagnosis_text import mark
from evenkeel.dashboard.parts.past_words import Loss, loss, since
from evenkeel.data.diagnosis.summary import Summary
from evenkeel.data.episodes.past import GroupPast
from evenkeel.data.text.formats import UNKNOWN, about
from evenkeel.data.timeline.words import EXTRAPOLATED

PAGE = 11
MOST_LINES = 9
_BESIDE_ALERTS = 4
_MOST_UNFOLDED = 100
_LISTED = (NEED, RECOVER, LATER)


Line = Row | tuple[str, int] | str


class GroupList(NamedTuple):
    """Rows of the lines and of the table.

    `lines`: rows, folds (class, number of hidden rows) and notes. `counts`: number of all groups,
    by class. `passing`: number of groups that match the search, by class. `listed`: rows of the
    current page of the table. `first`: number of the page's first row, of `total` rows.
    """

    counts: Counter
    passing: Counter
    lines: list[Line]
    listed: Sequence[Row]
    first: int
    total: int
    page: int
    page_count: int


def shown(rows: Sequence[Row], choice: ListFilter, is_short: bool = False) -> GroupList:
    """Return the visible rows, most urgent first.

    `is_short`: whether there are fewer lines, because the panel of alerts is open.
    """
    counts = Counter(map(class_of, rows))
    passing = [row for row in rows if _passes(row, choice)]
    lines: list[Line] = []
    has_parts = any(class_of(row) in (FINE, *_LISTED) for row in rows)
    is_told = all(row["summary"] for row in rows) and any(row["lag"] is not None for row in rows)
    if choice.show is None and not has_parts and is_told:
        # If all groups are unknown, each line says what is missing in the reading of its group.
        lines, in_table = _lines(passing, choice, is_short, (UNKNOWN_CLASS,)), []
    elif choice.show is None and has_parts:
        lines = _lines(passing, choice, is_short)
        is_searched = bool(choice.search or choice.topic)
        in_table = [
            row
            for row in passing
            if class_of(row) == FINE or (is_searched and class_of(row) not in _LISTED)
        ]
    else:
        in_table = [row for row in passing if choice.show in (None, ALL, class_of(row))]
    in_table = _sorted(in_table, choice)
    page_count = max(math.ceil(len(in_table) / PAGE), 1)
    page = min(max(choice.page, 1), page_count)
    first = (page - 1) * PAGE
    listed = in_table[first : first + PAGE]
    return GroupList(
        counts,
        Counter(map(class_of, passing)),
        lines,
        listed,
        first,
        len(in_table),
        page,
        page_count,
    )


def _passes(row: Row, choice: ListFilter) -> bool:
    if choice.topic and not reads(row, choice.topic):
        return False
    text = choice.search.casefold()
    names = row["summary"].names if row["summary"] else row.get("names") or ""
    return not text or text in name_of(row).casefold() or text in names.casefold()


def _lines(
    rows: Sequence[Row],
    choice: ListFilter,
    is_short: bool,
    classes: Sequence[str] = (RECOVER, LATER),
) -> list[Line]:
    """Return a few lines: first the groups that need the reader, then the groups of `classes`.

    A fold is a line that hides at least two groups of a class. If a fold is open, its groups come
    after this line.
    """
    need = [row for row in rows if class_of(row) == NEED]
    others = [row for row in rows if class_of(row) in classes]
    most = _BESIDE_ALERTS if is_short else MOST_LINES
    room = most - bool(others)
    lines = _folded(need, room, choice)
    room = 1 if is_short else most - min(len(need), room)
    return lines + _folded(others, room, choice)


def _folded(rows: Sequence[Row], room: int, choice: ListFilter) -> list[Line]:
    if len(rows) <= room:
        return [*rows]
    hidden = rows[room - 1 :]
    group_class = class_of(hidden[0])
    lines: list[Line] = [*rows[: room - 1], (group_class, len(hidden))]
    if not choice.unfolds(group_class):
        return lines
    left = len(hidden) - _MOST_UNFOLDED
    return [*lines, *hidden[:_MOST_UNFOLDED], *([rest(group_class, left)] if left > 0 else [])]


def _sorted(rows: list[Row], choice: ListFilter) -> list[Row]:
    column = next(
        (each for each in COLUMNS if choice.sort and each.key == choice.sort.removeprefix("-")),
        None,
    )
    if column is None or column.order is None:
        return rows
    known = [row for row in rows if column.order(row) is not None]
    unknown = [row for row in rows if column.order(row) is None]
    is_falling = bool(choice.sort and choice.sort.startswith("-"))
    return sorted(known, key=column.order, reverse=is_falling) + unknown


# Data for the component that draws the lines.


def line_of(row: Row) -> dict[str, Any]:
    """Return a group as a line."""
    summary: Summary = row["summary"]
    has_history, now = "lags" in row, row.get("now")
    past: GroupPast | None = row.get("past")
    time_left = loss(past and past.outlook, now) if now else Loss()
    shape, tone = mark(summary.code, summary.group_class, summary.severity)
    return {
        "id": row["id"],
        "name": name_of(row),
        "mark": shape,
        "tone": tone,
        "isNeed": class_of(row) == NEED,
        "sentence": summary.sentence,
        "advice": summary.advice,
        "command": summary.command,
        "since": since(summary.since, now, summary.is_least)
        if summary.since is not None and now
        else UNKNOWN,
        "lag": about(summary.lag_text, row.get("is_about", False)),
        "source": row.get("source") or summary.lag_note,
        "behind": behind_text(row) or UNKNOWN,
        "behindTitle": behind_title(row),
        "isGuessed": row.get("lag_seconds_method") == EXTRAPOLATED,
        "lost": time_left.text,
        "lostTitle": time_left.title,
        "isLosing": past is not None and any(each.code == Code.LOSES for each in past.findings),
        "bars": [] if has_history else [bar._asdict() for bar in summary.bars],
        "spark": row.get("behind_drawn"),
    }


def fold_of(group_class: str, hidden: int, choice: ListFilter) -> dict[str, Any]:
    """Return the line of a fold."""
    return {
        "fold": group_class,
        "text": f"{hidden:,} {MORE[group_class]}",
        "isOpen": choice.unfolds(group_class),
    }


# Data for the component that draws the table.


def drawn_columns(rows: Sequence[Row], choice: ListFilter) -> list[Column]:
    """Return the columns of the table. Unless all groups are fine, the cause is the first
    column.
    """
    fields = rows[0] if rows else {}
    columns = [column for column in COLUMNS if not column.needs or column.needs in fields]
    is_mixed = choice.show not in (None, FINE) or bool(choice.search)
    return [CAUSE, *columns] if is_mixed else columns


def header_of(column: Column) -> dict[str, Any]:
    """Return the header of a column."""
    first = None
    if column.order:
        first = "-" if column.is_highest_first else ""
    return {
        "key": column.key,
        "kind": column.key,
        "label": column.label,
        "help": column.help,
        "over": "",
        "first": first,
        "heads": column.key == "group",
    }


def segments(counts: Counter, passing: Counter) -> dict[str, int]:
    """Return the number of groups that match the search: in total, and for each class that has
    groups.
    """
    return {ALL: passing.total()} | {name: passing[name] for name in CLASSES if counts[name]}
