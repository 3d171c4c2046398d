"""One group of a batch of the lake."""

from datetime import datetime
from typing import NamedTuple

from evenkeel.data.budget import Budget
from evenkeel.data.columns import observed_from_tables
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.lake import store
from evenkeel.data.lake.history.moment import parted
from evenkeel.data.lake.place import Place
from evenkeel.data.scenarios.answers import Answers, answers
from evenkeel.data.scenarios.reset import with_reset
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.tables.notes import NO_MEMBERS, groups_told, is_told

_MOST_NOTES = 10_000


class StoredGroup(NamedTuple):
    """Names one group of a batch; a listing without group names is known by its file.

    `budget`: what the group may take; `reset`: the `auto.offset.reset` to assume.
    """

    lake: Place
    batch: str
    group_id: str | None
    source_file: str | None
    budget: Budget
    reset: str | None = None


def observed_group(one: StoredGroup, at: datetime | None = None) -> ObservedGroup:
    """Read the group at its latest instant, or at another one.

    Raises
    ------
    SnapshotError
        When the batch is gone, or the group is too large.
    """
    tables = store.tables(one.lake, one.batch, one.group_id)
    found = observed_from_tables(tables.offsets, tables.members, tables.topics, one.group_id, one.source_file, at, one.budget)
    return with_reset(found.without_members() if found.may_have_members and _is_empty(one) else found, one.reset)


def answered_group(one: StoredGroup, settings: Settings) -> Answers:
    """Return the group with the answers of all assignors; raises as `observed_group`."""
    return answers(observed_group(one), settings)


def group_at(lake: Place, moment: str, group_id: str) -> ObservedGroup:
    """Read a group as one slot of its history has it."""
    batch, at = parted(moment)
    return observed_from_tables(*store.tables(lake, batch, group_id), group_id, at=at)


def _is_empty(one: StoredGroup) -> bool:
    """Tell whether a listing of the batch says that the group has no active members."""
    notes = store.notes_of_kind(one.lake, one.batch, NO_MEMBERS, _MOST_NOTES)
    return is_told(groups_told(notes, NO_MEMBERS), one.group_id, one.source_file)
