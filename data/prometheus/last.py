"""The newest slot of a metrics store.

Pages show this slot if a cluster is not collected and its brokers do not answer.
"""

import secrets
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta

import numpy as np

from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.import_folder import private_place
from evenkeel.data.prometheus.batches import Slot, Source, write_slot
from evenkeel.data.prometheus.facts import StoredLast
from evenkeel.data.prometheus.past import Past, source_of

_SPANS = (timedelta(minutes=10), timedelta(hours=6))
"""Time spans to search for the newest scrape; the second is used if the first has no scrape."""


_EARLIER_MS = 300_000
"""Shortest distance to the earlier reading. After this time, partitions without progress count as
stopped.
"""


def stored_last(profile: Profile) -> StoredLast:
    """Store the newest slot of all groups, with an earlier reading, in the same way as an upload.

    The earlier reading is a slot at least five minutes before the newest.

    Raises
    ------
    SnapshotError
        If the store does not answer, or has no group in the last six hours.
    """
    until = clock.now()
    with closing(Past(profile)) as past:
        for span in _SPANS:
            ends = [round(at.timestamp() * 1000) for at in (until - span, until)]
            reading = past.reading(None, *ends)
            parts = list(past.slots(reading, None, *ends)) if reading else []
            slots = [(part, row) for part in parts for row in range(part.time.size)]
            if reading is not None and slots:
                facts = past.facts(reading, parts[-1].interval)
                return StoredLast(_stored(source_of(past, reading), slots), facts)
        raise SnapshotError(
            f"{past.store}: no offset of a group of {past.cluster} in the last "
            f"{_SPANS[-1] // timedelta(hours=1)} hours"
        )


def _stored(source: Source, slots: Sequence[Slot]) -> str:
    batch, last = secrets.token_urlsafe(16), newest(slots)
    # If slots are farther apart, the store may have downsampled them.
    is_sparse = 1000 * last[0].interval > _EARLIER_MS
    early = [slot for slot in slots if _time(slot) <= _time(last) - _EARLIER_MS and not is_sparse]
    problem = f"owners, members and rebalances: Prometheus ({source.exporter}) does not record them"
    with private_place(configuration().lake, batch, is_upload=False) as home:
        write_slot(home, batch, source, last, next(reversed(early), None), [problem])
    return batch


def newest(slots: Sequence[Slot]) -> Slot:
    """Return the slot with the most groups, because the newest slot may lack an exporter's groups.

    Only slots of the last two scrape intervals are considered. If several slots have the most
    groups, the newest is returned.
    """
    last = slots[-1]
    interval = last[0].interval
    since = _time(last) - (0 if np.isnan(interval) else round(2000 * interval))
    return max(
        (slot for slot in slots if _time(slot) >= since),
        key=lambda slot: (_group_count(slot), _time(slot)),
    )


def _group_count(slot: Slot) -> int:
    part, row = slot
    return len({part.keys[key][0] for key in part.key[part.slot == row].tolist()})


def _time(slot: Slot) -> int:
    part, row = slot
    return int(part.time[row])
