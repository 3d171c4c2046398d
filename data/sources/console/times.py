"""Reads lines with the time of the listings below: the output of `date`, a time in ISO 8601, or the
first line of `watch`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import KEYED, TIME, ParsedTables, tables_of

LONGEST_BYTES = 400

_CLOCK = rb"(?P<clock>\d\d?:\d\d:\d\d)(?:[.,]\d+)?(?: (?P<half>[AaPp][Mm]))?"
_ZONE = rb"(?: ?(?P<zone>[+-]\d\d(?::?\d\d)?|[A-Z]{1,5}))?"
_DAY = (
    rb"(?:(?P<month>[A-Z][a-z]{2}) +(?P<day>\d\d?)|(?P<day_first>\d\d?)"
    rb" (?P<month_last>[A-Z][a-z]{2}))"
)
_PRINTED = (
    rb"[A-Z][a-z]{2},? +"
    + _DAY
    + rb"(?: (?P<year>\d{4}))? +"
    + _CLOCK
    + _ZONE
    + rb"(?: (?P<year_last>\d{4}))?"
)
_ISO = rb"(?P<date>\d{4}-\d\d-\d\d)[T ]" + _CLOCK + _ZONE
_FRAME = rb"[\s#=*<>~+-]*"
_NAMED = rb"(?:(?:[Dd]ate|[Tt]ime(?:stamp)?|[Tt]aken at)\s*[:=] *)?"
_LINES = (
    re.compile(_FRAME + _NAMED + _ISO + _FRAME),
    re.compile(_FRAME + _NAMED + _PRINTED + _FRAME),
    # The host is between the command and the time.
    re.compile(rb"\s*Every [\d.,]+s: .*?" + _PRINTED + rb"\s*"),
    re.compile(rb"\s*(?P<seconds>\d{10})(?:\.\d+)?\s*"),
)
_UTC = ("Z", "UTC", "GMT")


class PrintedTime(NamedTuple):
    """A time in UTC. `zone`: None if the line's UTC offset is known. Else UTC is assumed, and
    `zone` is the printed zone or "".
    """

    time: datetime
    zone: str | None = None

    def within(self, zone: tzinfo | None) -> "PrintedTime":
        """Return this time, read in `zone` if its UTC offset is not known. If the line names
        another zone, nothing changes.
        """
        if zone is None or self.zone is None:
            return self
        time = self.time.replace(tzinfo=zone)
        return PrintedTime(time.astimezone(UTC)) if self.zone in ("", time.tzname()) else self

    @property
    def note(self) -> str:
        """The text of the note about the line."""
        assumed = "" if self.zone is None else f"; {self.zone or 'no zone'} is taken as UTC"
        return f"{TIME}{self.time:%Y-%m-%d %H:%M:%S} UTC{assumed}"


def time_of(line: bytes) -> PrintedTime | None:
    """Return the time in a line that contains only a time, None for every other line."""
    match = (
        None
        if len(line) > LONGEST_BYTES
        else next(filter(None, (pattern.fullmatch(line) for pattern in _LINES)), None)
    )
    try:
        return match and _time(match.groupdict())
    except (ValueError, OverflowError):
        return None


def _time(part: dict[str, bytes | None]) -> PrintedTime:
    part = {name: value.decode() for name, value in part.items() if value is not None}
    if "seconds" in part:
        return PrintedTime(datetime.fromtimestamp(int(part["seconds"]), UTC))
    hours = "%I:%M:%S %p" if "half" in part else "%H:%M:%S"
    written = f"{_date(part)} {part['clock']} {part.get('half', '')}".strip()
    zone = part.get("zone", "")
    offset = _offset(zone)
    time = datetime.strptime(written, f"%Y-%m-%d {hours}").replace(tzinfo=UTC) - (
        offset or timedelta(0)
    )
    return PrintedTime(time, zone if offset is None else None)


def _date(part: dict[str, str]) -> str:
    """Return the date as `2026-11-27`. Raises ValueError if the parts have no year."""
    if "date" in part:
        return part["date"]
    month, day = (
        part.get(name) or part.get(other, "")
        for name, other in (("month", "month_last"), ("day", "day_first"))
    )
    year = part.get("year") or part.get("year_last")
    return f"{datetime.strptime(f'{year} {month} {day}', '%Y %b %d'):%Y-%m-%d}"


def _offset(zone: str) -> timedelta | None:
    """Return the zone's offset from UTC. None for an abbreviation such as CST, because
    abbreviations have several offsets.
    """
    if zone in _UTC:
        return timedelta(0)
    digits = zone[1:].replace(":", "")
    return (
        (-1 if zone[0] == "-" else 1)
        * timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
        if digits.isdigit()
        else None
    )


# Sets the times of rows from lines with a time above them.


def with_times(parsed: ParsedTables, times: Sequence[tuple[int, datetime | None]]) -> ParsedTables:
    """Set each row's time to the time of the nearest line above that has one. `times`: (line
    number, time), in line order, the first with line 0.
    """
    lines, row_times = (
        np.array([line for line, _ in times]),
        pa.array([time for _, time in times], schemas.TIME),
    )
    return replace(
        parsed,
        **{
            name.lower(): _timed(table, lines, row_times)
            for name, table in tables_of(parsed).items()
            if name in KEYED
        },
    )


def _timed(table: pa.Table, lines: np.ndarray, row_times: pa.Array) -> pa.Table:
    above = np.searchsorted(lines, table["source_line"].to_numpy(), side="right") - 1
    return table.set_column(
        table.schema.get_field_index("taken_at"),
        table.schema.field("taken_at"),
        row_times.take(pa.array(above)),
    )
