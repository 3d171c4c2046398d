"""Time lag of a group in one reading: the ages of the records that its partitions read next, where they were read."""

from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors.group.lag import committed_lag
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.clusters import cluster_of
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.lake import store
from evenkeel.data.tables.arrow import integers
from evenkeel.data.words.names import partition_name


class RecordAges(NamedTuple):
    """The largest time lag that was read, seconds, and its partition; for how many partitions with lag it was not read."""

    seconds: float
    partition: str
    unread_count: int


def record_ages(opened: Opened) -> RecordAges | None:
    """Return the time lag of an open group by the timestamps of records, None where none was read.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    cluster = cluster_of(opened)
    # Of a cluster whose records are not read, no row is read back either.
    if cluster not in configuration().clusters or not profile_of(cluster).reads_records:
        return None
    offsets = ALL.get((record_ages, opened.batch, opened.group_id), partial(_offsets, opened.batch, opened.group_id))
    return ages_of(offsets)


def ages_of(offsets: pa.Table) -> RecordAges | None:
    """Return the same of rows of OFFSETS."""
    seconds = offsets["lag_seconds"].to_numpy()
    is_read = ~np.isnan(seconds.astype(np.float64))
    if not is_read.any():
        return None
    end, begin, committed = (integers(offsets[name]) for name in ("end_offset", "begin_offset", "committed_offset"))
    worst = int(np.nanargmax(seconds))
    name = partition_name(offsets["topic"][worst].as_py(), offsets["partition"][worst].as_py())
    return RecordAges(float(seconds[worst]), name, int(np.count_nonzero((committed_lag(end, begin, committed) > 0) & ~is_read)))


def _offsets(batch: str, group_id: str) -> pa.Table:
    offsets, _, _ = store.tables(configuration().lake, batch, group_id)
    return offsets.select(["topic", "partition", "begin_offset", "committed_offset", "end_offset", "lag_seconds"])
