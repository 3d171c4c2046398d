"""Times in UTC, as figures, lines and the address say them."""

from datetime import UTC, datetime


def clock(seconds: float) -> str:
    """`14:02`."""
    return f"{datetime.fromtimestamp(seconds, UTC):%H:%M}"


def day(seconds: float) -> str:
    """`Sun 8 Nov`."""
    return f"{datetime.fromtimestamp(seconds, UTC):%a %-d %b}"


def day_and_clock(seconds: float) -> str:
    """`Sun 8 Nov 14:02`."""
    return f"{day(seconds)} {clock(seconds)}"


def iso(time: datetime) -> str:
    """`2026-11-08T14:02Z`; with seconds where there are any. A time without zone is UTC."""
    return f"{time:%Y-%m-%dT%H:%M:%S}".removesuffix(":00") + "Z"


def from_iso(text: str) -> datetime | None:
    """Return the time, in UTC and without its zone, None where the text is none."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
