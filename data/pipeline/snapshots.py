"""A snapshot of a live cluster: the time slots of a collector, and the groups that each Spark task
reads and stores.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
from pyspark.sql import SparkSession

from evenkeel.data import clock
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.configuration.handover import take_over
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.counts import counts_of
from evenkeel.data.group.tables.parsed import ParsedTables
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import Done, with_counts, with_tables, write
from evenkeel.data.live.connection import Connection, open_connection
from evenkeel.data.live.reading.documents import LiveGroup, live_groups
from evenkeel.data.live.reading.group_list import chosen_groups
from evenkeel.data.live.reading.tables import manifest_of, parsed_groups, source_of
from evenkeel.data.live.reading.waiting import NOTHING, Waiting, waiting
from evenkeel.data.live.wire.raw_groups import GroupListing
from evenkeel.data.pipeline.ingest.on_spark import numbers, write_results
from evenkeel.data.text.formats import first_of

STOPPED = "the collector did not run"
LATE = "the previous snapshot took longer than a slot"
UNREADY = "the lake was not ready before the slot was over"
SET = "the clock was set forward"
PLANNED = "the collector was stopped before this snapshot was stored"

READINGS = pa.schema(
    [
        ("slot", "int64"),
        ("taken_at", schemas.TIME),
        ("line", "int64"),
        ("group_id", "string"),
        ("document", "string"),
        ("application", "string"),
        ("problem", "string"),
        ("first_slot", "int64"),
        ("last_slot", "int64"),
    ]
)
"""Answers of a live cluster, which are never stored.

A row for each group. `line`: number of the group. `document`: group document, null if the group
could not be read. `application`: streams document, if the group is an application. `problem`: parts
that could not be read.

Slots without a snapshot have one row with null `line`. `first_slot`, `last_slot`: the first and the
last of these slots, in seconds since 1970. `problem`: the reason.
"""


class Gap(NamedTuple):
    """Slots without a snapshot: starts of the first and the last slot, in seconds since 1970, and
    the reason.
    """

    first: int
    last: int
    reason: str


@dataclass(frozen=True)
class Slots:
    """The time slots of a collector. A slot has `every` seconds; its number is its start in seconds
    since 1970. `started`: start of the collector.
    """

    every: int
    started: int

    def at(self, now: float) -> int:
        """Return the slot that contains the time `now`."""
        return int(now // self.every) * self.every

    def is_over(self, slot: int, now: float) -> bool:
        """Return whether a snapshot at `now` is too late for the slot."""
        return self.at(now) > slot + self.every

    def gaps(self, after: int, last: int, now: float, late_reason: str = LATE) -> list[Gap]:
        """Return the gaps between the slots `after` and `last`. The slot `last` is also a gap if it
        is too late for its snapshot.
        """
        missed = list(range(after + self.every, last, self.every))
        stopped = [slot for slot in missed if slot < self.at(self.started)]
        late = missed[len(stopped) :]
        gaps = [
            Gap(slots[0], slots[-1], reason)
            for slots, reason in ((stopped, STOPPED), (late, late_reason))
            if slots
        ]
        return [*gaps, Gap(last, last, PLANNED)] if self.is_over(last, now) else gaps


# GroupsToRead: some groups of a cluster for one task, and the result of the task.


GROUPS_A_TASK = 2500
"""Groups of a task. Few tasks are better, because each task requests begin and end offsets of all
its topics, and groups share topics.
"""

EVERY = 30
"""Default length of a slot in seconds."""

_AGE_PART, _MOST_AGE_SECONDS = 0.25, 5.0


@dataclass(frozen=True)
class GroupsToRead:
    """The groups that one task reads.

    `taken_at`: time of the snapshot. `first_line`: line number of the first group. `gap`: slots
    without a snapshot. `problem`: reason why the groups could not be listed. `configuration`: path
    of the configuration file; null means the configuration of the process that reads.
    `age_seconds`: timestamps of records are read for at most this time.
    """

    cluster: str
    slot: int
    groups: tuple[GroupListing, ...] = ()
    taken_at: datetime | None = None
    first_line: int = 1
    gap: Gap | None = None
    problem: str | None = None
    configuration: str | None = None
    age_seconds: float = 0.0

    def read(self, age_seconds: float = 0.0) -> list[LiveGroup]:
        """Read the groups. Timestamps of records are read for at most `age_seconds`.

        Raises
        ------
        SnapshotError
            If the cluster does not answer. Then no group of the task is known.
        """
        if self.problem:
            raise SnapshotError(self.problem)
        connection = _connection(self.cluster, self.configuration)
        return live_groups(connection, self.groups, self.taken_at, age_seconds)

    def parsed(self) -> ParsedTables:
        """Return the groups as tables. An unreadable group becomes a rejected line."""
        return self.tables(self.read(self.age_seconds))

    def waiting(self, groups: Sequence[LiveGroup]) -> Waiting:
        """Read last stable offsets and topic settings, for the findings of a timeline."""
        return waiting(_connection(self.cluster, self.configuration), groups)

    def tables(self, groups: Sequence[LiveGroup], beside: Waiting = NOTHING) -> ParsedTables:
        """Return tables with the data of groups that were just read."""
        numbered = [(self.first_line + place, group) for place, group in enumerate(groups)]
        return parsed_groups(self.cluster, numbered, beside)

    def readings(self) -> pa.Table:
        """Return READINGS: a row for each group. If the cluster cannot be read: one row with the
        reason.
        """
        if self.gap:
            return _table(
                [
                    {
                        "slot": self.slot,
                        "first_slot": self.gap.first,
                        "last_slot": self.gap.last,
                        "problem": self.gap.reason,
                    }
                ]
            )
        head = {"slot": self.slot, "taken_at": self.taken_at}
        try:
            readings = self.read()
        except SnapshotError as error:
            return _table(
                [head | {"first_slot": self.slot, "last_slot": self.slot, "problem": str(error)}]
            )
        return _table(
            [
                head | _reading(self.first_line + place, group)
                for place, group in enumerate(readings)
            ]
        )


def planned(
    cluster: str,
    wanted: Sequence[str],
    taken_at: datetime,
    slot: int = 0,
    configuration: str | None = None,
    every: int = EVERY,
) -> list[GroupsToRead]:
    """Return the tasks that read the wanted groups of a cluster, or all groups. If the cluster does
    not answer: return one task with the problem.

    `every`: length of a slot in seconds. All tasks together may use a part of this time to read
    timestamps of records.
    """
    try:
        groups = chosen_groups(_connection(cluster, configuration), wanted)
    except SnapshotError as error:
        return [GroupsToRead(cluster, slot, taken_at=taken_at, problem=str(error))]
    size = ceil(len(groups) / ceil(len(groups) / GROUPS_A_TASK))
    starts = range(0, len(groups), size)
    # With one core, the tasks run one after another.
    seconds = min(every * _AGE_PART, _MOST_AGE_SECONDS) / max(len(starts), 1)
    return [
        GroupsToRead(
            cluster,
            slot,
            tuple(groups[start : start + size]),
            taken_at,
            start + 1,
            configuration=configuration,
            age_seconds=seconds,
        )
        for start in starts
    ]


def _reading(line: int, group: LiveGroup) -> dict[str, Any]:
    documents = {
        "document": group.document,
        "application": group.application and group.application.document,
    }
    written = {
        name: None if document is None else msgspec.json.encode(document).decode()
        for name, document in documents.items()
    }
    return {
        "line": line,
        "group_id": group.group_id,
        "problem": "; ".join(group.problems) or None,
    } | written


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=READINGS)


def _connection(cluster: str, configuration: str | None) -> Connection:
    """Return this process's connection to the cluster. The tasks of a Spark worker may have
    different configuration files.
    """
    if configuration:
        os.environ["EVENKEEL_CONFIG"] = configuration
    take_over()
    return open_connection(profile_of(cluster))


# A snapshot of a live cluster. A job of Spark reads and writes it; each task has some groups.


_MOST_LINES = 3


class _Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a task: its files, or the problem. `unread`: notes on data that could not be
    read.
    """

    done: Done | None = None
    problem: str | None = None
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Snapshots:
    """Snapshots of all groups of a cluster, or of named groups, written into the lake."""

    spark: SparkSession
    cluster: str
    groups: Sequence[str]
    lake: Place
    every: int

    def read(self, batch: str) -> Manifest | str:
        """Read the groups and write the files of the batch. Return the manifest, which is not
        published yet. If the cluster cannot be read: return the reason.
        """
        taken_at = clock.now()
        answers = self._answers(
            batch, planned(self.cluster, self.groups, taken_at, every=self.every)
        )
        if problems := sorted({answer.problem for answer in answers if answer.problem}):
            return problems[0]
        done = sorted(
            (answer.done for answer in answers if answer.done), key=lambda done: done.place
        )
        unread = first_of(
            sorted({line for answer in answers for line in answer.unread}), _MOST_LINES
        )
        manifest = with_counts(manifest_of(self.cluster, batch, taken_at, unread), done)
        return with_tables(manifest, done, write_results(self.spark, self.lake, batch, done))

    def _answers(self, batch: str, tasks: Sequence[GroupsToRead]) -> list[_Answer]:
        lake = self.lake

        def answers(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for number in numbers(batches):
                yield pa.RecordBatch.from_pydict(
                    {"answer": [msgspec.json.encode(answer_of(tasks[number], lake, batch))]}
                )

        rows = (
            self.spark.range(0, len(tasks), 1, len(tasks))
            .mapInArrow(answers, "answer binary")
            .collect()
        )
        return [msgspec.json.decode(row.answer, type=_Answer) for row in rows]


def answer_of(groups: GroupsToRead, lake: Place, batch: str) -> _Answer:
    """Read the groups of a task and write their tables."""
    try:
        groups_read = groups.read(groups.age_seconds)
        beside = groups.waiting(groups_read)
    except SnapshotError as error:
        return _Answer(problem=str(error))
    parsed = groups.tables(groups_read, beside)
    unread = sorted(
        {line for line in (beside.unread, *(group.unread for group in groups_read)) if line}
    )
    done = write(
        parsed, {source_of(groups.cluster): counts_of(parsed)}, groups.first_line, lake, batch
    )
    return _Answer(done, unread=tuple(unread))
