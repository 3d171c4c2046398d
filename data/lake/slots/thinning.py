"""Thinning: which slots of a collector stay where only some do."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.slots.slot_batches import time_of

THINNED_TO = timedelta(minutes=10)


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
