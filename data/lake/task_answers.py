"""What the tasks of a batch answered, in its manifest."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.writing import Done, files_of
from evenkeel.data.tables import schemas
from evenkeel.data.tables.counts import Counts


def with_counts(one: Manifest, done: Sequence[Done]) -> Manifest:
    """Return the manifest with the formats that were recognised, the counts of its sources and the sum of these counts."""
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    refused: dict[str, str] = {}
    for answer in done:
        refused |= answer.refused
        for name, count in answer.counts.items():
            counts[name] += count
    sources = tuple(
        msgspec.structs.replace(source, counts=source.counts + counts[source.name], refused=source.refused or refused.get(source.name))
        for source in one.sources
    )
    formats = tuple(dict.fromkeys(name for answer in done for name in answer.formats))
    return msgspec.structs.replace(one, sources=sources, formats=formats, counts=sum((source.counts for source in sources), Counts()))


def with_tables(one: Manifest, done: Sequence[Done], results: Mapping[str, tuple[str, ...]]) -> Manifest:
    """Return the manifest with the files of its tasks and those of LAG and the loads."""
    return msgspec.structs.replace(one, tables={name: files_of(done, name) for name in schemas.TABLES} | results)
