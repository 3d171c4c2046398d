"""Documents of groups and of Streams applications: one in a file, or one a line (JSON Lines). One line is counted for each record.

A file that begins like JSON and is none, a document that is cut off for example, counts as the lines of text that it has.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from evenkeel.data.document import FORMAT, STREAMS_FORMAT, Application, Document, decode, decode_application
from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.document import application_rows
from evenkeel.data.sources.document.rows import rows_of
from evenkeel.data.sources.parsing.context import START, Context
from evenkeel.data.sources.parsing.other_lines import OtherLines
from evenkeel.data.tables.parsed import Parsed, joined

NAME = "evenkeel-document"

_READ = {False: rows_of, True: application_rows.rows_of}
_STREAMS = STREAMS_FORMAT.encode()
# Not every bracket: lines of a log begin with one, and a time.
_JSON = re.compile(rb"\s*(\{|\[\s*([{\]]|-?\d+\s*[,\]]))")


class _Formatted(msgspec.Struct):
    """A record that says what it is."""

    format: str


def recognises(head: bytes, file: str) -> bool:
    """Tell whether a file starts as JSON does."""
    return _JSON.match(head) is not None


def parse(data: bytes, file: str, context: Context = START) -> Parsed:
    """Read every record; one that is refused becomes a rejected line with the path of the fault."""
    refused, records = OtherLines(), _records(data, context.first_line)
    if records is None:
        return _lines_of_no_json(data, context.first_line).parsed(file)
    runs = groupby(records, lambda record: _is_application(record[1]))
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


def _records(data: bytes, first_line: int) -> list[tuple[int, bytes]] | None:
    """Return line number and text of each record: the whole where it is one, else its lines; None where they are no JSON."""
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), first_line) if line.strip()]
    if any(_format_of(line) is not None for _, line in lines):
        return lines
    if _fault_of(data) is None:
        return [(first_line, data)]
    return lines if all(_fault_of(line) is None for _, line in lines) else None


def _lines_of_no_json(data: bytes, first_line: int) -> OtherLines:
    """Reject every line for the fault of the whole; blank ones are notes, which are only counted."""
    lines, reason = OtherLines(), f"the file begins like JSON and is none: {_fault_of(data)}"
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), first_line):
        if line.strip():
            lines.reject(number, line, None, reason)
        else:
            lines.note_count += 1
    return lines


def _fault_of(text: bytes) -> str | None:
    """Return why a text is no JSON, None where it is."""
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (ValueError, RecursionError) as error:
        return str(error)
    return None


def _format_of(text: bytes) -> str | None:
    """Return what a record says it is, None where it is no JSON or does not say."""
    try:
        return msgspec.json.decode(text, type=_Formatted).format
    except (ValueError, RecursionError):
        return None
