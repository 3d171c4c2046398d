"""Reads the value of a cell: a name, a number, a time, or unknown."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from evenkeel.data.group.document import STATES
from evenkeel.data.sources.numbers import (
    INT64,
    NO_NUMBER,
    Unreadable,
    offset,
    partition_number,
    plain_dashes,
    whole,
)
from evenkeel.data.sources.synonyms import plain

BLANKS = " \t"
MISSING = frozenset(
    ("", "-", "--", "n/a", "na", "null", "none", "nil", "<nil>", "<none>", "unknown", "undefined")
    + ("nan", "inf", "+inf", "-inf")
)
"""Signs of tools for an unknown value, in lower case."""


NUMBERS = ("partition", "begin_offset", "committed_offset", "end_offset", "listed_lag")

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_EXPONENT = re.compile(r"-?[0-9]{1,17}(\.[0-9]{1,17})?[eE]\+[0-9]{1,2}")
# The size shows the unit: 10**11 seconds are the year 5138, 10**11 milliseconds the year 1973.
_UNITS = ((10**11, 1), (10**14, 10**3), (10**17, 10**6), (10**20, 10**9))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def name(cell: str) -> str | None:
    """Return the name in a cell, None if it is unknown."""
    return None if is_missing(cell) else cell


def is_missing(cell: str) -> bool:
    """Return whether a cell's value is unknown."""
    return plain_dashes(cell).lower() in MISSING


_STATES = {plain(state): state for state in STATES}
_ASSIGNORS = {
    f"org.apache.kafka.clients.consumer.{name}Assignor": short
    for name, short in (
        ("Range", "range"),
        ("RoundRobin", "roundrobin"),
        ("Sticky", "sticky"),
        ("CooperativeSticky", "cooperative-sticky"),
    )
}


def word(value: Any) -> str | None:
    """Return a value as text, without quotes and Markdown marks; None if it is unknown."""
    if value is None or isinstance(value, dict | list):
        return None
    text = str(value).strip().strip("`").strip()
    if text.startswith("**") and text.endswith("**") and len(text) > 4:
        text = text[2:-2]
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return None if is_missing(text) else text


def state_of(value: Any) -> str | None:
    """Return Kafka's name of a state. Return `Unknown` for a word that is no state, None if the
    value is missing."""
    text = word(value)
    return text and _STATES.get(plain(text), "Unknown")


def assignor_of(value: Any) -> str | None:
    """Return the short name of an assignor, None if missing."""
    text = word(value)
    return text and _ASSIGNORS.get(text, text)


class Style(NamedTuple):
    """How numbers are written. `thousands` is the mark between thousands, or empty. `decimal` is
    the mark before decimals; only decimals of 0 are read.
    """

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
    "1_234.00": Style("_", "."),
}
"""Number styles; the key is an example."""
PLAIN = STYLES["1234.00"]


def number(cell: str, column: str, title: str, style: Style | None = PLAIN) -> int | None:
    """Return the number in a cell, None if it is missing.

    `title`: the column's header cell. `style`: style of the column's numbers, None if unknown.

    Raises
    ------
    Unreadable
        If the cell is not a number, or is out of range.
    """
    if is_missing(cell):
        return None
    if column == "partition":
        return partition_number(digits(cell, PLAIN) or cell, title)
    if style is None and is_marked(cell):
        raise Unreadable(
            f"{title} is {cell[:80]!r}, {NO_NUMBER}; {SEVERAL_WAYS}: --numbers says which, for"
            " example --numbers 1,234.00"
        )
    text = digits(cell, style or PLAIN) or _without_exponent(cell)
    return whole(text, title, -INT64 - 1, INT64) if column == "listed_lag" else offset(text, title)


def _without_exponent(cell: str) -> str:
    """Return a whole number such as `1.25e+03` without its exponent, and every other cell
    unchanged.
    """
    is_exact = _EXPONENT.fullmatch(cell) and abs(value := float(cell)) < 2**53 and value % 1 == 0
    return str(int(value)) if is_exact else cell


def time(cell: str, title: str, zone: tzinfo | None = None) -> datetime | None:
    """Return a time in UTC, read from ISO 8601 or from seconds, milli-, micro- or nanoseconds since
    1970.

    `zone`: zone of times without a zone, None for UTC.

    Raises
    ------
    Unreadable
        If the cell is not a time.
    """
    if is_missing(cell):
        return None
    try:
        if not _NUMBER.fullmatch(cell):
            moment = datetime.fromisoformat(_dashed(cell))
            moment = moment if moment.tzinfo else moment.replace(tzinfo=zone or UTC)
            return moment.astimezone(UTC)
        return _since_1970(cell)
    except (ValueError, OverflowError):
        raise Unreadable(
            f"{title} is {cell[:80]!r}, expected a time such as 2026-11-20T08:00:00Z or seconds"
            " since 1970"
        ) from None


def _dashed(cell: str) -> str:
    """Return a time with dashes in its date, `2026-11-27` for `2026/11/27`."""
    return cell[:10].replace("/", "-") + cell[10:] if cell[4:5] == "/" else cell


def names_no_zone(cell: str) -> bool:
    """Return whether a time has no zone, so that UTC is assumed."""
    try:
        return not _NUMBER.fullmatch(cell) and datetime.fromisoformat(_dashed(cell)).tzinfo is None
    except ValueError:
        return False


def _since_1970(cell: str) -> datetime:
    value = Decimal(cell)
    unit = next((unit for limit, unit in _UNITS if 0 <= value < limit), None)
    if unit is None:
        raise ValueError(cell)
    return _EPOCH + timedelta(microseconds=int(value * 10**6 / unit))


# Number styles of spreadsheet columns: `31,939`, `31.939`, `31 939`, `31939.00`.


# Marks between thousands: no-break space, figure space, thin space, narrow no-break space.
_SPACES = "\u00a0\u2007\u2009\u202f"
_AS_WRITTEN = str.maketrans(dict.fromkeys(_SPACES, " ") | {"\u2019": "'"})
_PLAIN = re.compile(r"-?[0-9]+")
_LONGEST = 20
"""Largest length of an int64 as text. The limit is needed because Python refuses numbers of more
than 4,300 digits.
"""

_UNGROUPED = 1_000


SEVERAL_WAYS = "this column can be read in several ways"


def digits(cell: str, style: Style) -> str | None:
    """Return a number without marks and decimals, None if the cell does not have this style."""
    match = _pattern(style).fullmatch(_written(cell))
    return match and (match[1].replace(style.thousands, "") if style.thousands else match[1])


def is_marked(cell: str) -> bool:
    """Return whether a cell is a number with marks, in any style."""
    return not _PLAIN.fullmatch(_written(cell)) and any(
        digits(cell, style) for style in STYLES.values()
    )


def style_of(cells: Iterable[str], longest: int = 0) -> Style | None:
    """Return the style of a column's numbers. Return None if no style fits all numbers, or if
    several styles fit and give different numbers.

    `longest`: the largest number without marks in the cells that are not in `cells`. If it is 1,000
    or more, styles that mark thousands do not fit.
    """
    numbers = {_written(cell) for cell in cells}
    marked = [cell for cell in numbers if is_marked(cell)]
    longest = max(
        [
            longest,
            *(
                abs(int(cell))
                for cell in numbers
                if len(cell) <= _LONGEST and _PLAIN.fullmatch(cell)
            ),
        ]
    )
    readings: dict[tuple, Style] = {}
    for style in STYLES.values():
        reading = tuple(digits(cell, style) for cell in marked)
        if None not in reading and not (marked and style.thousands and longest >= _UNGROUPED):
            readings.setdefault(reading, style)
    return next(iter(readings.values())) if len(readings) == 1 else None


_FIGURES = ("committed_offset", "end_offset", "listed_lag")


def proven_styles(
    rows: Sequence[Mapping[str, Any]], styles: Mapping[str, Style | None]
) -> Mapping[str, Style | None]:
    """Return the style of each column. An unclear style is chosen so that lag is end less commit in
    all rows that have the three numbers.
    """
    if None not in styles.values() or not styles.keys() >= {*_FIGURES}:
        return styles
    proven: dict[tuple, Mapping[str, Style | None]] = {}
    for style in STYLES.values():
        tried = {column: known or style for column, known in styles.items()}
        known = _known_figures(rows, tried)
        if known and all(end - committed == lag for committed, end, lag in known):
            proven.setdefault(tuple(known), tried)
    return next(iter(proven.values())) if len(proven) == 1 else styles


def _known_figures(
    rows: Sequence[Mapping[str, Any]], styles: Mapping[str, Style]
) -> list[tuple[int, ...]]:
    """Return commit, end and lag of each row that has all three. Empty if a style cannot read a
    cell.
    """
    known: list[tuple[int, ...]] = []
    for row in rows:
        cells = [(word(row[column]), styles[column]) for column in _FIGURES]
        if any(cell is None for cell, _ in cells):
            continue
        texts = [_as_digits(cell or "", style) for cell, style in cells]
        if "" in texts:
            return []
        known.append(tuple(map(int, texts)))
    return known


def _as_digits(cell: str, style: Style) -> str:
    """Return a number without marks, empty if the cell does not have this style."""
    return cell if _PLAIN.fullmatch(cell) else digits(cell, style) or ""


def _written(cell: str) -> str:
    return plain_dashes(cell).translate(_AS_WRITTEN).strip()


@cache
def _pattern(style: Style) -> re.Pattern:
    mark, decimal = re.escape(style.thousands), re.escape(style.decimal)
    whole = rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+|[0-9]{{1,3}}" if mark else "[0-9]+"
    return re.compile(rf"(-?(?:{whole}))(?:{decimal}0+)?")
