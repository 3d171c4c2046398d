"""One line under the header of `kafka-streams-groups.sh --offsets`: an input partition of the application."""

import re
from functools import cache

from evenkeel.data.sources.console.exact.cells import cells_between
from evenkeel.data.sources.console.exact.offsets.row import OffsetRow
from evenkeel.data.sources.console.headers.header import Layout
from evenkeel.data.sources.parsing import numbers
from evenkeel.data.sources.parsing.numbers import INT32, INT64, Unreadable

_NUMBER = r"(-|-?\d+)"


def read(text: str, layout: Layout, group_id: str | None) -> OffsetRow:
    """Return the row of a line.

    The first release prints end − begin offset as OFFSET-LAG, and nothing under the LEADER-EPOCH of `--verbose`: no lag is taken from that.

    Raises
    ------
    Unreadable
        When the line is no row, or OFFSET-LAG contradicts the offsets.
    """
    cell = _cells(text, layout)
    is_first_release = "leader_epoch" in layout.columns and "end_offset" not in layout.columns
    partition = numbers.partition_number(cell["partition"])
    committed, end = (numbers.offset(cell.get(column, "-"), column) for column in ("committed_offset", "end_offset"))
    lag = numbers.whole_or_none(cell["listed_lag"], "OFFSET-LAG", -INT64 - 1, INT64)
    if None not in (committed, end, lag) and lag != end - committed:
        raise Unreadable(f"OFFSET-LAG is {lag}, expected LOG-END-OFFSET - CURRENT-OFFSET = {end - committed}")
    epoch = numbers.whole_or_none(cell.get("leader_epoch", "-"), "LEADER-EPOCH", -1, INT32)
    listed = None if is_first_release else lag
    group = cell.get("group_id", group_id)
    return OffsetRow(group, cell["topic"], partition, committed, end, listed, epoch, None, None, None, "streams")


def _cells(text: str, layout: Layout) -> dict[str, str]:
    columns = layout.columns
    line = "  ".join(cells_between(text, layout.separator)) if layout.separator in "|\t" else text
    # The first release leaves LEADER-EPOCH blank.
    for names in (columns, tuple(name for name in columns if name != "leader_epoch")):
        if found := _line(names).fullmatch(line):
            return dict(zip(names, found.groups(), strict=True))
    raise Unreadable(f"no row of this listing, expected {len(layout.words)} columns: {' '.join(layout.words)}")


@cache
def _line(columns: tuple[str, ...]) -> re.Pattern:
    """Build the line of a listing: a group may hold blanks, a topic does not."""
    shapes = {"group_id": r"(\S(?:.*\S)?)", "topic": r"(\S+)", "partition": r"(\d+)"}
    return re.compile(r"\s*" + r"\s+".join(shapes.get(column, _NUMBER) for column in columns) + r"\s*")
