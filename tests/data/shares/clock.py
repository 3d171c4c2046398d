"""A clock that a test moves."""

from datetime import UTC, datetime, timedelta


class Clock:
    """Tells the same time until it is moved."""

    def __init__(self):
        self.now = datetime(2026, 11, 20, 8, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def goes_on(self, **by: float) -> None:
        self.now += timedelta(**by)
