"""The clock: in `data`, only this module reads the time. `Watch` detects that somebody set the
clock.

watch = Watch()
...
if watch.set_by():
    ...  # the clock was set: the ages of earlier times are wrong
"""

import time
from datetime import UTC, datetime
from pathlib import Path

_LEAST_SECONDS = 5.0
"""A time service (NTP) corrects the clock by less than this in an hour."""

_BOOT = Path("/proc/sys/kernel/random/boot_id")


def seconds() -> float:
    """Return seconds since 1970. The clock can be set forward or back at any moment."""
    return time.time()


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.fromtimestamp(seconds(), UTC)


def steady() -> float:
    """Return seconds since the machine's boot, including sleep. Nobody can set this clock."""
    return (
        time.clock_gettime(time.CLOCK_BOOTTIME)
        if hasattr(time, "CLOCK_BOOTTIME")
        else time.monotonic()
    )


def boot() -> str:
    """Return the id of the machine's current boot, empty if unknown.

    Values of `steady` can be compared only if the boot is the same.
    """
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""


class Watch:
    """Detects that the clock was set."""

    def __init__(self) -> None:
        self._ahead = seconds() - steady()

    def set_by(self) -> float:
        """Return the seconds by which the clock was set forward since the previous call.

        Negative if the clock was set back, 0.0 if the clock was not set.
        """
        before, self._ahead = self._ahead, seconds() - steady()
        shift = self._ahead - before
        return shift if abs(shift) >= _LEAST_SECONDS else 0.0
