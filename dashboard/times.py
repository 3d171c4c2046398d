"""Times as texts. Pages use the reader's time zone, addresses use UTC.

Files, reports, shares and the API use UTC too: they call `iso`, or make their texts inside
`in_utc`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, tzinfo


def _utc() -> tzinfo:
    return UTC


_readers: list[Callable[[], tzinfo]] = [_utc]


def ask_for_zone(reader: Callable[[], tzinfo]) -> None:
    """Set the function that returns the time zone of the page's reader. Before this call, texts are
    in UTC.
    """
    _readers[:] = [reader]


_IS_UTC: ContextVar[bool] = ContextVar("is_utc", default=False)


@contextmanager
def in_utc() -> Iterator[None]:
    """During a `with` block, make all texts in UTC, whatever the reader's zone."""
    token = _IS_UTC.set(True)
    try:
        yield
    finally:
        _IS_UTC.reset(token)


def local(time: datetime | float) -> datetime:
    """Return a time in the reader's zone. `time`: a datetime with a zone, or seconds since 1970."""
    zone = UTC if _IS_UTC.get() else _readers[0]()
    return (
        time.astimezone(zone) if isinstance(time, datetime) else datetime.fromtimestamp(time, zone)
    )


def from_local(time: datetime) -> datetime:
    """Return a time in UTC. `time`: as the reader typed it, in the reader's zone."""
    return time.replace(tzinfo=_readers[0]()).astimezone(UTC)


def zone(time: datetime | float) -> str:
    """Return the zone's name: `UTC`, `CET`, or `UTC+0530` if the zone has no letters."""
    name = local(time).tzname() or "UTC"
    return f"UTC{name}" if name[0] in "+-" else name


def clock(seconds: float) -> str:
    """Return `14:02`."""
    return f"{local(seconds):%H:%M}"


def day(seconds: float) -> str:
    """Return `Sun 8 Nov`."""
    return f"{local(seconds):%a %-d %b}"


def day_and_clock(seconds: float) -> str:
    """Return `Sun 8 Nov 14:02`."""
    return f"{day(seconds)} {clock(seconds)}"


def between(since: float, until: float) -> str:
    """Return `Sun 8 Nov 14:02 to Sun 8 Nov 16:00 UTC`."""
    return f"{day_and_clock(since)} to {day_and_clock(until)} {zone(until)}"


def full(time: datetime) -> str:
    """Return `2026-11-08 14:02:11 UTC`."""
    return f"{local(time):%Y-%m-%d %H:%M:%S} {zone(time)}"


def moment(time: datetime, now: datetime) -> str:
    """Return `14:02:11 UTC`, or `2026-03-01 14:02 UTC` if `time` is not on the day of `now`."""
    here = local(time)
    return (
        f"{here:%H:%M:%S} {zone(time)}"
        if here.date() == local(now).date()
        else f"{here:%Y-%m-%d %H:%M} {zone(time)}"
    )


def iso(time: datetime) -> str:
    """Return `2026-11-08T14:02Z`. Seconds are added if they are not 0. A datetime without a zone
    counts as UTC.
    """
    return f"{time:%Y-%m-%dT%H:%M:%S}".removesuffix(":00") + "Z"


def typed(text: str) -> datetime | None:
    """Return the time that the reader typed, in UTC. None if the text is not a time. A text without
    a zone is in the reader's zone.
    """
    try:
        time = datetime.fromisoformat(text)
        return _in_years(time.astimezone(UTC) if time.tzinfo else from_local(time))
    except (ValueError, OverflowError):
        return None


def from_iso(text: str) -> datetime | None:
    """Return the time in a text, in UTC and without a zone. None if the text is not a time, or if
    its year is not between 1970 and 9998.
    """
    try:
        time = datetime.fromisoformat(text)
        return _in_years(time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time)
    except (ValueError, OverflowError):
        return None


def _in_years(time: datetime) -> datetime | None:
    return time if 1970 <= time.year < 9999 else None


# A range of the Timeline in words.


_LEAST_SECONDS, _LEAST_SHARE = 60.0, 0.01
"""There is no note if readings are missing at an end of a range for at most this time: seconds, or
a fraction of the range.
"""


def outside(chosen: tuple[float, float], whole: tuple[float, float]) -> str:
    """Return a sentence that says which part of a range has readings. Empty if readings cover the
    whole range.

    `chosen`: start and end of the range. `whole`: times of the first and the last reading. Both in
    seconds since 1970.
    """
    least = max(_LEAST_SECONDS, _LEAST_SHARE * (chosen[1] - chosen[0]))
    is_early, is_late = whole[0] - chosen[0] > least, chosen[1] - whole[1] > least
    ends = [f"from {day_and_clock(whole[0])}"] * is_early + [
        f"until {day_and_clock(whole[1])}"
    ] * is_late
    missing = " or ".join(["earlier"] * is_early + ["later"] * is_late)
    return (
        f"Shown {' '.join(ends)} {zone(whole[1])}: there are no {missing} readings." if ends else ""
    )


def of_link(text: str, is_fixed: bool) -> str:
    """Return the sentences about the range that a link opens.

    `text`: the length of the range, such as `24 h`. `is_fixed`: the link opens this range; else it
    opens a range of this length that ends at the last reading.
    """
    opens = (
        "Opens this range."
        if is_fixed
        else f"Opens the last {text} up to the newest reading; choose Custom to fix the range."
    )
    return f"{opens} Anyone who opens the link needs access to this Evenkeel."
