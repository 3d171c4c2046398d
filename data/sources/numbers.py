"""Numbers as tools print them; a number that cannot be gets a reason."""

import re

MAX_PARTITION = 1_000_000
"""A partition number above this is no partition: no cluster has so many in one topic."""

INT32, INT64 = 2**31 - 1, 2**63 - 1

NO_NUMBER = "expected a whole number"
"""Stands in the reason of a line whose number cannot be read."""

# Leading zeros do not count: pyarrow on the fast path skips them too. 19 digits hold every int64.
_WHOLE = re.compile("(-?)0*([0-9]{1,19})")


class Unreadable(ValueError):
    """A line that is no row; the text is the reason, with value and expectation."""


def whole(cell: str, name: str, low: int, high: int) -> int:
    """Return the number in a cell.

    Raises
    ------
    Unreadable
        If it is none, or outside `low` to `high`.
    """
    match = _WHOLE.fullmatch(plain_dashes(unquoted(cell)))
    if match and low <= (value := int(match[1] + match[2])) <= high:
        return value
    raise Unreadable(f"{name} is {cell[:80]!r}, {NO_NUMBER} from {low:,} to {high:,}")


def whole_or_none(cell: str, name: str, low: int, high: int) -> int | None:
    """Return the number in a cell, None if the tool printed that there is none."""
    return None if cell in MISSING or not cell else whole(cell, name, low, high)


def partition_number(cell: str, name: str = "PARTITION") -> int:
    """Return the number of a partition, 0 to `MAX_PARTITION`."""
    return whole(cell, name, 0, MAX_PARTITION)


def offset(cell: str, name: str) -> int | None:
    """Return an offset; -1 is how tools print that there is none."""
    number = whole_or_none(cell, name, -1, INT64)
    return None if number == -1 else number


# Cells as people paste them: a word processor's dashes and quotes, and what tools print for a value
# that is not there.


MISSING = frozenset({"-", "\u2013", "\u2014", "\u2212", "unknown", "none"})
"""Signs that tools print for a missing value; a word processor makes other dashes of `-`."""

_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-------")
_QUOTED = re.compile("[\u201c\u201e](.*)[\u201d\u201c]|[\u2018\u201a](.*)[\u2019\u2018]", re.DOTALL)


def plain_dashes(text: str) -> str:
    """Return the text with `-` for every dash that a word processor may have made of it."""
    return text if text.isascii() else text.translate(_DASHES)


def unquoted(cell: str) -> str:
    """Return a cell without a word processor's quotes around it."""
    quoted = None if cell.isascii() else _QUOTED.fullmatch(cell)
    return quoted[1] or quoted[2] or "" if quoted else cell


def printed_or_none(cell: str) -> str | None:
    """Return a name, None if the tool printed a dash or nothing; `unknown` and `none` may be
    names.
    """
    return None if plain_dashes(cell) in ("-", "") else cell
