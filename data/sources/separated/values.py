"""The value of a cell: a name, a number, a time, or nothing."""

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
"""How tools write that a value is unknown, in small letters."""


NUMBERS = ("partition", "begin_offset", "committed_offset", "end_offset", "listed_lag")

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_EXPONENT = re.compile(r"-?[0-9]{1,17}(\.[0-9]{1,17})?[eE]\+[0-9]{1,2}")
# The size tells the unit: 10**11 seconds are the year 5138, 10**11 milliseconds the year 1973.
_UNITS = ((10**11, 1), (10**14, 10**3), (10**17, 10**6), (10**20, 10**9))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def name(cell: str) -> str | None:
    """Return a name, None if there is none."""
    return None if is_missing(cell) else cell


def is_missing(cell: str) -> bool:
    """Return whether a cell says that its value is unknown."""
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
    """Return a name, None for every way in which tools write that it is unknown."""
    if value is None or isinstance(value, dict | list):
        return None
    text = str(value).strip().strip("`").strip()
    if text.startswith("**") and text.endswith("**") and len(text) > 4:
        text = text[2:-2]
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return None if is_missing(text) else text


def state_of(value: Any) -> str | None:
    """Return a state as Kafka names it; `Unknown` for a word that is no state."""
    text = word(value)
    return text and _STATES.get(plain(text), "Unknown")


def assignor_of(value: Any) -> str | None:
    """Return the short name of an assignor."""
    text = word(value)
    return text and _ASSIGNORS.get(text, text)


class Style(NamedTuple):
    """The mark between thousands, empty without one, and the mark before decimals, which
    are zeros.
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
"""Styles by the example that names them."""
PLAIN = STYLES["1234.00"]


def number(cell: str, column: str, title: str, style: Style | None = PLAIN) -> int | None:
    """Return the number of a column, None if there is none.

    `title`: the header's word for the column; `style`: that of its numbers, None if unknown.

    Raises
    ------
    Unreadable
        If it is none, or out of range.
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
    """Return a whole number that is written as `1.25e+03`, any other cell as it is."""
    is_exact = _EXPONENT.fullmatch(cell) and abs(value := float(cell)) < 2**53 and value % 1 == 0
    return str(int(value)) if is_exact else cell


def time(cell: str, title: str, zone: tzinfo | None = None) -> datetime | None:
    """Return a time in UTC: ISO 8601, or seconds, milli-, micro- or nanoseconds since 1970.

    `zone`: of times that name none; None: UTC.

    Raises
    ------
    Unreadable
        If it is neither.
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
    """Return a time whose date is `2026/11/27` as ISO 8601 writes it."""
    return cell[:10].replace("/", "-") + cell[10:] if cell[4:5] == "/" else cell


def names_no_zone(cell: str) -> bool:
    """Return whether a time names no zone, so that UTC is assumed."""
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


# How a column of a spreadsheet writes its numbers: `31,939`, `31.939`, `31 939`, `31939.00`.


# Between thousands: no-break space, figure space, thin space, narrow no-break space.
_SPACES = "\u00a0\u2007\u2009\u202f"
_AS_WRITTEN = str.maketrans(dict.fromkeys(_SPACES, " ") | {"\u2019": "'"})
_PLAIN = re.compile(r"-?[0-9]+")
_LONGEST = 20
"""Letters of an int64. Python reads no number of more than 4,300 digits."""

_UNGROUPED = 1_000


SEVERAL_WAYS = "this column can be read in several ways"


def digits(cell: str, style: Style) -> str | None:
    """Return a number without marks and decimals, None if it is not written in this style."""
    match = _pattern(style).fullmatch(_written(cell))
    return match and (match[1].replace(style.thousands, "") if style.thousands else match[1])


def is_marked(cell: str) -> bool:
    """Return whether a cell is a number with marks in it, in whatever style."""
    return not _PLAIN.fullmatch(_written(cell)) and any(
        digits(cell, style) for style in STYLES.values()
    )


def style_of(cells: Iterable[str], longest: int = 0) -> Style | None:
    """Return the one style that reads all numbers of a column; None if several styles read them
    differently, or none reads all.

    `longest`: the largest number without marks that the column has beside these cells. A tool that
    marks thousands marks all of them.
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
    """Return the style of each column; an unclear one is as the lags prove it: end less commit in
    every row with these three figures.
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
    """Return commit, end and lag of rows that have them; nothing if a style does not read one."""
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
    """Return a number without marks, empty if it is not written in this style."""
    return cell if _PLAIN.fullmatch(cell) else digits(cell, style) or ""


def _written(cell: str) -> str:
    return plain_dashes(cell).translate(_AS_WRITTEN).strip()


@cache
def _pattern(style: Style) -> re.Pattern:
    mark, decimal = re.escape(style.thousands), re.escape(style.decimal)
    whole = rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+|[0-9]{{1,3}}" if mark else "[0-9]+"
    return re.compile(rf"(-?(?:{whole}))(?:{decimal}0+)?")
