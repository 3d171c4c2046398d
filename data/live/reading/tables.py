"""Groups of a live cluster as tables of a batch, and the manifest of the batch."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

import pyarrow as pa

from evenkeel.data import clock
from evenkeel.data.group.document import FORMAT
from evenkeel.data.group.tables.parsed import ParsedTables, joined
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.live.reading.documents import LiveGroup
from evenkeel.data.live.reading.waiting import NOTHING, Waiting
from evenkeel.data.sources.document_rows import rows_of
from evenkeel.data.sources.documents import application_rows_of
from evenkeel.data.sources.source import Context, OtherLines


def parsed_groups(
    cluster: str, groups: Iterable[tuple[int, LiveGroup]], beside: Waiting = NOTHING
) -> ParsedTables:
    """Return the tables of groups. Each group has a line number. A group without a document becomes
    a rejected line.

    A Kafka Streams application also has rows of tasks and consumers. `beside`: last stable offsets
    and topic settings.
    """
    file, groups, refused = source_of(cluster), list(groups), OtherLines()
    context = Context(cluster=cluster)
    rows = rows_of(((line, live.document) for line, live in groups if live.document), file, context)
    streams = application_rows_of(
        ((line, live.application.document) for line, live in groups if live.application),
        file,
        context,
    )
    for line, live in groups:
        if live.document is None:
            refused.reject(line, live.group_id.encode(), FORMAT, "; ".join(live.problems))
    offsets = _with_ages(rows.offsets, [live for _, live in groups if live.document])
    offsets = _with_stable(offsets, beside)
    topics = _with_settings(rows.topics, beside)
    return joined(
        [
            replace(
                rows,
                offsets=offsets,
                topics=topics,
                tasks=streams.tasks,
                consumers=streams.consumers,
            ),
            refused.parsed(file),
        ]
    )


def _with_ages(offsets: pa.Table, groups: list[LiveGroup]) -> pa.Table:
    """Set `lag_seconds`. The rows of `offsets` must be in the order of the documents in
    `groups`.
    """
    if not any(live.ages for live in groups):
        return offsets
    places: list[float | None] = []
    for group in groups:
        topics = group.document.topics if group.document else None
        for topic in topics or ():
            if not isinstance(topic.partitions, int):
                numbers = range(len(topic.partitions))
                places += [group.ages.get((topic.name, number)) for number in numbers]
    column = offsets.schema.get_field_index("lag_seconds")
    return offsets.set_column(column, offsets.schema.field(column), pa.array(places, "float64"))


def _with_stable(offsets: pa.Table, beside: Waiting) -> pa.Table:
    if not beside.stable:
        return offsets
    places = zip(offsets["topic"].to_pylist(), offsets["partition"].to_pylist(), strict=True)
    return _with_column(offsets, "stable_offset", [beside.stable.get(place) for place in places])


def _with_settings(topics: pa.Table, beside: Waiting) -> pa.Table:
    """Set topic settings in the rows of TOPICS without a partition number."""
    rows = zip(topics["topic"].to_pylist(), topics["partition"].to_pylist(), strict=True)
    settings = [
        beside.settings.get(name, {}) if partition is None else {} for name, partition in rows
    ]
    for column in sorted({name for each in settings for name in each}):
        topics = _with_column(topics, column, [each.get(column) for each in settings])
    return topics


def _with_column(rows: pa.Table, name: str, values: Sequence[str | int | None]) -> pa.Table:
    place = rows.schema.get_field_index(name)
    field = rows.schema.field(place)
    return rows.set_column(place, field, pa.array(values, field.type))


def manifest_of(
    cluster: str, batch: str, taken_at: datetime, problems: Iterable[str] = ()
) -> Manifest:
    """Return the manifest of groups that were just read. `problems`: notes on data that could not
    be read.
    """
    source = SourceFile(source_of(cluster), "", 0)
    return Manifest(
        batch=batch,
        ingested_at=clock.now(),
        taken_at=taken_at,
        sources=(source,),
        cluster=cluster,
        problems=tuple(problems),
    )


def source_of(cluster: str) -> str:
    """Return the name that the rows of a cluster have in place of a file name."""
    return f"cluster {cluster}"
