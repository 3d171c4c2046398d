"""The rules of verdicts, read aloud: one partition, one window, no arrays."""

from typing import NamedTuple


class Observation(NamedTuple):
    """A slot with a committed offset and a known lag: seconds, records, records, and whether
    somebody owns the partition.
    """

    time: float
    committed: int
    lag: int
    is_owned: bool


def verdict(window: list[Observation]) -> str:
    """Return the verdict of at most ten observations, the oldest first."""
    if not window or any(one.lag == 0 for one in window) or len(window) == 1:
        return "OK"
    neighbours = list(zip(window, window[1:], strict=False))
    if any(after.committed < before.committed for before, after in neighbours):
        return "REWIND"
    advances = [after.time for before, after in neighbours if after.committed > before.committed]
    first, now = window[0].time, window[-1].time
    if not advances or now - advances[-1] > advances[-1] - first:
        return "STALL" if window[-1].is_owned else "STOP"
    if not any(after.lag < before.lag for before, after in neighbours):
        return "SLOW"
    return "OK"
