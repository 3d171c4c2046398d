"""Tables with a header that is not fully known: what is in it, and the same text with the names that a person chose."""

import csv
import io
from collections.abc import Mapping

from data.errors import SnapshotError
from data.sources.detection import HEAD_BYTES, as_utf8, source_for
from data.sources.separated import text_table
from data.sources.separated.header import TableHeader, header_in
from data.sources.separated.numerals import SEVERAL_WAYS
from data.sources.separated.synonyms import SYNONYMS, guess

COLUMNS = tuple(SYNONYMS)
"""Columns of OFFSETS that a table can have."""

FIRST_ROWS = 3
_LOOKED_AT = 2**20


def unknown_header(name: str, data: bytes) -> TableHeader | None:
    """Return the header of a table in text that has a column nobody knows, None for everything else; what cannot be read is the reader's to refuse."""
    try:
        if source_for(name, data[:HEAD_BYTES]) is not text_table:
            return None
        layout = header_in(as_utf8(name, data[:HEAD_BYTES]).split(b"\n"))
    except SnapshotError:
        return None
    return layout if layout and len(layout.mapping) < len(layout.cells) else None


def first_rows(data: bytes, layout: TableHeader) -> list[list[str]]:
    """Return the first rows under the header, cut or filled to its width."""
    text = as_utf8("", data[:HEAD_BYTES]).decode("utf-8", "replace").splitlines()[layout.line :]
    rows = list(csv.reader((line for line in text if line.strip()), delimiter=layout.separator))[:FIRST_ROWS]
    width = len(layout.cells)
    return [(row + [""] * width)[:width] for row in rows]


def open_number(name: str, data: bytes) -> str | None:
    """Return a number of the first lines of a table that can be read in several ways, such as `lag is '1.000'`; None where there is none."""
    head = data[:_LOOKED_AT]
    whole_lines = head if len(head) == len(data) else head[: head.rfind(b"\n") + 1]
    try:
        rejected = text_table.parse(as_utf8(name, whole_lines), name).rejected if source_for(name, data[:HEAD_BYTES]) is text_table else None
    except SnapshotError:
        return None
    reasons = rejected["reason"].to_pylist() if rejected else ()
    return next((reason.partition(", expected")[0] for reason in reasons if SEVERAL_WAYS in reason), None)


def with_header(name: str, data: bytes, layout: TableHeader, mapping: Mapping[str, int]) -> bytes:
    """Return the text with its header line replaced: known names where `mapping` gives a column of OFFSETS its place, elsewhere such that nobody reads."""
    lines = as_utf8(name, data).split(b"\n")
    names = {place: SYNONYMS[column][0] for column, place in mapping.items()}
    cells = [names.get(place) or _unread(cell, place) for place, cell in enumerate(layout.cells)]
    line = io.StringIO()
    csv.writer(line, delimiter=layout.separator, lineterminator="").writerow(cells)
    lines[layout.line - 1] = line.getvalue().encode()
    return b"\n".join(lines)


def _unread(cell: str, place: int) -> str:
    return cell if cell and not guess([cell]) else f"{cell} (column {place + 1})".lstrip()
