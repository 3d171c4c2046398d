"""Groups of a live cluster as the tables of a source."""

from collections.abc import Iterable

from data.document import FORMAT
from data.live.reading.documents import LiveGroup
from data.sources.document.rows import rows_of
from data.sources.parsing.context import Context
from data.sources.parsing.other_lines import OtherLines
from data.tables.parsed import Parsed, joined


def parsed_groups(cluster: str, groups: Iterable[tuple[int, LiveGroup]]) -> Parsed:
    """Return numbered groups as tables; a group without a document becomes a rejected line."""
    file, parts, refused = f"cluster {cluster}", [], OtherLines()
    context = Context(cluster=cluster)
    for line, one in groups:
        if one.document is None:
            refused.reject(line, one.group_id.encode(), FORMAT, "; ".join(one.problems))
        else:
            parts.append(rows_of(one.document, file, line, context))
    return joined([*parts, refused.parsed(file)])
