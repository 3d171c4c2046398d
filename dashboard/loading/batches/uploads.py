"""What was read in one upload."""

from typing import NamedTuple

import pyarrow as pa

from evenkeel.dashboard.loading.batches.listed_groups import ListedGroups, listed_groups
from evenkeel.dashboard.loading.batches.stored_groups import require_stored
from evenkeel.dashboard.loading.cache.cache import kept
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.lake import store
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.tables import notes

MOST_LINES = 1_000
"""Lines of one kind, rejected, notes or rows, that a page shows; the lake keeps them all."""

_MOST_WARNINGS = 10_000


class Import(NamedTuple):
    """What was read in one upload. `rejected` and `errors`: the first rejected lines and errors of the tool (schemas REJECTED and NOTES).

    `rebalancing`: groups that a listing calls rebalancing, with the listing's file. `groups`: worst first.
    """

    manifest: Manifest
    rejected: pa.Table
    errors: pa.Table
    rebalancing: frozenset[tuple[str, str]]
    groups: ListedGroups


def imported(batch: str) -> Import:
    """Return what was read in one upload.

    Raises
    ------
    SnapshotError
        When the batch is gone.
    """
    require_stored(batch)
    return _imported(batch)


@kept
def _imported(batch: str) -> Import:
    lake = configuration().lake
    rejected, errors = store.first_rows(lake, batch, "REJECTED", MOST_LINES), store.notes_of_kind(lake, batch, notes.ERROR, MOST_LINES)
    warnings = store.notes_of_kind(lake, batch, notes.REBALANCING, _MOST_WARNINGS)
    return Import(store.batch(lake, batch), rejected, errors, notes.groups_told(warnings, notes.REBALANCING), listed_groups(lake, batch))


def is_rebalancing(opened: Opened) -> bool:
    """Tell whether a group's listing calls it rebalancing."""
    return bool(opened.batch) and notes.is_told(imported(opened.batch).rebalancing, opened.group_id, opened.source_file)


@kept
def first_lines(batch: str, name: str) -> pa.Table:
    """Return the first rows of a table of an upload."""
    return store.first_rows(configuration().lake, batch, name, MOST_LINES)
