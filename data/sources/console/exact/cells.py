"""Cells of a printed line: by words, or by where the header's columns start."""

import re

from evenkeel.data.sources.console.headers.widths import WIDE

_WORDS = {" ": re.compile("[^ ]+"), ",": re.compile("(?:^|(?<=, ))(?:(?!, ).)*", re.DOTALL)}
_BETWEEN = {"|": re.compile(r"(?<!\\)\|"), "\t": re.compile("\t")}
# A noncharacter, which no text holds: it fills the second UTF-16 unit, because Java pads by those.
_FILLER = "\ufdd0"


def words_of(text: str, separator: str = " ") -> list[re.Match]:
    """Return what stands between blanks, or between commas with a blank; of these two, only commas may have nothing between them."""
    return list(_WORDS[separator].finditer(text))


def cells_between(text: str, separator: str) -> list[str]:
    """Return the cells of a pasted table's row, without the marks at both ends; `\\|` is a bar inside a cell."""
    cells = [cell.strip(" \u00a0").replace("\\|", "|") for cell in _BETWEEN[separator].split(text)]
    return cells[1 if not cells[0] else 0 : -1 if len(cells) > 1 and not cells[-1] else None] if separator == "|" else cells


def cells_at(text: str, starts: tuple[int, ...]) -> list[str] | None:
    """Return the cells that start exactly where the header's do, None when the line is not printed that way.

    A cell may be empty, also the last one when the line reaches it.
    """
    padded = WIDE.sub(lambda wide: wide[0] + _FILLER, text) if not text.isascii() else text
    if len(padded) < starts[-1] or any(start and padded[start - 1] != " " for start in starts):
        return None
    cells = [padded[start:stop] for start, stop in zip(starts, (*starts[1:], None))]
    if padded[: starts[0]].strip(" ") or any(cell.startswith(" ") and cell.strip(" ") for cell in cells):
        return None
    return [cell.strip(" ").replace(_FILLER, "") for cell in cells]
