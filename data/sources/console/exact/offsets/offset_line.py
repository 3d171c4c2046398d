"""One line under the header of an offsets listing."""

from evenkeel.data.sources.console.exact.cells import cells_at, cells_between, words_of
from evenkeel.data.sources.console.exact.offsets.offset_splits import host_in_place, splits
from evenkeel.data.sources.console.exact.offsets.row import OffsetRow, row_of
from evenkeel.data.sources.console.headers.header import Layout
from evenkeel.data.sources.parsing.numbers import Unreadable
from evenkeel.data.words.lists import counted


def read(text: str, layout: Layout, group_id: str | None) -> OffsetRow | dict:
    """Return the row of a line: of OFFSETS, or of MEMBERS for a member that owns nothing.

    Raises
    ------
    Unreadable
        When the line is no row, or could be two different rows.
    """
    if layout.separator in "|\t":
        return row_of(_exactly(cells_between(text, layout.separator), layout), layout, group_id)
    words = words_of(text, layout.separator)
    reason = Unreadable(f"{counted(len(words), 'word')}, expected {len(layout.words)} columns: {' '.join(layout.words)}")
    for cells in _certain(text, words, layout):
        try:
            return row_of(cells, layout, group_id)
        except Unreadable as unreadable:
            reason = unreadable
    return _only(_readable(splits(text, words, layout), layout, group_id), reason, layout)


def _certain(text, words, layout):
    """Yield the cuts that no blank in a name can mislead: one word a column, cells where the header's start."""
    if len(words) == len(layout.words) and host_in_place(cells := [word[0] for word in words], layout):
        yield cells
    cells = cells_at(text, layout.starts) if layout.separator == " " else None
    if cells is not None:
        yield cells


def _readable(ways, layout, group_id):
    for cells in ways:
        try:
            yield row_of(cells, layout, group_id)
        except Unreadable:
            continue


def _only(rows, reason: Unreadable, layout: Layout) -> OffsetRow | dict:
    first = next(rows, None)
    if first is None:
        raise reason
    if next(rows, None) is not None:
        raise Unreadable(
            "can be cut in several ways and does not stand under its header, "
            f"expected {len(layout.words)} columns: {' '.join(layout.words)}"
        )
    return first


def _exactly(cells: list[str], layout: Layout) -> list[str]:
    if len(cells) != len(layout.words):
        raise Unreadable(f"{counted(len(cells), 'cell')}, expected {len(layout.words)} columns: {' '.join(layout.words)}")
    return cells
