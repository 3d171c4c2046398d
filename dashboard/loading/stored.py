"""Groups as the lake keeps them."""

from datetime import datetime

from dashboard.formats import duration
from dashboard.widgets.opened import Opened
from data import store
from data.columns import observed_from_tables
from data.configuration import configuration
from data.errors import SnapshotError
from data.observed import ObservedGroup


def require_stored(batch: str | None) -> None:
    """Check that a batch is still there: a cache may keep what was read of an upload longer than the upload itself.

    Raises
    ------
    SnapshotError
        When it is gone.
    """
    chosen = configuration()
    try:
        if batch:
            store.batch(chosen.lake, batch)
    except SnapshotError as error:
        kept = duration(chosen.keep_uploads.total_seconds())
        raise SnapshotError(
            f"No upload is kept under this address: what is pasted or uploaded is deleted after {kept}. Paste or upload it again on the start page."
        ) from error


def stored(opened: Opened, at: datetime | None = None) -> ObservedGroup:
    """Return one group of a batch at its latest instant, or at another one."""
    found = store.tables(configuration().lake, opened.batch, opened.group_id)
    return observed_from_tables(found.offsets, found.members, found.topics, opened.group_id, opened.source_file, at)
