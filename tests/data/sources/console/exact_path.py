"""The exact path alone, for comparison with what `parse` does."""

from evenkeel.data.group.tables.parsed import joined
from evenkeel.data.sources.console.listing import PrintedRows, layout_above, walk
from evenkeel.data.sources.console.times import with_times
from evenkeel.data.sources.source import START


def exactly(data, file, context=START):
    """Return what line-by-line reading makes of a text."""
    collected = PrintedRows()
    lines = data.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n") if data else []
    walk(
        enumerate(lines, context.first_line),
        layout_above(context.header, context.group_id),
        context.group_id,
        collected,
    )
    return with_times(
        joined([collected.parsed(file, context)]), [(0, context.taken_at), *collected.times]
    )


def same(left, right):
    """Tell whether two results are equal, tables, counts and formats."""
    tables = all(
        getattr(left, name).equals(getattr(right, name))
        for name in ("offsets", "members", "topics", "consumers", "rejected")
    )
    return tables and (left.line_count, left.row_count, left.note_count, left.formats) == (
        right.line_count,
        right.row_count,
        right.note_count,
        right.formats,
    )
