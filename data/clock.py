"""Clock: the only place of the data floor that reads the time and notices that somebody set it.

watch = Watch()
...
if watch.set_by():
    ...  # ages across this moment are wrong
"""

import time
from datetime import UTC, datetime
from pathlib import Path

_LEAST_SECONDS = 5.0
"""A time service corrects the clock by less than this in an hour."""

_BOOT = Path("/proc/sys/kernel/random/boot_id")


def seconds() -> float:
    """Return seconds since 1970; the clock may be set at any moment, forward and back."""
    return time.time()


def now() -> datetime:
    """Return the same as a time in UTC."""
    return datetime.fromtimestamp(seconds(), UTC)


def steady() -> float:
    """Return seconds since this machine was started, which nobody sets; a machine that sleeps
    counts on.
    """
    return (
        time.clock_gettime(time.CLOCK_BOOTTIME)
        if hasattr(time, "CLOCK_BOOTTIME")
        else time.monotonic()
    )


def boot() -> str:
    """Return the id of this start of this machine, empty if unknown: `steady` is comparable within
    one.
    """
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""


class Watch:
    """Notices that the clock was set."""

    def __init__(self) -> None:
        self._ahead = seconds() - steady()

    def set_by(self) -> float:
        """Return the seconds by which the clock was set since the last call, negative for back, 0.0
        if it was not set.
        """
        before, self._ahead = self._ahead, seconds() - steady()
        shift = self._ahead - before
        return shift if abs(shift) >= _LEAST_SECONDS else 0.0
