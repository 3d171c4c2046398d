"""Documents of groups and of Streams applications: one in a file, or one a line (JSON Lines). One line is counted for each record."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from data.document import FORMAT, STREAMS_FORMAT, Application, Document, decode, decode_application
from data.errors import SnapshotError
from data.sources.document import application_rows
from data.sources.document.rows import rows_of
from data.sources.parsing.context import START, Context
from data.sources.parsing.other_lines import OtherLines
from data.tables.parsed import Parsed, joined

NAME = "evenkeel-document"

_READ = {False: rows_of, True: application_rows.rows_of}
_STREAMS = STREAMS_FORMAT.encode()
_JSON = re.compile(rb"\s*(\{|\[\s*[{\]])")


class _Formatted(msgspec.Struct):
    """A record that says what it is."""

    format: str


def recognises(head: bytes, file: str) -> bool:
    """Tell whether a file starts as JSON does."""
    return _JSON.match(head) is not None


def parse(data: bytes, file: str, context: Context = START) -> Parsed:
    """Read every record; one that is refused becomes a rejected line with the path of the fault."""
    refused = OtherLines()
    runs = groupby(_records(data, context.first_line), lambda record: _is_application(record[1]))
    parts = [_READ[is_application](_decoded(run, is_application, refused), file, context) for is_application, run in runs]
    return joined([*parts, refused.parsed(file)])


def _is_application(text: bytes) -> bool:
    return _STREAMS in text and _format_of(text) == STREAMS_FORMAT


def _decoded(
    records: Iterable[tuple[int, bytes]], is_application: bool, refused: OtherLines
) -> Iterator[tuple[int, Document | Application]]:
    for number, text in records:
        try:
            yield number, (decode_application if is_application else decode)(text)
        except SnapshotError as reason:
            refused.reject(number, text, STREAMS_FORMAT if is_application else FORMAT, str(reason))


def _records(data: bytes, first_line: int) -> list[tuple[int, bytes]]:
    """Return line number and text of each record: one record where no single line is a document."""
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), first_line) if line.strip()]
    return lines if any(_format_of(line) is not None for _, line in lines) else [(first_line, data)]


def _format_of(text: bytes) -> str | None:
    """Return what a record says it is, None where it is no JSON or does not say."""
    try:
        return msgspec.json.decode(text, type=_Formatted).format
    except (ValueError, RecursionError):
        return None
