"""Group documents: one in a file, or one a line (JSON Lines). One line is counted for each record."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from data.document import FORMAT, Document, decode
from data.errors import SnapshotError
from data.sources.document.rows import rows_of
from data.sources.parsing.context import START, Context
from data.sources.parsing.other_lines import OtherLines
from data.tables.parsed import Parsed, joined

NAME = "evenkeel-document"

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
    found = rows_of(_decoded(_records(data, context.first_line), refused), file, context)
    return joined([found, refused.parsed(file)])


def _decoded(records: Iterable[tuple[int, bytes]], refused: OtherLines) -> Iterator[tuple[int, Document]]:
    for number, text in records:
        try:
            yield number, decode(text)
        except SnapshotError as reason:
            refused.reject(number, text, FORMAT, str(reason))


def _records(data: bytes, first_line: int) -> list[tuple[int, bytes]]:
    """Return line number and text of each record: one record where no single line is a document."""
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), first_line) if line.strip()]
    return lines if any(_is_document(line) for _, line in lines) else [(first_line, data)]


def _is_document(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=_Formatted)
    except (ValueError, RecursionError):
        return False
    return True
