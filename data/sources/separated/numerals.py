"""How a column of a spreadsheet writes its numbers: `31,939`, `31.939`, `31 939`, `31939.00`."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from evenkeel.data.sources.parsing.pasted import plain_dashes

# Between thousands: no-break space, figure space, thin space, narrow no-break space.
_SPACES = "\u00a0\u2007\u2009\u202f"
_AS_WRITTEN = str.maketrans(dict.fromkeys(_SPACES, " ") | {"\u2019": "'"})
_PLAIN = re.compile(r"-?[0-9]+")
_LONGEST = 20
"""Letters of an int64. Python reads no number of more than 4,300 digits."""

_UNGROUPED = 1_000


class Style(NamedTuple):
    """The marks between thousands, empty where there are none, and before decimals, which are zeros."""

    thousands: str
    decimal: str


STYLES = {
    "1234.00": Style("", "."),
    "1234,00": Style("", ","),
    "1,234.00": Style(",", "."),
    "1.234,00": Style(".", ","),
    "1 234,00": Style(" ", ","),
    "1 234.00": Style(" ", "."),
    "1'234.00": Style("'", "."),
}
"""Styles by the example that names them."""

SEVERAL_WAYS = "this column can be read in several ways"

PLAIN = STYLES["1234.00"]


def digits(cell: str, style: Style) -> str | None:
    """Return a number without marks and decimals, None where it is not written in this style."""
    found = _pattern(style).fullmatch(_written(cell))
    return found and (found[1].replace(style.thousands, "") if style.thousands else found[1])


def is_marked(cell: str) -> bool:
    """Tell whether a cell is a number with marks in it, in whatever style."""
    return not _PLAIN.fullmatch(_written(cell)) and any(digits(cell, style) for style in STYLES.values())


def style_of(cells: Iterable[str], longest: int = 0) -> Style | None:
    """Return the one style that reads all numbers of a column; None if several styles read them differently, or none reads all.

    `longest`: the largest number without marks that the column has beside these cells. A tool that marks thousands marks all of them.
    """
    numbers = {_written(cell) for cell in cells}
    marked = [cell for cell in numbers if is_marked(cell)]
    longest = max([longest, *(abs(int(cell)) for cell in numbers if len(cell) <= _LONGEST and _PLAIN.fullmatch(cell))])
    readings: dict[tuple, Style] = {}
    for style in STYLES.values():
        reading = tuple(digits(cell, style) for cell in marked)
        if None not in reading and not (marked and style.thousands and longest >= _UNGROUPED):
            readings.setdefault(reading, style)
    return next(iter(readings.values())) if len(readings) == 1 else None


def _written(cell: str) -> str:
    return plain_dashes(cell).translate(_AS_WRITTEN).strip()


@cache
def _pattern(style: Style) -> re.Pattern:
    mark, decimal = re.escape(style.thousands), re.escape(style.decimal)
    whole = rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+|[0-9]{{1,3}}" if mark else "[0-9]+"
    return re.compile(rf"(-?(?:{whole}))(?:{decimal}0+)?")
