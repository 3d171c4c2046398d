"""One group of a batch of the lake."""

from datetime import datetime
from typing import NamedTuple

from data.columns import observed_from_tables
from data.columns.observed import ObservedGroup
from data.lake import store
from data.lake.place import Place
from data.scenarios.reset import with_reset


class StoredGroup(NamedTuple):
    """Names one group of a batch; a listing without group names is known by its file.

    `most_bytes`: memory that the group may take; `reset`: the `auto.offset.reset` to assume.
    """

    lake: Place
    batch: str
    group_id: str | None
    source_file: str | None
    most_bytes: int
    reset: str | None = None


def observed_group(one: StoredGroup, at: datetime | None = None) -> ObservedGroup:
    """Read the group at its latest instant, or at another one.

    Raises
    ------
    SnapshotError
        When the batch is gone, or the group is too large.
    """
    found = store.tables(one.lake, one.batch, one.group_id)
    return with_reset(
        observed_from_tables(found.offsets, found.members, found.topics, one.group_id, one.source_file, at, one.most_bytes), one.reset
    )
