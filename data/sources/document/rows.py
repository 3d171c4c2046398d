"""The rows of one group document: `data/columns` reads the same group from them."""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from data.document import FORMAT, Document, Topic
from data.sources.document.member_rows import MEMBER, member_columns, owners
from data.sources.parsing.context import Context
from data.tables import schemas
from data.tables.columns_table import columns_table
from data.tables.parsed import Parsed

_PARTITION = {"begin_offset": "begin_offset", "committed_offset": "committed_offset", "end_offset": "end_offset", "listed_lag": "lag"}


def rows_of(document: Document, file: str, line: int, context: Context) -> Parsed:
    """Return one document as rows; the context fills in what the document leaves open.

    A topic with only a number of partitions has no rows in OFFSETS.
    """
    instant = {"taken_at": document.taken_at or context.taken_at, "cluster": context.cluster}
    group = {
        "group_id": document.group_id if document.group_id is not None else context.group_id,
        "group_type": document.type,
        "group_state": document.state,
        "assignor": document.assignor,
        "auto_offset_reset": document.auto_offset_reset,
    }
    source = {"source_format": FORMAT, "source_file": file, "source_line": line}
    return Parsed(
        offsets=_table(_offsets(document), schemas.OFFSETS, instant | group | source),
        members=_table(member_columns(document), schemas.MEMBERS, instant | group | source),
        topics=_table(_topics(document.topics or ()), schemas.TOPICS, instant | source),
        rejected=schemas.REJECTED.empty_table(),
        line_count=1,
        row_count=1,
        note_count=0,
        formats=(FORMAT,),
    )


def _table(columns: dict[str, Sequence[Any]], schema: pa.Schema, given: dict[str, Any]) -> pa.Table:
    return columns_table(columns, len(next(iter(columns.values()))), schema, given)


def _offsets(document: Document) -> dict[str, list]:
    listed = [(topic.name, topic.partitions) for topic in document.topics or () if not isinstance(topic.partitions, int)]
    owner_of = owners(document.members or (), [name for name, _ in listed])
    owner = [owner_of[name].get(number) for name, partitions in listed for number in range(len(partitions))]
    columns = {
        "topic": [name for name, partitions in listed for _ in partitions],
        "partition": [number for _, partitions in listed for number in range(len(partitions))],
    }
    for column, key in _PARTITION.items():
        columns[column] = [getattr(partition, key) for _, partitions in listed for partition in partitions]
    for column in MEMBER:
        columns[column] = [None if member is None else getattr(member, column) for member in owner]
    return columns


def _topics(topics: Iterable[Topic]) -> dict[str, list]:
    """Return a row for each topic, and a row for each partition with known racks."""
    rows: list[tuple] = []
    for topic in topics:
        rows.append((topic.name, topic.topic_id, topic.size, None, None))
        if not isinstance(topic.partitions, int):
            rows.extend(
                (topic.name, None, None, number, partition.racks) for number, partition in enumerate(topic.partitions) if partition.racks
            )
    columns = zip(*rows, strict=True) if rows else ((),) * 5
    return dict(zip(("topic", "topic_id", "partition_count", "partition", "racks"), columns, strict=True))
