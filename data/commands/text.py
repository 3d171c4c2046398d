"""Text for terminals: lines without control characters, aligned columns, the result of `tidy`."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from evenkeel.data.text.columns import Column
from evenkeel.data.text.formats import counted

if TYPE_CHECKING:
    from evenkeel.data.lake.slots.tidy import TidyResult

# JSON does not escape these: DEL, C1 controls, direction marks, line and paragraph separators.
_MOVES_THE_CURSOR = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return a text without control characters; names from files may contain cursor movements."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape", "backslashreplace").decode()
        for sign in text
    )


def json_line(value: Any) -> str:
    """Return a value as one line of JSON; control characters are escaped."""
    text = msgspec.json.encode(value).decode()
    is_plain = text.isascii() and "\x7f" not in text
    return (
        text if is_plain else _MOVES_THE_CURSOR.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
    ) + "\n"


# Cells in aligned columns.


def cells_of(columns: Iterable[Column], rows: Iterable[Any]) -> list[list[str]]:
    """Return the cells of a text table; the first row is the header.

    Columns without a label are left out.
    """
    shown = [column for column in columns if column.label]
    texts = ([printable(column.text_of(row)) for column in shown] for row in rows)
    return [[column.label for column in shown], *texts]


def aligned_lines(cells: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return one aligned line for each row.

    The first `left` columns are left-aligned, the other columns right-aligned.
    """
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [_aligned(row, widths, left) for row in cells]


def _aligned(row: Sequence[str], widths: Sequence[int], left: int) -> str:
    return "  ".join(
        f"{cell:<{width}}" if place < left else f"{cell:>{width}}"
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    ).rstrip()


def lines_with_words(cells: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return one aligned line for each row.

    The last cell of a row is a text. The texts start at the same position in all lines.
    """
    lines = aligned_lines([row[:-1] for row in cells], left)
    width = max(map(len, lines))
    return [f"{line:<{width}}  {row[-1]}".rstrip() for line, row in zip(lines, cells, strict=True)]


# The result of `evenkeel tidy` for one day.


def day_line(result: "TidyResult") -> str:
    """Return one line about the slots of a day: how `evenkeel tidy` stored or deleted them."""
    from evenkeel.data.lake.slots.retention import Form

    head = f"cluster {result.cluster}, {result.day}: {counted(result.slot_count, 'slot')}"
    done = {
        Form.HOUR: "stored by the hour",
        Form.DAY: "stored by the day",
        Form.THINNED: f"thinned to {result.left_count:,}",
        Form.NONE: "deleted",
    }
    return (
        f"{head} not changed: {result.problem}" if result.problem else f"{head} {done[result.form]}"
    )
