"""Ranges of a group's history."""

from typing import NamedTuple

from evenkeel.dashboard.loading.history.readings import readings
from evenkeel.dashboard.view import Opened


class Range(NamedTuple):
    """From `since` to `until`, seconds since 1970, both included."""

    since: float
    until: float


def whole_range(group: Opened) -> Range | None:
    """Return the first and the last reading that the lake has of an open group's cluster, None without any."""
    time = readings(group).found.axis.time
    return Range(float(time[0]), float(time[-1])) if time.size else None


def has_readings(group: Opened, since: float, until: float) -> bool:
    """Tell whether the lake has a reading between two times, seconds since 1970."""
    time = readings(group).found.axis.time
    return bool(((time >= since) & (time <= until)).any())
