"""Reads numbers as tools print them; an impossible number raises an error with the reason."""

import re

MAX_PARTITION = 1_000_000
"""Larger numbers are not partitions: no topic has so many partitions."""

INT32, INT64 = 2**31 - 1, 2**63 - 1

NO_NUMBER = "expected a whole number"
"""Part of the reason if a number cannot be read."""

# Leading zeros are skipped, as in pyarrow on the fast path. Every int64 has at most 19 digits.
_WHOLE = re.compile("(-?)0*([0-9]{1,19})")


class Unreadable(ValueError):
    """A line is not a row. The text is the reason, with the found and the expected value."""


def whole(cell: str, name: str, low: int, high: int) -> int:
    """Return the number in a cell.

    Raises
    ------
    Unreadable
        If the cell is not a number, or is outside `low` to `high`.
    """
    match = _WHOLE.fullmatch(plain_dashes(unquoted(cell)))
    if match and low <= (value := int(match[1] + match[2])) <= high:
        return value
    raise Unreadable(f"{name} is {cell[:80]!r}, {NO_NUMBER} from {low:,} to {high:,}")


def whole_or_none(cell: str, name: str, low: int, high: int) -> int | None:
    """Return the number in a cell, None for a dash, `unknown`, `none` or an empty cell."""
    return None if cell in MISSING or not cell else whole(cell, name, low, high)


def partition_number(cell: str, name: str = "PARTITION") -> int:
    """Return the number of a partition, 0 to `MAX_PARTITION`."""
    return whole(cell, name, 0, MAX_PARTITION)


def offset(cell: str, name: str) -> int | None:
    """Return an offset, None if it is missing; tools print -1 for a missing offset."""
    number = whole_or_none(cell, name, -1, INT64)
    return None if number == -1 else number


# Pasted cells: dashes and quotes of word processors, and signs for missing values.


MISSING = frozenset({"-", "\u2013", "\u2014", "\u2212", "unknown", "none"})
"""Signs for a missing value. Word processors replace `-` with other dashes."""

_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-------")
_QUOTED = re.compile("[\u201c\u201e](.*)[\u201d\u201c]|[\u2018\u201a](.*)[\u2019\u2018]", re.DOTALL)


def plain_dashes(text: str) -> str:
    """Return the text with `-` in place of a word processor's dashes."""
    return text if text.isascii() else text.translate(_DASHES)


def unquoted(cell: str) -> str:
    """Return a cell without surrounding quotes of a word processor."""
    quoted = None if cell.isascii() else _QUOTED.fullmatch(cell)
    return quoted[1] or quoted[2] or "" if quoted else cell


def printed_or_none(cell: str) -> str | None:
    """Return a name, None for a dash or an empty cell. `unknown` and `none` can be names."""
    return None if plain_dashes(cell) in ("-", "") else cell
