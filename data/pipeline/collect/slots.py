"""Slots: the time slots of a collector. Each has one snapshot at most; one without has a reason."""

from dataclasses import dataclass
from typing import NamedTuple

STOPPED = "the collector did not run"
LATE = "the previous snapshot took longer than a slot"
UNREADY = "the lake was not ready before the slot was over"
SET = "the clock was set forward"
PLANNED = "the collector was stopped before this snapshot was stored"


class Gap(NamedTuple):
    """Slots without a snapshot: the first, the last (seconds since 1970 at which they begin) and why."""

    first: int
    last: int
    reason: str


@dataclass(frozen=True)
class Slots:
    """Slots of `every` seconds, each known by the second at which it begins; `started`: when the collector did."""

    every: int
    started: int

    def at(self, now: float) -> int:
        """Return the slot of a moment."""
        return int(now // self.every) * self.every

    def is_over(self, slot: int, now: float) -> bool:
        """Tell whether a reading now comes too late for the slot."""
        return self.at(now) > slot + self.every

    def gaps(self, after: int, last: int, now: float, late_reason: str = LATE) -> list[Gap]:
        """Return the slots after `after` up to `last` that have no snapshot: all but the last, and the last too if it is over."""
        missed = list(range(after + self.every, last, self.every))
        stopped = [slot for slot in missed if slot < self.at(self.started)]
        late = missed[len(stopped) :]
        gaps = [Gap(slots[0], slots[-1], reason) for slots, reason in ((stopped, STOPPED), (late, late_reason)) if slots]
        return [*gaps, Gap(last, last, PLANNED)] if self.is_over(last, now) else gaps
