"""Header lines: which listing follows, its columns and where they start."""

import re
from dataclasses import dataclass
from functools import lru_cache

from evenkeel.data.sources.console.headers.column_names import column_of
from evenkeel.data.sources.console.headers.dialects import dialect_of
from evenkeel.data.sources.console.headers.widths import OLD_LAG_WIDTH, format_of_width, lag_width, utf16_width
from evenkeel.data.sources.parsing.pasted import plain_dashes

_PASTED = " \t|*`\u00a0\ufeff"
_FRONT = re.compile(rb"(?:[ \t|*`]|\xc2\xa0|\xef\xbb\xbf)*(?:GROUP|TOPIC|CONSUMER|COORDINATOR|Group)")

_MAX_BYTES, _MAX_KEPT_BYTES = 1 << 16, 4_096
# 0.9.0 prints a blank behind each comma; without it the header is that of a CSV.
_TIGHT_COMMA = re.compile(",(?! )")
_CELLS = {" ": re.compile(r"COORDINATOR +\(ID\)|[^ ]+")} | {mark: re.compile(f"[^{re.escape(mark)}]+") for mark in "|\t,"}


@dataclass(frozen=True)
class Layout:
    """What a header line says about the lines under it.

    Parameters
    ----------
    kind, format : str
        As in `Dialect`.
    words, columns : tuple of str
        Header cells as printed, and as names of the tables' columns.
    starts : tuple of int
        Where each header cell starts, in UTF-16 units, by which Java pads.
    separator : str
        A blank, or what a dialect or a pasted table puts between cells: comma, tab, `|`.
    hard_blanks : bool
        Blanks came as no-break spaces, from a web page.
    host_glued : bool
        A long CONSUMER-ID may run into HOST, as 0.10.2 to 1.0 print them.
    consumer : tuple of str or None
        Group and member id of the line above: the first form of a streams group's members prints tasks in lines of their own.
    """

    kind: str
    format: str
    words: tuple[str, ...]
    columns: tuple[str, ...]
    starts: tuple[int, ...]
    separator: str
    hard_blanks: bool
    host_glued: bool
    consumer: tuple[str | None, str] | None = None


def header_of(line: bytes) -> Layout | None:
    """Return the layout that a line announces, None when it is no header."""
    if len(line) > _MAX_BYTES or not _FRONT.match(line):
        return None
    # A long line does not enter the cache: 1,024 headers of 64 KB would keep 64 MB.
    return _layout(line) if len(line) <= _MAX_KEPT_BYTES else _layout.__wrapped__(line)


def has_lines_of_tasks(line: bytes) -> bool:
    """Tell whether a header announces one consumer, whose tasks follow in lines of their own."""
    layout = header_of(line)
    return layout is not None and layout.kind == "streams-members" and "assignments" not in layout.columns


@lru_cache(1024)
def _layout(line: bytes) -> Layout | None:
    printed = plain_dashes(line.decode("utf-8", "replace").rstrip("\r"))
    text = printed.replace("\u00a0", " ")
    separator = next((mark for mark in "|\t," if mark in text.strip(_PASTED)), " ")
    if separator == "," and _TIGHT_COMMA.search(text):
        return None
    cells = [cell for cell in _CELLS[separator].finditer(text) if cell[0].strip(_PASTED)]
    words = tuple(re.sub("  +", " ", cell[0].strip(_PASTED)) for cell in cells)
    dialect = dialect_of(words)
    if dialect is None:
        return None
    starts = tuple(utf16_width(text[: cell.start()]) for cell in cells)
    width = lag_width(words, starts)
    columns = tuple(map(column_of, words))
    glued = 0 < width <= OLD_LAG_WIDTH
    return Layout(
        dialect.kind,
        format_of_width(dialect.format, width),
        words,
        columns,
        starts,
        separator,
        hard_blanks=text != printed,
        host_glued=glued,
    )
