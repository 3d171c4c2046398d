"""Groups of a live cluster as the tables of a batch, and the manifest of that batch."""

from collections.abc import Iterable
from datetime import UTC, datetime

from data.document import FORMAT
from data.lake.manifest import Manifest, SourceFile
from data.live.reading.documents import LiveGroup
from data.sources.document.rows import rows_of
from data.sources.parsing.context import Context
from data.sources.parsing.other_lines import OtherLines
from data.tables.parsed import Parsed, joined


def parsed_groups(cluster: str, groups: Iterable[tuple[int, LiveGroup]]) -> Parsed:
    """Return numbered groups as tables; a group without a document becomes a rejected line."""
    file, groups, refused = source_of(cluster), list(groups), OtherLines()
    found = rows_of(((line, one.document) for line, one in groups if one.document), file, Context(cluster=cluster))
    for line, one in groups:
        if one.document is None:
            refused.reject(line, one.group_id.encode(), FORMAT, "; ".join(one.problems))
    return joined([found, refused.parsed(file)])


def manifest_of(cluster: str, batch: str, taken_at: datetime, problems: Iterable[str] = ()) -> Manifest:
    """Return the manifest of groups that were read at an instant and are not stored yet; `problems`: what of them cannot be seen."""
    source = SourceFile(source_of(cluster), "", 0)
    return Manifest(
        batch=batch, ingested_at=datetime.now(UTC), taken_at=taken_at, sources=(source,), cluster=cluster, problems=tuple(problems)
    )


def source_of(cluster: str) -> str:
    """Return what stands for a cluster where a table names the file of a row."""
    return f"cluster {cluster}"
