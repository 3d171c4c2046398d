"""One line under the header of `--state`, of `--list --state` or `--list --type`."""

import re

from evenkeel.data.document import STATES
from evenkeel.data.sources.console.exact.cells import cells_between
from evenkeel.data.sources.console.headers.header import Layout
from evenkeel.data.sources.parsing.numbers import INT32, Unreadable, whole_or_none
from evenkeel.data.sources.parsing.pasted import MISSING, printed_or_none

_TYPES = "Classic|Consumer|Share|Streams|Unknown"
_STATES = "|".join(STATES)
_NOT_READY = "NotReady"
"""Only a streams group has this state."""

_NUMBER = r"(?:-|-?\d+)"

_CELL = {
    "group_id": r"\S.*?",
    # One blank before the id until Kafka 3.7, two since 3.8.
    "coordinator": r"\S+:-?\d+ {1,2}\(-?\d+\)",
    "assignor": r"\S*",
    "group_state": _STATES,
    "group_type": _TYPES,
    "group_epoch": _NUMBER,
    "assignment_epoch": _NUMBER,
    "member_count": r"\d+",
}


def read(text: str, layout: Layout, group_id: str | None) -> dict:
    """Return the row of MEMBERS about the group alone that a line gives.

    Raises
    ------
    Unreadable
        When the line is no such row.
    """
    line = "  ".join(cells_between(text, layout.separator)) if layout.separator in "|\t" else text
    found = _pattern(layout.columns).fullmatch(line)
    if found is None:
        raise Unreadable(
            f"no row of this listing, expected {len(layout.words)} columns: {' '.join(layout.words)}, with a state or type that Kafka has"
        )
    cell = found.groupdict()
    epochs = {
        column: whole_or_none(cell[column], column.upper(), -1, INT32) for column in ("group_epoch", "assignment_epoch") if column in cell
    }
    kind = cell.get("group_type", "Unknown").lower()
    return epochs | {
        "group_id": cell.get("group_id", group_id),
        "group_state": cell.get("group_state"),
        "assignor": printed_or_none(cell.get("assignor") or ""),
        "group_type": _type(cell, layout) if kind == "unknown" else kind,
    }


def _type(cell: dict[str, str | None], layout: Layout) -> str | None:
    """Return the type that columns and state imply: share groups print the same columns as streams groups, without epochs."""
    if "ASSIGNMENT-STRATEGY" in layout.words:
        return "consumer" if cell.get("group_epoch", "-") not in MISSING else None
    is_streams = "COORDINATOR (ID)" in layout.words and ("assignor" in cell or "group_epoch" in cell)
    return "streams" if is_streams or cell.get("group_state") == _NOT_READY else None


def _pattern(columns: tuple[str, ...]) -> re.Pattern:
    """Build the line of a listing: blanks between cells, none behind an empty ASSIGNMENT-STRATEGY."""
    cells = (f"(?P<{column}>{_CELL[column]})" + (" *" if column == "assignor" else " +") for column in columns[:-1])
    return re.compile(f" *{''.join(cells)}(?P<{columns[-1]}>{_CELL[columns[-1]]}) *")
