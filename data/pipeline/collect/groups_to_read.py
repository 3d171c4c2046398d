"""GroupsToRead: some groups of a cluster for one task, and what a task makes of them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

import msgspec
import pyarrow as pa

from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.configuration.handover import take_over
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.connection import Connection, kept
from evenkeel.data.live.reading.documents import LiveGroup, live_groups
from evenkeel.data.live.reading.group_list import chosen_groups
from evenkeel.data.live.reading.tables import parsed_groups
from evenkeel.data.live.wire.raw_groups import Listed
from evenkeel.data.pipeline.collect.slots import Gap
from evenkeel.data.tables import schemas
from evenkeel.data.tables.parsed import Parsed

GROUPS_A_TASK = 2500
"""Few tasks: each asks for the begin and end offsets of every topic that its groups read, and groups share topics."""

EVERY = 30
"""Seconds of a slot, by default."""

_AGE_PART, _MOST_AGE_SECONDS = 0.25, 5.0


@dataclass(frozen=True)
class GroupsToRead:
    """Groups that one task reads.

    `taken_at`: the instant that they carry. `first_line`: number of the first group. `gap`: slots for which nothing is read. `problem`: why
    the groups could not be planned. `configuration`: path of the file, null for that of the process that reads. `age_seconds`: how long
    records may be read for their timestamps.
    """

    cluster: str
    slot: int
    groups: tuple[Listed, ...] = ()
    taken_at: datetime | None = None
    first_line: int = 1
    gap: Gap | None = None
    problem: str | None = None
    configuration: str | None = None
    age_seconds: float = 0.0

    def read(self, age_seconds: float = 0.0) -> list[LiveGroup]:
        """Read the groups, and records for so long.

        Raises
        ------
        SnapshotError
            When the cluster does not answer: then nothing is known of any of these groups.
        """
        if self.problem:
            raise SnapshotError(self.problem)
        connection = _connection(self.cluster, self.configuration)
        return live_groups(connection, self.groups, self.taken_at, age_seconds)

    def parsed(self) -> Parsed:
        """Return the groups as tables; one that cannot be read is a rejected line."""
        return self.tables(self.read(self.age_seconds))

    def tables(self, found: Sequence[LiveGroup]) -> Parsed:
        """Return what was read as tables."""
        return parsed_groups(self.cluster, [(self.first_line + place, one) for place, one in enumerate(found)])

    def readings(self) -> pa.Table:
        """Return READINGS: a row for each group, or one that says why there is none."""
        if self.gap:
            return _table([{"slot": self.slot, "first_slot": self.gap.first, "last_slot": self.gap.last, "problem": self.gap.reason}])
        head = {"slot": self.slot, "taken_at": self.taken_at}
        try:
            found = self.read()
        except SnapshotError as error:
            return _table([head | {"first_slot": self.slot, "last_slot": self.slot, "problem": str(error)}])
        return _table([head | _reading(self.first_line + place, one) for place, one in enumerate(found)])


def planned(
    cluster: str, wanted: Sequence[str], taken_at: datetime, slot: int = 0, configuration: str | None = None, every: int = EVERY
) -> list[GroupsToRead]:
    """Spread the wanted groups of a cluster, or all, over tasks; where it does not answer, one task that says so.

    `every`: seconds of a slot, of which all tasks together may read records for a part.
    """
    try:
        groups = chosen_groups(_connection(cluster, configuration), wanted)
    except SnapshotError as error:
        return [GroupsToRead(cluster, slot, taken_at=taken_at, problem=str(error))]
    size = ceil(len(groups) / ceil(len(groups) / GROUPS_A_TASK))
    starts = range(0, len(groups), size)
    # One after another, if there is one core.
    seconds = min(every * _AGE_PART, _MOST_AGE_SECONDS) / max(len(starts), 1)
    return [
        GroupsToRead(
            cluster, slot, tuple(groups[start : start + size]), taken_at, start + 1, configuration=configuration, age_seconds=seconds
        )
        for start in starts
    ]


def _reading(line: int, one: LiveGroup) -> dict[str, Any]:
    documents = {"document": one.document, "application": one.application and one.application.document}
    written = {name: None if document is None else msgspec.json.encode(document).decode() for name, document in documents.items()}
    return {"line": line, "group_id": one.group_id, "problem": "; ".join(one.problems) or None} | written


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=schemas.READINGS)


def _connection(cluster: str, configuration: str | None) -> Connection:
    """Return the connection of this process. A worker of Spark outlives a task; the next task may name another configuration file."""
    if configuration:
        os.environ["EVENKEEL_CONFIG"] = configuration
    take_over()
    return kept(profile_of(cluster))
