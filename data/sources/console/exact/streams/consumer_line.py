"""One line under the header of `kafka-streams-groups.sh --members`: a consumer, or tasks of the consumer above."""

import re
from functools import cache
from typing import Any, NamedTuple

from evenkeel.data.sources.console.exact.cells import cells_at, cells_between
from evenkeel.data.sources.console.exact.streams.task_lists import are_tasks, tasks_by_column
from evenkeel.data.sources.console.headers.header import Layout
from evenkeel.data.sources.parsing.numbers import INT32, Unreadable, whole_or_none
from evenkeel.data.sources.parsing.pasted import printed_or_none

_CURRENT, _TARGET = ("current_active", "current_standby", "current_warmup"), ("owned", "standby", "warmup")
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
    """Columns of CONSUMERS; of a line with a consumer also those of MEMBERS."""

    consumer: dict[str, Any]
    member: dict[str, Any] | None
    detail: str = ""


def read(text: str, layout: Layout, group_id: str | None) -> ConsumerRow:
    """Return the row of a line.

    Raises
    ------
    Unreadable
        When the line is none, or could be two different rows.
    """
    if are_tasks(text):
        return _of_tasks(text, layout)
    cell = _cells(text, layout)
    named = {"group_id": cell.get("group_id", group_id), "member_id": cell["member_id"], "group_type": "streams"}
    about = {"client_id": printed_or_none(cell["client_id"])}
    epochs = {name: whole_or_none(cell[name], name.upper(), -2, INT32) for name in ("epoch", "assignment_epoch") if name in cell}
    tasks = _assigned(cell["assignments"], "epoch" in cell) if "assignments" in cell else {}
    return ConsumerRow(named | about | {"process_id": cell["process_id"]} | tasks, named | about | epochs)


def _of_tasks(text: str, layout: Layout) -> ConsumerRow:
    if layout.consumer is None:
        raise Unreadable("no consumer above these tasks, expected a line with GROUP MEMBER PROCESS CLIENT-ID")
    group_id, member_id = layout.consumer
    tasks = tasks_by_column(text)
    return ConsumerRow({"group_id": group_id, "member_id": member_id, "group_type": "streams"} | tasks, None, ", ".join(tasks))


def _assigned(text: str, is_verbose: bool) -> dict[str, list[str]]:
    """Return the tasks by column; a list that is empty is not printed."""
    columns = (*_CURRENT, *_TARGET) if is_verbose else _CURRENT
    found = dict.fromkeys(columns, []) | (tasks_by_column(text) if text.strip() else {})
    if len(found) > len(columns):
        raise Unreadable(f"target tasks in {text[:80]!r}, expected them with --verbose only")
    return found


def _cells(text: str, layout: Layout) -> dict[str, str]:
    """Cut a line into its cells: by marks of a pasted table, where the header's columns start, around the process id, or by words."""
    for cells in _ways(text.rstrip(), layout):
        if cells is not None:
            return {name: cell.strip() for name, cell in zip(layout.columns, cells, strict=True)}
    raise Unreadable(f"no row of this listing, expected {len(layout.words)} columns: {' '.join(layout.words)}")


def _ways(text: str, layout: Layout):
    if layout.separator in "|\t":
        yield _fitting(cells_between(text, layout.separator), layout)
        return
    yield _fitting(cells_at(f"{text} ".ljust(layout.starts[-1]), layout.starts) or [], layout)
    for name, process in ((r"\S.*?", _UUID), (r"\S+", r"\S+")):
        found = _line(layout.columns, name, process).fullmatch(text)
        yield found and list(found.groups())


def _fitting(cells: list[str], layout: Layout) -> list[str] | None:
    if layout.columns[-1] == "assignments" and len(cells) == len(layout.columns) - 1:
        cells = [*cells, ""]
    if len(cells) != len(layout.columns):
        return None
    fits = all(re.fullmatch(_CELL.get(name, r"\S.*"), cell.strip()) for name, cell in zip(layout.columns, cells, strict=True))
    return cells if fits else None


@cache
def _line(columns: tuple[str, ...], name: str, process: str) -> re.Pattern:
    """Build the line of a listing; group and client id are a `name`, a member id is one word."""
    shapes = {"group_id": name, "client_id": name, "member_id": r"\S+", "process_id": process} | _CELL
    cells = [f"({shapes[column]})" for column in columns]
    return re.compile(r"\s*" + r"\s+".join(cells[:-1]) + (r"\s*" if columns[-1] == "assignments" else r"\s+") + cells[-1] + r"\s*")
