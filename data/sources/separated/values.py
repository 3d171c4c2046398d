"""The value of a cell: a name, a number, a time, or nothing."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from evenkeel.data.sources.parsing.numbers import INT64, NO_NUMBER, Unreadable, offset, partition_number, whole
from evenkeel.data.sources.parsing.pasted import plain_dashes
from evenkeel.data.sources.separated.numerals import PLAIN, SEVERAL_WAYS, Style, digits, is_marked

BLANKS = " \t"
MISSING_NAMES = ("", "-", "null", "NULL", "N/A", "n/a")
MISSING_NUMBERS = (*MISSING_NAMES, "unknown", "none", "None", "NaN", "nan")

NUMBERS = ("partition", "begin_offset", "committed_offset", "end_offset", "listed_lag")

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
# The size tells the unit: 10**11 seconds are the year 5138, 10**11 milliseconds the year 1973.
_UNITS = ((10**11, 1), (10**14, 10**3), (10**17, 10**6), (10**20, 10**9))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def name(cell: str) -> str | None:
    """Return a name, None where there is none."""
    return None if plain_dashes(cell) in MISSING_NAMES else cell


def number(cell: str, column: str, title: str, style: Style | None = PLAIN) -> int | None:
    """Return the number of a column, None where there is none.

    `title`: the header's word for the column; `style`: that of its numbers, None if unknown.

    Raises
    ------
    Unreadable
        When it is none, or out of range.
    """
    if plain_dashes(cell) in MISSING_NUMBERS:
        return None
    if column == "partition":
        return partition_number(digits(cell, PLAIN) or cell, title)
    if style is None and is_marked(cell):
        raise Unreadable(f"{title} is {cell[:80]!r}, {NO_NUMBER}; {SEVERAL_WAYS}: --numbers says which, for example --numbers 1,234.00")
    text = digits(cell, style or PLAIN) or cell
    return whole(text, title, -INT64 - 1, INT64) if column == "listed_lag" else offset(text, title)


def time(cell: str, title: str) -> datetime | None:
    """Return a time: ISO 8601, UTC where it names no zone, or seconds, milli-, micro- or nanoseconds since 1970.

    Raises
    ------
    Unreadable
        When it is neither.
    """
    if cell in MISSING_NUMBERS:
        return None
    try:
        if not _NUMBER.fullmatch(cell):
            found = datetime.fromisoformat(cell)
            return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
        return _since_1970(cell)
    except (ValueError, OverflowError):
        raise Unreadable(f"{title} is {cell[:80]!r}, expected a time such as 2026-11-20T08:00:00Z or seconds since 1970") from None


def _since_1970(cell: str) -> datetime:
    value = Decimal(cell)
    unit = next((unit for limit, unit in _UNITS if 0 <= value < limit), None)
    if unit is None:
        raise ValueError(cell)
    return _EPOCH + timedelta(microseconds=int(value * 10**6 / unit))
