"""Converts group documents to rows of tables. `data/group/columns` builds the groups from these
rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.data.group.document import FORMAT, GROUP_FACTS, Document, Held, Member, Topic
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import ParsedTables, columns_table, joined
from evenkeel.data.sources.source import Context

_PARTITION = {
    "begin_offset": "begin_offset",
    "committed_offset": "committed_offset",
    "end_offset": "end_offset",
    "listed_lag": "lag",
}
_PARTITIONS_AT_ONCE = 50_000
"""Small documents are converted together, because a column costs more than a row. The limit keeps
Python's lists small.
"""


class _Rows(NamedTuple):
    """The columns of a document's rows. `given`: the columns that have one value for all rows."""

    columns: dict[str, Sequence[Any]]
    given: dict[str, Any]

    @property
    def count(self) -> int:
        return len(next(iter(self.columns.values())))


def rows_of(documents: Iterable[tuple[int, Document]], file: str, context: Context) -> ParsedTables:
    """Return the rows of (line number, document) pairs. The context fills in missing values.

    A topic that has only a partition count has no rows in OFFSETS.
    """
    return joined(_parsed(some, file, context) for some in _portions(documents))


def _portions(documents: Iterable[tuple[int, Document]]) -> Iterator[list[tuple[int, Document]]]:
    some: list[tuple[int, Document]] = []
    count = 0
    for line, document in documents:
        some.append((line, document))
        count += sum(topic.size for topic in document.topics or ())
        if count >= _PARTITIONS_AT_ONCE:
            yield some
            some, count = [], 0
    if some:
        yield some


def _parsed(documents: Sequence[tuple[int, Document]], file: str, context: Context) -> ParsedTables:
    offsets, members, topics = [], [], []
    for line, document in documents:
        instant = {"taken_at": document.taken_at or context.taken_at, "cluster": context.cluster}
        group = {
            "group_id": document.group_id if document.group_id is not None else context.group_id,
            "group_type": document.type,
            "group_state": document.state,
            "assignor": document.assignor,
            "auto_offset_reset": document.auto_offset_reset,
        }
        source = {"source_format": FORMAT, "source_file": file, "source_line": line}
        offsets.append(_Rows(_offsets(document), instant | group | source))
        members.append(_Rows(member_columns(document), instant | group | source))
        topics.append(_Rows(_topics(document.topics or ()), instant | source))
    return ParsedTables(
        offsets=_table(offsets, schemas.OFFSETS),
        members=_table(members, schemas.MEMBERS),
        topics=_table(topics, schemas.TOPICS),
        rejected=schemas.REJECTED.empty_table(),
        line_count=len(documents),
        row_count=len(documents),
        note_count=0,
        formats=(FORMAT,),
    )


def _table(parts: Sequence[_Rows], schema: pa.Schema) -> pa.Table:
    counts = [part.count for part in parts]
    place = np.repeat(np.arange(len(parts)), counts)
    names = dict.fromkeys(name for part in parts for name in part.columns)
    columns: dict[str, Any] = {
        name: list(
            chain.from_iterable(
                part.columns.get(name) or [None] * count
                for part, count in zip(parts, counts, strict=True)
            )
        )
        for name in names
    }
    for field in schema:
        if field.name in parts[0].given:
            columns[field.name] = pa.array(
                [part.given[field.name] for part in parts], field.type
            ).take(place)
    return columns_table(columns, len(place), schema, {})


def _offsets(document: Document) -> dict[str, list]:
    listed = [
        (topic.name, topic.partitions)
        for topic in document.topics or ()
        if not isinstance(topic.partitions, int)
    ]
    columns = {
        "topic": list(chain.from_iterable([name] * len(partitions) for name, partitions in listed)),
        "partition": list(chain.from_iterable(range(len(partitions)) for _, partitions in listed)),
    }
    every = list(chain.from_iterable(partitions for _, partitions in listed))
    columns |= {column: list(map(attrgetter(key), every)) for column, key in _PARTITION.items()}
    if document.members:
        owner_of = owners(document.members, [name for name, _ in listed])
        owner = [
            owner_of[name].get(number)
            for name, partitions in listed
            for number in range(len(partitions))
        ]
        columns |= {
            column: [None if member is None else getattr(member, column) for member in owner]
            for column in MEMBER
        }
    return columns


def _topics(topics: Iterable[Topic]) -> dict[str, list]:
    """Return a row for each topic, and a row for each partition with known racks."""
    rows: list[tuple] = []
    for topic in topics:
        rows.append((topic.name, topic.topic_id, topic.size, None, None))
        if not isinstance(topic.partitions, int):
            rows.extend(
                (topic.name, None, None, number, partition.racks)
                for number, partition in enumerate(topic.partitions)
                if partition.racks
            )
    columns = zip(*rows, strict=True) if rows else ((),) * 5
    return dict(
        zip(("topic", "topic_id", "partition_count", "partition", "racks"), columns, strict=True)
    )


# Rows of MEMBERS in a group document, and owners of partitions.


MEMBER = ("member_id", "instance_id", "client_id", "host", "rack")
"""Columns about a member that are also in OFFSETS."""

_MEMBER_ALONE = (
    "subscribed",
    "subscribed_regex",
    "generation",
    "epoch",
    "protocol",
    "assignment_user_data",
)


def owners(members: Iterable[Member], topics: Iterable[str]) -> dict[str, dict[int, Member]]:
    """Return the current owner of each partition of the topics. If several members claim a
    partition, the first is returned.
    """
    owners: dict[str, dict[int, Member]] = {topic: {} for topic in topics}
    for member in members:
        held = (member.owned if member.current is None else member.current) or {}
        for topic in owners.keys() & held.keys():
            for partition in held[topic] or ():
                owners[topic].setdefault(partition, member)
    return owners


def member_columns(document: Document) -> dict[str, list]:
    """Return the columns of MEMBERS: first a row about the group, then a row for each member."""
    rows: list[dict[str, Any]] = [
        {
            "subscribed": [topic.name for topic in document.topics or ()],
            "assumed": document.assumed or [],
            **{column: getattr(document, column) for column in GROUP_FACTS},
            "leader": document.leader and document.leader.client,
            "leader_certain": document.leader and document.leader.certain,
        }
    ]
    for order, member in enumerate(document.members or ()):
        joined = member.joined_with
        rows.append(
            {
                **{column: getattr(member, column) for column in (*MEMBER, *_MEMBER_ALONE)},
                "member_order": order,
                "owned": _held(member.owned),
                "current": _held(member.current),
                "joined_owned": _held(joined.owned) if joined else None,
                "joined_generation": joined.generation if joined else None,
            }
        )
    columns = dict.fromkeys(key for row in rows for key in row)
    return {column: [row.get(column) for row in rows] for column in columns}


def _held(held: Held | None) -> list[dict[str, Any]] | None:
    return (
        None
        if held is None
        else [
            {"topic": topic, "partitions": partitions}
            for topic, partitions in held.items()
            if partitions is not None
        ]
    )
