"""Header lines: which listing follows, its columns and where they start."""

import re
from dataclasses import dataclass
from functools import lru_cache

from data.sources.console.cells import plain_dashes, utf16_width
from data.sources.console.dialects import dialect_of

_PASTED = " \t|*`\u00a0\ufeff"
_FRONT = re.compile(rb"(?:[ \t|*`]|\xc2\xa0|\xef\xbb\xbf)*(?:GROUP|TOPIC|CONSUMER|COORDINATOR|Group)")

COLUMN_OF = {
    "PID": "partition",
    "OFFSET": "committed_offset",
    "CURRENT-OFFSET": "committed_offset",
    "LOGSIZE": "end_offset",
    "LOG-END-OFFSET": "end_offset",
    "LAG": "listed_lag",
    "GROUP": "group_id",
    "CONSUMER-ID": "member_id",
    "GROUP-INSTANCE-ID": "instance_id",
    "#PARTITIONS": "partition_count",
    "CURRENT-EPOCH": "epoch",
    "TARGET-EPOCH": "assignment_epoch",
    "TARGET-ASSIGNMENT-EPOCH": "assignment_epoch",
    "COORDINATOR (ID)": "coordinator",
    "ASSIGNMENT-STRATEGY": "assignor",
    "TYPE": "group_type",
    "STATE": "group_state",
    "#MEMBERS": "member_count",
}
"""Columns of the tables for header words; every other word is its column's name."""

_CELLS = {" ": re.compile(r"COORDINATOR +\(ID\)|[^ ]+")} | {mark: re.compile(f"[^{re.escape(mark)}]+") for mark in "|\t,"}
_OLD_LAG_WIDTH = 11


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
    """

    kind: str
    format: str
    words: tuple[str, ...]
    columns: tuple[str, ...]
    starts: tuple[int, ...]
    separator: str
    hard_blanks: bool
    host_glued: bool


def header_of(line: bytes) -> Layout | None:
    """Return the layout that a line announces, None when it is no header."""
    return _layout(line) if _FRONT.match(line) else None


@lru_cache(16)
def _layout(line: bytes) -> Layout | None:
    printed = plain_dashes(line.decode("utf-8", "replace").rstrip("\r"))
    text = printed.replace("\u00a0", " ")
    separator = next((mark for mark in "|\t," if mark in text.strip(_PASTED)), " ")
    cells = [cell for cell in _CELLS[separator].finditer(text) if cell[0].strip(_PASTED)]
    words = tuple(re.sub("  +", " ", cell[0].strip(_PASTED)) for cell in cells)
    dialect = dialect_of(words)
    if dialect is None:
        return None
    starts = tuple(utf16_width(text[: cell.start()]) for cell in cells)
    width = _lag_width(words, starts)
    return Layout(
        dialect.kind, _narrowed(dialect.format, width), words, tuple(map(_column, words)), starts, separator, hard_blanks=text != printed, host_glued=0 < width <= _OLD_LAG_WIDTH
    )


def _column(word: str) -> str:
    plain = word.upper().replace(" ", "-") if word not in COLUMN_OF else word
    return COLUMN_OF.get(plain, plain.lower().replace("-", "_"))


def _lag_width(words: tuple[str, ...], starts: tuple[int, ...]) -> int:
    """Return the width of LAG, which tells the versions apart that print the same columns without GROUP; 0 for others."""
    shared = words[0] == "TOPIC" and words[-1] == "CLIENT-ID"
    return starts[words.index("CONSUMER-ID")] - starts[words.index("LAG")] if shared else 0


def _narrowed(name: str, width: int) -> str:
    if width < _OLD_LAG_WIDTH:
        return name
    return name.replace("2.2", "1.0") if width == _OLD_LAG_WIDTH else name.replace("0.10.2", "1.1")
