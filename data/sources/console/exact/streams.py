"""Reads a line below a header of `kafka-streams-groups.sh` or `kafka-share-groups.sh`: a consumer,
an offsets row, or tasks of a consumer that an earlier line names.
"""

import re
from functools import cache
from typing import Any, NamedTuple

from evenkeel.assignors.protocol import SHARE, STREAMS
from evenkeel.data.sources import numbers
from evenkeel.data.sources.console.exact.cells import cells_at, cells_between
from evenkeel.data.sources.console.exact.offsets import OffsetRow
from evenkeel.data.sources.console.headers import Layout
from evenkeel.data.sources.numbers import (
    INT32,
    INT64,
    Unreadable,
    partition_number,
    printed_or_none,
    whole,
    whole_or_none,
)

_CURRENT, _TARGET = (
    ("current_active", "current_standby", "current_warmup"),
    ("owned", "standby", "warmup"),
)
_NUMBER = r"(?:-|-?\d+)"
_UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_CELL = {
    "assignment_epoch": _NUMBER,
    "topology_epoch": _NUMBER,
    "epoch": _NUMBER,
    "member_protocol": "streams|classic",
    "assignments": "(?:(?:TARGET-)?(?:ACTIVE|STANDBY|WARMUP):.*)?",
}


class ConsumerRow(NamedTuple):
    """A row of CONSUMERS. `member`: the consumer's row of MEMBERS, None if the line contains only
    tasks.
    """

    consumer: dict[str, Any]
    member: dict[str, Any] | None
    detail: str = ""


def read_consumer(text: str, layout: Layout, group_id: str | None) -> ConsumerRow:
    """Return the row in a line.

    Raises
    ------
    Unreadable
        If the line is not a row, or can be read as two different rows.
    """
    if are_tasks(text):
        return _of_tasks(text, layout)
    cell = _cells(text, layout)
    named = {
        "group_id": cell.get("group_id", group_id),
        "member_id": cell["member_id"],
        "group_type": STREAMS,
    }
    about = {"client_id": printed_or_none(cell["client_id"])}
    epochs = {
        name: whole_or_none(cell[name], name.upper(), -2, INT32)
        for name in ("epoch", "assignment_epoch")
        if name in cell
    }
    tasks = _assigned(cell["assignments"], "epoch" in cell) if "assignments" in cell else {}
    return ConsumerRow(
        named | about | {"process_id": cell["process_id"]} | tasks, named | about | epochs
    )


def _of_tasks(text: str, layout: Layout) -> ConsumerRow:
    if layout.consumer is None:
        raise Unreadable(
            "no consumer above these tasks, expected a line with GROUP MEMBER PROCESS CLIENT-ID"
        )
    group_id, member_id = layout.consumer
    tasks = tasks_by_column(text)
    return ConsumerRow(
        {"group_id": group_id, "member_id": member_id, "group_type": STREAMS} | tasks,
        None,
        ", ".join(tasks),
    )


def _assigned(text: str, is_verbose: bool) -> dict[str, list[str]]:
    """Return the task ids by column. A list that the tool does not print is empty."""
    columns = (*_CURRENT, *_TARGET) if is_verbose else _CURRENT
    assigned = dict.fromkeys(columns, []) | (tasks_by_column(text) if text.strip() else {})
    if len(assigned) > len(columns):
        raise Unreadable(
            f"target tasks in {text[:80]!r}, expected target tasks only with --verbose"
        )
    return assigned


def _cells(text: str, layout: Layout) -> dict[str, str]:
    """Cut a line into cells, in the first way that works: at `|` or tabs; where the header's
    columns start; with a UUID as the process id; at blanks.
    """
    for cells in _ways(text.rstrip(), layout):
        if cells is not None:
            return {name: cell.strip() for name, cell in zip(layout.columns, cells, strict=True)}
    raise Unreadable(
        f"not a row of this listing, expected {len(layout.words)} columns: {' '.join(layout.words)}"
    )


def _ways(text: str, layout: Layout):
    if layout.separator in "|\t":
        yield _fitting(cells_between(text, layout.separator), layout)
        return
    yield _fitting(cells_at(f"{text} ".ljust(layout.starts[-1]), layout.starts) or [], layout)
    for name, process in ((r"\S.*?", _UUID), (r"\S+", r"\S+")):
        match = _line(layout.columns, name, process).fullmatch(text)
        yield match and list(match.groups())


def _fitting(cells: list[str], layout: Layout) -> list[str] | None:
    if layout.columns[-1] == "assignments" and len(cells) == len(layout.columns) - 1:
        cells = [*cells, ""]
    if len(cells) != len(layout.columns):
        return None
    fits = all(
        re.fullmatch(_CELL.get(name, r"\S.*"), cell.strip())
        for name, cell in zip(layout.columns, cells, strict=True)
    )
    return cells if fits else None


@cache
def _line(columns: tuple[str, ...], name: str, process: str) -> re.Pattern:
    """Build the pattern of a line. `name`: the pattern of group ids and client ids. `process`: the
    pattern of process ids.
    """
    shapes = {
        "group_id": name,
        "client_id": name,
        "member_id": r"\S+",
        "process_id": process,
    } | _CELL
    cells = [f"({shapes[column]})" for column in columns]
    return re.compile(
        r"\s*"
        + r"\s+".join(cells[:-1])
        + (r"\s*" if columns[-1] == "assignments" else r"\s+")
        + cells[-1]
        + r"\s*"
    )


# A line below the header of `kafka-streams-groups.sh --offsets` is an input partition of the
# application. In `kafka-share-groups.sh --offsets`, START-OFFSET is not a commit.


_PARTITION_NUMBER = r"(-|-?\d+)"


def read_partition(text: str, layout: Layout, group_id: str | None) -> OffsetRow:
    """Return the row in a line.

    With `--verbose`, the first release of the tool leaves LEADER-EPOCH blank, and its OFFSET-LAG is
    end − begin offset. This OFFSET-LAG is not read as a lag.

    Raises
    ------
    Unreadable
        If the line is not a row, or OFFSET-LAG contradicts the offsets.
    """
    cell = _partition_cells(text, layout)
    is_first_release = "leader_epoch" in layout.columns and "end_offset" not in layout.columns
    partition = numbers.partition_number(cell["partition"])
    committed, end = (
        numbers.offset(cell.get(column, "-"), column)
        for column in ("committed_offset", "end_offset")
    )
    lag = numbers.whole_or_none(cell.get("listed_lag", "-"), "OFFSET-LAG", -INT64 - 1, INT64)
    if None not in (committed, end, lag) and lag != end - committed:
        raise Unreadable(
            f"OFFSET-LAG is {lag}, expected LOG-END-OFFSET - CURRENT-OFFSET = {end - committed}"
        )
    epoch = numbers.whole_or_none(cell.get("leader_epoch", "-"), "LEADER-EPOCH", -1, INT32)
    is_share = layout.kind == "share-offsets"
    listed = None if is_first_release and not is_share else lag
    kind = SHARE if is_share else STREAMS
    group = cell.get("group_id", group_id)
    return OffsetRow(
        group, cell["topic"], partition, committed, end, listed, epoch, None, None, None, kind
    )


def _partition_cells(text: str, layout: Layout) -> dict[str, str]:
    columns = layout.columns
    line = "  ".join(cells_between(text, layout.separator)) if layout.separator in "|\t" else text
    # The first release leaves LEADER-EPOCH blank.
    for names in (columns, tuple(name for name in columns if name != "leader_epoch")):
        if match := _partition_line(names).fullmatch(line):
            return dict(zip(names, match.groups(), strict=True))
    raise Unreadable(
        f"not a row of this listing, expected {len(layout.words)} columns: {' '.join(layout.words)}"
    )


@cache
def _partition_line(columns: tuple[str, ...]) -> re.Pattern:
    """Build the pattern of a line. A group id may contain blanks, a topic cannot."""
    shapes = {"group_id": r"(\S(?:.*\S)?)", "topic": r"(\S+)", "partition": r"(\d+)"}
    return re.compile(
        r"\s*" + r"\s+".join(shapes.get(column, _PARTITION_NUMBER) for column in columns) + r"\s*"
    )


# Tasks as printed by `kafka-streams-groups.sh`: `ACTIVE: 0:[0,2]; STANDBY: 0:[1]; ` on one line, or
# `ACTIVE-TASKS:: 0: [0, 1] ` on separate lines.


_ROLE = re.compile(r"(TARGET-)?(ACTIVE|STANDBY|WARMUP)(?:-TASKS)?:{1,2}(?=\s|$)")
_LEADING = re.compile(rf"\s*{_ROLE.pattern}")
# The first release printed brackets of Java's lists inside its own brackets: `0: [[0, 1],1: [[0]]
# `.
_TASKS = re.compile(r"[\s,;\]]*([^\s:\[\]]+)\s*:\s*\[{1,2}([\d,\s]*)\]{0,2}")
_REST = re.compile(r"[\s,;\]]*")

_TARGET_CELL = {"ACTIVE": "owned", "STANDBY": "standby", "WARMUP": "warmup"}


def are_tasks(text: str) -> bool:
    """Return whether a line starts with a list of tasks."""
    return _LEADING.match(text) is not None


def tasks_by_column(text: str) -> dict[str, list[str]]:
    """Return the task ids of each printed list, by column of CONSUMERS.

    Raises
    ------
    Unreadable
        If the text is not a list of tasks.
    """
    roles = list(_ROLE.finditer(text))
    if not roles or text[: roles[0].start()].strip():
        raise Unreadable(
            f"tasks are {text[:80]!r}, expected lists such as ACTIVE: 0:[0,2]; STANDBY: 0:[1];"
        )
    ends = [role.start() for role in roles[1:]] + [len(text)]
    return {
        _column(role): _task_ids(text[role.end() : end])
        for role, end in zip(roles, ends, strict=True)
    }


def _column(role: re.Match) -> str:
    return _TARGET_CELL[role[2]] if role[1] else f"current_{role[2].lower()}"


def _task_ids(text: str) -> list[str]:
    tasks: list[str] = []
    at = 0
    while not _REST.fullmatch(text, at):
        part = _TASKS.match(text, at)
        if part is None:
            raise Unreadable(
                f"tasks are {text.strip()[:80]!r}, expected a list such as 0:[0,2]; 1:[0];"
            )
        subtopology = whole(part[1], "a subtopology", 0, INT32)
        numbers = [number.strip() for number in part[2].split(",") if number.strip()]
        tasks += [
            f"{subtopology}_{partition_number(number, 'the partition of a task')}"
            for number in numbers
        ]
        at = part.end()
    return tasks
