"""Groups as the lake keeps them."""

from datetime import datetime

from dashboard.loading import large_groups
from dashboard.view import Opened
from dashboard.words.formats import duration
from data.columns.footprint import TooLargeError
from data.columns.observed import ObservedGroup
from data.configuration import configuration
from data.errors import SnapshotError
from data.lake import store
from data.scenarios.answers import Answers
from data.scenarios.stored_group import StoredGroup, observed_group

AT_ONCE_BYTES = 64 * 10**6
"""A group that takes more is compared in a process of its own: its answers take longer than that process needs to start."""


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
            f"No upload is kept under this address: what is pasted or uploaded is deleted after {kept}. "
            f"Paste or upload it again on the start page."
        ) from error


def stored(opened: Opened, at: datetime | None = None) -> ObservedGroup:
    """Return one group of a batch at its latest instant, or at another one.

    Raises
    ------
    TooLargeError
        When it takes more memory than the configuration allows.
    """
    return observed_group(_named(opened), at)


def small_or_answered(opened: Opened) -> ObservedGroup | Answers:
    """Return one group of a batch, a large one with all answers.

    Raises
    ------
    TooLargeError
        When it takes more memory than the configuration allows.
    """
    one = _named(opened)
    try:
        return observed_group(one._replace(most_bytes=min(one.most_bytes, AT_ONCE_BYTES)))
    except TooLargeError as error:
        if error.found.byte_count > one.most_bytes:
            raise TooLargeError(error.found, one.most_bytes) from None
    return large_groups.answers(one, opened.kafka)


def _named(opened: Opened) -> StoredGroup:
    chosen = configuration()
    return StoredGroup(chosen.lake, opened.batch, opened.group_id, opened.source_file, chosen.group_bytes, opened.reset)
