"""Many small listings parsed as one text: what a call costs is paid once, not for each of ten thousand files."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from evenkeel.data.pipeline.ingest.files.file_part import FilePart
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.console.headers import header_of
from evenkeel.data.tables import notes
from evenkeel.data.tables.parsed import Parsed, joined, tables_of

SMALL_BYTES = 2**18


def is_small_listing(part: FilePart, text: bytes) -> bool:
    """Tell whether a part can follow another one in one text: a whole small file with a header, so nothing before it matters."""
    is_short_listing = part.format == listing.NAME and part.range.start == 0 and len(text) < SMALL_BYTES and not part.is_whole
    return is_short_listing and header_of(text.lstrip(b"\r\n").partition(b"\n")[0].removesuffix(b"\r")) is not None


def parsed_together(files: Sequence[tuple[FilePart, bytes]]) -> tuple[Parsed, dict[str, int]]:
    """Parse files as one text; return rows under the names and line numbers of their files, and the lines of each.

    A time in one says nothing of the next: then each is parsed alone.
    """
    texts = [text if text.endswith(b"\n") else text + b"\n" for _, text in files]
    names = [part.file for part, _ in files]
    line_counts = [text.count(b"\n") for text in texts]
    parsed = listing.parse(b"".join(texts), "", files[0][0].range.context)
    if notes.have_times(parsed.notes):
        return joined(part.parsed(text) for part, text in files), dict(zip(names, line_counts, strict=True))
    first_line = np.cumsum([1, *line_counts])
    tables = {name.lower(): _in_files(table.combine_chunks(), names, first_line) for name, table in tables_of(parsed).items()}
    return replace(parsed, **tables), dict(zip(names, line_counts, strict=True))


def _in_files(table: pa.Table, names: list[str], first_line: np.ndarray) -> pa.Table:
    line = table["source_line"].to_numpy()
    file = np.searchsorted(first_line, line, side="right") - 1
    columns = {"source_file": pa.array(names, pa.string()).take(pa.array(file)), "source_line": pa.array(line - first_line[file] + 1)}
    for name, column in columns.items():
        table = table.set_column(table.schema.get_field_index(name), table.schema.field(name), column)
    return table
