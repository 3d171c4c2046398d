"""Reads any supported files into one set of tables, without Spark."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.detection import HEAD_BYTES, as_utf8, source_for
from evenkeel.data.sources.inputs import Readable
from evenkeel.data.sources.source import Context, NamedColumns
from evenkeel.data.tables.counts import without_repeats
from evenkeel.data.tables.parsed import Parsed, joined
from evenkeel.data.tables.schemas import MAX_TEXT


def read(
    inputs: Iterable[Readable],
    group_id: str | None = None,
    taken_at: datetime | None = None,
    named_columns: Sequence[NamedColumns] = (),
    numbers: str | None = None,
) -> Parsed:
    """Read files as one instant unless they carry times; the options are those of `Context`.

    Raises
    ------
    SnapshotError
        When a file cannot be opened, or no source reads what is in it.
    """
    context = Context(group_id=group_id, taken_at=taken_at, named_columns=tuple(named_columns), numbers=numbers)
    texts: dict[str, bytes] = {}
    parts = []
    for name, data in map(_content, inputs):
        name = distinct_name(name, texts)
        texts[name] = as_utf8(name, data)
        parts.append(source_for(name, data[:HEAD_BYTES]).parse(texts[name], name, context))
    lines_of = cache(lambda file: texts[file].split(b"\n"))
    return without_repeats(joined(parts), lambda file, line: lines_of(file)[line - 1].decode("utf-8", "replace")[:MAX_TEXT])


def _content(one: Readable) -> tuple[str, bytes]:
    if isinstance(one, tuple):
        return one
    try:
        return str(one), one.read_bytes()
    except OSError as error:
        raise SnapshotError(f"{one}: {error.strerror or error}, expected a readable file") from None


def distinct_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, numbered where another file of the same input has it."""
    number, distinct = 1, name
    while distinct in taken:
        number += 1
        distinct = f"{name} ({number})"
    return distinct
