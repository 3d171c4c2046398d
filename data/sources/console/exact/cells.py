"""Cells of a printed line: by words, or by where the header's columns start."""

import re

MISSING = frozenset({"-", "\u2013", "\u2014", "\u2212", "unknown", "none"})
"""What tools print for a value that is not there; a word processor makes other dashes of `-`."""

_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-------")
_QUOTED = re.compile("[\u201c\u201e](.*)[\u201d\u201c]|[\u2018\u201a](.*)[\u2019\u2018]", re.DOTALL)
_WORDS = {" ": re.compile("[^ ]+"), ",": re.compile("(?:^|(?<=, ))(?:(?!, ).)*", re.DOTALL)}
_BETWEEN = {"|": re.compile(r"(?<!\\)\|"), "\t": re.compile("\t")}
_WIDE = re.compile("[\U00010000-\U0010ffff]")
_FILLER = "\ufdd0"


def plain_dashes(text: str) -> str:
    """Return the text with `-` for every dash that a word processor may have made of it."""
    return text if text.isascii() else text.translate(_DASHES)


def unquoted(cell: str) -> str:
    """Return a cell without a word processor's quotes around it."""
    quoted = None if cell.isascii() else _QUOTED.fullmatch(cell)
    return quoted[1] or quoted[2] or "" if quoted else cell


def printed_or_none(cell: str) -> str | None:
    """Return a name, None where the tool printed a dash or nothing; `unknown` and `none` may be names."""
    return None if plain_dashes(cell) in ("-", "") else cell


def utf16_width(text: str) -> int:
    """Count characters as Java does."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


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
    padded = _WIDE.sub(lambda wide: wide[0] + _FILLER, text) if not text.isascii() else text
    if len(padded) < starts[-1] or any(start and padded[start - 1] != " " for start in starts):
        return None
    cells = [padded[start:stop] for start, stop in zip(starts, (*starts[1:], None))]
    if padded[: starts[0]].strip(" ") or any(cell.startswith(" ") and cell.strip(" ") for cell in cells):
        return None
    return [cell.strip(" ").replace(_FILLER, "") for cell in cells]
