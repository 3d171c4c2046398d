"""Groups in the lake."""

from dataclasses import replace
from datetime import datetime

import msgspec

from evenkeel.dashboard.shell import apart
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.reader import require_seen
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.configuration import configuration
from evenkeel.data.group.budget import TooLargeError, footprint
from evenkeel.data.group.columns import document_of, observed_from_document, observed_from_tables
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Document
from evenkeel.data.lake import store
from evenkeel.data.scenarios.leaders import Answers
from evenkeel.data.scenarios.stored_groups import (
    StoredGroup,
    answered_group,
    observed_group,
    with_reset,
)

AT_ONCE_BYTES = 64 * 10**6
"""For a larger group the answers are computed in a separate process, because they take longer than
the start of a process.
"""

_JUST_SECONDS = 60.0
"""A group that was just read is cached for this time. Then the page has a view of the group, which
is cached for longer.
"""


def stored(opened: OpenGroup, at: datetime | None = None) -> ObservedGroup:
    """Return one group of a batch as it was at a time, by default at its last time in the batch.

    Raises
    ------
    TooLargeError
        If the group takes more memory than the configuration allows.
    """
    require_seen(opened)
    just_read = None if at else _just_read(opened)
    return just_read or observed_group(_named(opened), at)


def small_or_answered(opened: OpenGroup) -> ObservedGroup | Answers:
    """Return one group of a batch. If the group is large, return the group together with the
    answers of all assignors.

    Raises
    ------
    TooLargeError
        If the group takes more memory than the configuration allows.
    """
    require_seen(opened)
    named, just_read = _named(opened), _just_read(opened)
    if just_read:
        return just_read
    try:
        at_once = min(named.budget.group_bytes, AT_ONCE_BYTES)
        return observed_group(named._replace(budget=replace(named.budget, group_bytes=at_once)))
    except TooLargeError as error:
        named.budget.require_listed(error.found)
    # Without a time limit while the page waits, because the page is for the answers of a group
    # within the budget.
    return apart.run(apart.limits()._replace(time=None), answered_group, named, opened.settings)


def keep_read(batch: str, cluster: str, document: Document) -> None:
    """Cache a group that was just stored in a batch, so that the next page does not read the
    batch.
    """
    ALL.get((group_document, batch, document.group_id), lambda: document)
    topics, members = document.topics or (), document.members or ()
    size = footprint(sum(topic.size for topic in topics), len(topics), members).byte_count
    if size <= min(AT_ONCE_BYTES, configuration().budget.group_bytes):
        ALL.get(
            (_just_read, batch, document.group_id),
            lambda: replace(observed_from_document(document), cluster=cluster),
            _JUST_SECONDS,
        )


def group_document(batch: str, group_id: str | None) -> Document:
    """Return a stored group as a group document."""
    require_seen(OpenGroup(batch=batch, group_id=group_id))
    return ALL.get((group_document, batch, group_id), lambda: _document(batch, group_id))


def _document(batch: str, group_id: str | None) -> Document:
    tables = store.tables(configuration().lake, batch, group_id)
    return msgspec.convert(document_of(observed_from_tables(*tables, group_id)), Document)


def _just_read(opened: OpenGroup) -> ObservedGroup | None:
    cached = ALL.find((_just_read, opened.batch, opened.group_id))
    return cached and with_reset(cached, opened.reset)


def _named(opened: OpenGroup) -> StoredGroup:
    chosen = configuration()
    return StoredGroup(
        chosen.lake, opened.batch, opened.group_id, opened.source_file, chosen.budget, opened.reset
    )
