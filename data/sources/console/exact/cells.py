"""Cuts a printed line into cells: at blanks, or where the header's columns start."""

import re
from collections.abc import Sequence

from evenkeel.data.sources.console.headers import WIDE

_WORDS = {" ": re.compile("[^ ]+"), ",": re.compile("(?:^|(?<=, ))(?:(?!, ).)*", re.DOTALL)}
_BETWEEN = {"|": re.compile(r"(?<!\\)\|"), "\t": re.compile("\t")}
# A noncharacter, which never occurs in text. It fills the second UTF-16 unit of a character,
# because Java pads by UTF-16 units.
_FILLER = "\ufdd0"


def words_of(text: str, separator: str = " ") -> list[re.Match]:
    """Return the words of a line. `separator`: " ", or "," for a comma and a blank. Words between
    commas may be empty.
    """
    return list(_WORDS[separator].finditer(text))


def is_cut_row(text: str, starts: Sequence[int]) -> bool:
    """Return whether a line is the start of a padded row: it has at least two words but fewer than
    the header, and each word starts exactly below a header word.
    """
    if "  " not in text:
        return False
    words = tuple(word.start() for word in words_of(text))
    return 1 < len(words) < len(starts) and words == tuple(starts[: len(words)])


def cells_between(text: str, separator: str) -> list[str]:
    """Return the cells of a row in a pasted table, without the `|` at both ends. `separator`: `|`
    or a tab. `\\|` is a bar inside a cell.
    """
    cells = [cell.strip(" \u00a0").replace("\\|", "|") for cell in _BETWEEN[separator].split(text)]
    return (
        cells[1 if not cells[0] else 0 : -1 if len(cells) > 1 and not cells[-1] else None]
        if separator == "|"
        else cells
    )


def cells_at(text: str, starts: tuple[int, ...]) -> list[str] | None:
    """Return the cells of a line if each starts exactly below a header cell, else None.

    Cells may be empty. The line must reach the start of the last cell.
    """
    padded = WIDE.sub(lambda wide: wide[0] + _FILLER, text) if not text.isascii() else text
    if len(padded) < starts[-1] or any(start and padded[start - 1] != " " for start in starts):
        return None
    cells = [padded[start:stop] for start, stop in zip(starts, (*starts[1:], None), strict=False)]
    if padded[: starts[0]].strip(" ") or any(
        cell.startswith(" ") and cell.strip(" ") for cell in cells
    ):
        return None
    return [cell.strip(" ").replace(_FILLER, "") for cell in cells]


# HOST is the only cell that can be recognised among names with blanks.


# The part after % is the zone of a link-local IPv6 address.
_IP = r"/[0-9a-fA-F]*[.:][0-9a-fA-F.:]*(?:%\w+)?"
_ADDRESS, _NAMED_ADDRESS, _GLUED = (
    re.compile(f"{before}({_IP})") for before in ("", "[^/]+", "(.*)")
)


def is_address(cell: str) -> bool:
    """Return whether a cell is a host as reported by brokers, such as `/10.4.1.17`."""
    return bool(_ADDRESS.fullmatch(cell))


def is_named_address(cell: str) -> bool:
    """Return whether a cell is a host with its name, such as `ip-10-4-1-17.internal/10.4.1.17`."""
    return bool(_NAMED_ADDRESS.fullmatch(cell))


def places_of(words: list[re.Match], first: int, stop: int) -> list[int]:
    """Return the positions of hosts among words `first` to `stop`: words that are an address, else
    words that are a name and an address, else words that start with a slash.
    """
    between = range(first, stop)
    for looks in (is_address, is_named_address, lambda cell: cell.startswith("/")):
        if places := [at for at in between if looks(words[at][0])]:
            return places
    return []


def before_and_address(text: str) -> tuple[str, str] | None:
    """Return (rest, address) if `text` ends with an address, else None."""
    parts = _GLUED.fullmatch(text)
    return (parts[1], parts[2]) if parts else None
