"""The readings of an open group: the snapshots of its cluster, or the times in its files. Also the
time ranges that pages show.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from evenkeel.dashboard.shell.cache import ALL, kept
from evenkeel.dashboard.shell.loading.clusters import cluster_of
from evenkeel.dashboard.shell.loading.example import lake_of
from evenkeel.dashboard.shell.loading.pasts import Below, lake_with_past
from evenkeel.dashboard.shell.loading.uploads import MOST_LINES
from evenkeel.dashboard.shell.reader import require_batch, require_seen
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.configuration import configuration
from evenkeel.data.group.tables.parsed import TIME
from evenkeel.data.lake import store
from evenkeel.data.lake.example import PLACE
from evenkeel.data.lake.history.history import History, history_in
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.history.recent import SLOTS, last_of
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.store import EVERY_GROUP
from evenkeel.data.timeline import reading_times
from evenkeel.data.timeline.reading_times import Times, UploadGroup, odd_offsets

SECONDS = 15
"""A list of readings that is younger than this is not read again."""


class Readings(NamedTuple):
    """The readings of a group. `lake`: the lake that contains the readings; each upload has its own
    lake. `below`: the history added from a metrics store.
    """

    lake: Place
    cluster: str | None
    found: Instants
    below: Below

    def history(self, group_id: str, slots: Instants | None = None) -> History:
        """Read the group at all readings, or only at `slots`."""
        return history_in(self.lake, group_id, slots or self.found, self.cluster)

    def last(self) -> Instants:
        """Return the newest readings. Pages use these readings to describe the present."""
        return last_of(self.found, SLOTS)


def readings(group: OpenGroup, has_past: bool = True) -> Readings:
    """Return the readings of a stored group. `has_past`: include readings from its cluster's
    metrics store.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    require_seen(group)
    lake = configuration().lake
    # Cached, because a page calls this several times and a day's manifest has thousands of slots.
    cluster = ALL.get((cluster_of, lake, group.batch), partial(cluster_of, group), SECONDS)
    below = Below(lake_of(cluster) if cluster else store.home_of(lake, group.batch))
    if cluster and has_past and group.group_id is not None:
        below = lake_with_past(below.place, cluster, group.group_id)
    home = below.place
    # A cluster's groups are all read at the same times. In files, each group has its own times.
    group_id = EVERY_GROUP if cluster else group.group_id
    key = (instants, home, cluster, None if cluster else group_id)
    cached = ALL.get(key, partial(instants, home, cluster, group_id=group_id), SECONDS)
    return Readings(home, cluster, cached, below)


# Ranges of a group's history.


class Range(NamedTuple):
    """A range from `since` to `until`, in seconds since 1970, both included."""

    since: float
    until: float


def whole_range(group: OpenGroup) -> Range | None:
    """Return the range from the first to the last reading of the open group. None if it has no
    readings.
    """
    time = readings(group).found.axis.time
    return Range(float(time[0]), float(time[-1])) if time.size else None


def has_readings(group: OpenGroup, since: float, until: float) -> bool:
    """Return whether the lake has a reading between two times, seconds since 1970."""
    time = readings(group).found.axis.time
    return bool(((time >= since) & (time <= until)).any())


# The readings of an upload: their times, and the times that no listing has.


_LAST = 2
_UNTIMED = (
    "Rows above the first time have no time, so they are not a reading: put a time above each"
    " listing, not below."
)


class OwnReadings(NamedTuple):
    """The times of a group's readings in an upload, ascending. If the rows of the upload have no
    times, the only time is the time of the upload.

    `uploaded_at`: the elements of `times` that are times of uploads. `has_own`: the rows have
    times. `zone`: a sentence about times that are assumed to be UTC. `odd`: sentences about rows
    without a time, and about differences between the last two readings.
    """

    times: tuple[datetime, ...]
    uploaded_at: frozenset[datetime]
    has_own: bool
    zone: str
    odd: Sequence[str]


def own_readings(group: OpenGroup) -> OwnReadings | None:
    """Return the readings of the open group. None if the group is not from an upload.

    Raises
    ------
    SnapshotError
        If the upload is gone.
    """
    require_seen(group)
    # A single reading of a cluster's group is private too, but no reading can be added to it.
    if not group.batch or cluster_of(group) is not None:
        return None
    if store.home_of(configuration().lake, group.batch) in (configuration().lake, PLACE):
        return None
    return _own_readings(group._replace(earlier=None))


@kept
def _own_readings(group: OpenGroup) -> OwnReadings:
    lake = configuration().lake
    manifest, read = store.batch(lake, group.batch), readings(group)
    times = tuple(datetime.fromtimestamp(time, UTC) for time in read.found.axis.time.tolist())
    if not times:
        at = manifest.taken_at or manifest.ingested_at
        return OwnReadings(
            (at,), frozenset() if manifest.taken_at else frozenset([at]), False, "", ()
        )
    odd = (
        odd_offsets(read.history(group.group_id, read.last()).series)
        if group.group_id is not None and len(times) >= _LAST
        else []
    )
    untimed = [_UNTIMED] if None in store.times(lake, group.batch, group.group_id) else []
    return OwnReadings(
        times, frozenset(manifest.uploaded_at), True, _zone(lake, group.batch), [*untimed, *odd]
    )


def add_later(group: OpenGroup, later: str, times: Times) -> OpenGroup:
    """Merge an open upload and a later upload into one stored upload. Return the group in the
    merged upload.

    Raises
    ------
    SnapshotError
        If the later upload lacks the group, or is not later.
    """
    require_seen(group)
    require_batch(later)
    return _opened(
        group, reading_times.with_later(configuration().lake, _named(group), later, times)
    )


def change_times(group: OpenGroup, times: Mapping[datetime, datetime]) -> OpenGroup:
    """Store an upload again with other times of its readings. Return the group in the new upload.

    Raises
    ------
    SnapshotError
        If two readings would have the same time.
    """
    require_seen(group)
    return _opened(group, reading_times.with_times(configuration().lake, _named(group), times))


def _zone(lake: Place, batch: str) -> str:
    reasons = store.first_rows(lake, batch, "NOTES", MOST_LINES)["reason"].to_pylist()
    return next(
        (
            reason.partition("; ")[2]
            for reason in reasons
            if reason and reason.startswith(TIME) and "; " in reason
        ),
        "",
    )


def named_for_history(batch: str) -> str:
    """Give a name to the group of an upload if it has several readings but no name. A history needs
    a name. Return the batch of the upload.
    """
    require_batch(batch)
    return reading_times.with_name(configuration().lake, batch)


def _named(group: OpenGroup) -> UploadGroup:
    return UploadGroup(group.batch, group.group_id, group.source_file)


def _opened(group: OpenGroup, opened: UploadGroup) -> OpenGroup:
    return group._replace(
        batch=opened.batch, group_id=opened.group_id, source_file=None, earlier=None
    )
