"""Retention: how long the slots of a collector stay, and which of them stay longer."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum

from data.lake.manifest import Manifest
from data.lake.slots.slot_batches import time_of

THINNED_TO = timedelta(minutes=10)


class Form(Enum):
    """How the slots of a day are stored."""

    SLOTS = "a batch for each slot"
    DAY = "one batch"
    THINNED = "one batch of a slot for each 10 minutes"
    NONE = "deleted"


@dataclass(frozen=True)
class Retention:
    """Ages at which the slots of a day become one batch, are thinned and are deleted. A day's age counts from its end in UTC."""

    compact_after: timedelta = timedelta(days=1)
    keep_slots: timedelta = timedelta(days=7)
    keep_thinned: timedelta = timedelta(days=90)

    def form(self, day: date, now: datetime) -> Form:
        """Return how a day is to be stored."""
        age = now - datetime.combine(day, time(), UTC) - timedelta(days=1)
        ages = ((self.keep_thinned, Form.NONE), (self.keep_slots, Form.THINNED), (self.compact_after, Form.DAY))
        return next((form for least, form in ages if age >= least), Form.SLOTS)


def thinned(slots: Iterable[Manifest]) -> list[Manifest]:
    """Return the first snapshot of each 10 minutes, else the first gap; and every gap that is longer."""
    first: dict[datetime, Manifest] = {}
    long = []
    for one in sorted(slots, key=lambda one: one.batch):
        window = _window(one)
        if one.gap and _window(one) != _window_of(one.taken_at):
            long.append(one)
        elif window not in first or (first[window].gap and not one.gap):
            first[window] = one
    return sorted([*first.values(), *long], key=lambda one: one.batch)


def _window(one: Manifest) -> datetime:
    return _window_of(time_of(one.batch))


def _window_of(moment: datetime) -> datetime:
    return moment - (moment - datetime.min.replace(tzinfo=UTC)) % THINNED_TO
