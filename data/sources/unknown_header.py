"""Tables with a header that is not fully known: what a page asks a person about them."""

import csv
from collections.abc import Sequence

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.detection import HEAD_BYTES, as_utf8, source_for
from evenkeel.data.sources.separated import text_table
from evenkeel.data.sources.separated.header import SYNONYMS, TableHeader, header_in
from evenkeel.data.sources.separated.values import SEVERAL_WAYS
from evenkeel.data.sources.source import Context, NamedColumns

COLUMNS = tuple(SYNONYMS)
"""Columns of OFFSETS that a table can have."""

FIRST_ROWS = 3
_LOOKED_AT = 2**20


def unknown_header(name: str, data: bytes) -> TableHeader | None:
    """Return the header of a table in text that has an unknown column, None for everything else; the reader refuses what cannot be read."""
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


def open_number(name: str, data: bytes, named_columns: Sequence[NamedColumns] = ()) -> str | None:
    """Return a number in the first lines of a table that has several readings, such as `lag is '1.000'`; None if there is none."""
    head = data[:_LOOKED_AT]
    whole_lines = head if len(head) == len(data) else head[: head.rfind(b"\n") + 1]
    try:
        is_table = source_for(name, data[:HEAD_BYTES]) is text_table
        rejected = (
            text_table.parse(as_utf8(name, whole_lines), name, Context(named_columns=tuple(named_columns))).rejected if is_table else None
        )
    except SnapshotError:
        return None
    reasons = rejected["reason"].to_pylist() if rejected else ()
    return next((reason.partition(", expected")[0] for reason in reasons if SEVERAL_WAYS in reason), None)
