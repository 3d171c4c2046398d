"""Groups and applications in the lake: read from a batch, or stored as a batch of one file."""

import hashlib
import secrets
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import msgspec

from evenkeel.data import clock
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns import (
    ApplicationTables,
    GroupKey,
    application_from_tables,
    application_keys,
    observed_from_tables,
)
from evenkeel.data.group.columns.application_rates import with_measured_rates
from evenkeel.data.group.columns.from_tables import of_group
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application, Document
from evenkeel.data.group.tables.parsed import NO_MEMBERS, groups_told, is_told
from evenkeel.data.lake import run, store
from evenkeel.data.lake.history.instants import parted
from evenkeel.data.lake.import_folder import private_place
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import Place
from evenkeel.data.scenarios.leaders import Answers, answers
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.sources.inputs import read

AUTO_OFFSET_RESET = "auto_offset_reset"
"""Path of `auto.offset.reset` in the group document."""


def with_reset(observed: ObservedGroup, policy: str | None) -> ObservedGroup:
    """Return the group with `policy` as its assumed `auto.offset.reset`.

    The group is unchanged if `policy` is None or the input contains `auto.offset.reset`.
    """
    if policy is None or observed.snapshot.auto_offset_reset is not None:
        return observed
    return replace(
        observed,
        snapshot=replace(observed.snapshot, auto_offset_reset=policy),
        assumed=tuple(sorted({*observed.assumed, AUTO_OFFSET_RESET})),
    )


_MOST_NOTES = 10_000


class StoredGroup(NamedTuple):
    """One group of a batch.

    `group_id`: None if the input does not name the group; `source_file` then identifies the group.
    `budget`: limits of the group's size. `reset`: assumed value of `auto.offset.reset`.
    """

    lake: Place
    batch: str
    group_id: str | None
    source_file: str | None
    budget: Budget
    reset: str | None = None


def observed_group(stored: StoredGroup, at: datetime | None = None) -> ObservedGroup:
    """Return the group as it was at a time; if `at` is None, at the latest time.

    Raises
    ------
    SnapshotError
        If the batch is deleted, or the group is too large.
    """
    tables = store.tables(stored.lake, stored.batch, stored.group_id)
    observed = observed_from_tables(
        tables.offsets,
        tables.members,
        tables.topics,
        stored.group_id,
        stored.source_file,
        at,
        stored.budget,
    )
    return with_reset(
        observed.without_members() if observed.may_have_members and _is_empty(stored) else observed,
        stored.reset,
    )


def answered_group(stored: StoredGroup, settings: Settings) -> Answers:
    """Return the group with the answers of all assignors that can assign it.

    Raises as `observed_group`.
    """
    return answers(observed_group(stored), settings)


def group_at(lake: Place, moment: str, group_id: str) -> ObservedGroup:
    """Return a group as it was in one slot of its history; `moment`: address of the slot."""
    batch, at = parted(moment)
    return observed_from_tables(*store.tables(lake, batch, group_id), group_id, at=at)


def _is_empty(stored: StoredGroup) -> bool:
    """Return whether the batch contains a note that the group has no active members."""
    notes = store.notes_of_kind(stored.lake, stored.batch, NO_MEMBERS, _MOST_NOTES)
    return is_told(groups_told(notes, NO_MEMBERS), stored.group_id, stored.source_file)


def stored_application(stored: StoredGroup) -> Application | None:
    """Return the latest state of an application as a streams document.

    None if the group is not an application.

    Raises
    ------
    SnapshotError
        If the batch is deleted.
    """
    return application_from_tables(_tables(stored), stored.group_id, stored.source_file)


def application_with_measured_rates(stored: StoredGroup) -> Application | None:
    """Return the latest state of an application, with measured rates where rates are missing.

    Rates are measured between the last two times of the batch. None if the group is not an
    application.

    Raises
    ------
    SnapshotError
        If the batch is deleted.
    """
    tables = _tables(stored)
    latest = application_from_tables(tables, stored.group_id, stored.source_file)
    times = of_group(tables.consumers, GroupKey(stored.group_id, stored.source_file))["taken_at"]
    instants = sorted(time for time in times.unique().to_pylist() if time)
    if latest is None or len(instants) < 2:
        return latest
    return with_measured_rates(
        latest, application_from_tables(tables, stored.group_id, stored.source_file, instants[-2])
    )


def _tables(stored: StoredGroup) -> ApplicationTables:
    return ApplicationTables(*store.applications(stored.lake, stored.batch, stored.group_id))


def stored_applications(lake: Place, batch_id: str) -> list[GroupKey]:
    """Return the keys of the groups in a batch that are applications."""
    return application_keys(store.table(lake, batch_id, "CONSUMERS"))


def stored(group: Document | Application, name: str, lake: Place) -> str:
    """Store a scenario's group as a batch of one file; return the random id of the batch.

    Spark is not needed.

    Raises
    ------
    SnapshotError
        If the lake cannot be written.
    """
    text = msgspec.json.encode(group)
    parsed = read([(name, text)])
    batch = secrets.token_urlsafe(16)
    source = SourceFile(name, hashlib.sha256(text).hexdigest(), len(text))
    manifest = Manifest(
        batch=batch,
        ingested_at=clock.now(),
        taken_at=group.taken_at,
        formats=(group.format,),
        sources=(source,),
    )
    with private_place(lake, batch) as home:
        run.store_parsed(parsed, manifest, home)
    return batch
