"""Reads header lines of printed tables, and the cells of rows below them."""

import csv
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from evenkeel.data.sources.clean import is_noise
from evenkeel.data.sources.facts import OFFSETS, NoNumber, whole
from evenkeel.data.sources.separated.header import column_places, likely_places
from evenkeel.data.sources.source import NamedColumns, names_for
from evenkeel.data.sources.synonyms import SYNONYMS, column_of, columns_of, known_words, plain

BOX = str.maketrans("\u2502\u2503\u2551\u2506", "||||")
"""Vertical lines of table frames, as `|`."""

_RUNS = re.compile(r"\S+(?: \S+)*")
_WORDS = re.compile(r"\S+")


_UNREAD = ("lead", "cluster", "metadata", "error")


@dataclass
class Header:
    """A header. `columns`: the index of each column's cell. `starts`, `ends`: the cells' positions
    in the line, for padded tables.

    `is_framed`: lines start with `|`. `guess`: cells that may be the commit, the end offset and the
    lag.
    """

    line: int
    cells: list[str]
    columns: dict[str, int]
    mark: str
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    is_framed: bool = False
    guess: dict[str, int] = field(default_factory=dict)

    def name(self, named_columns: Sequence[NamedColumns]) -> None:
        """Apply the column names that the user chose, and guess missing columns of numbers."""
        named = names_for(tuple(self.cells), named_columns)
        chosen = column_places(self.cells, named)
        self.columns |= {name: chosen[name] for name, _ in named.names if name in chosen}
        likely = {} if named.names else likely_places(self.cells, self.columns)
        self.guess = {name: place for name, place in likely.items() if name in _PROOF}

    def not_used(self) -> list[str]:
        """Return the header cells that have no column, except names that Evenkeel knows and
        ignores."""
        used = set(self.columns.values())
        rest = [cell for place, cell in enumerate(self.cells) if place not in used and cell]
        return [cell for cell in rest if plain(cell) not in _UNREAD]

    @property
    def kind(self) -> str:
        """The kind of the table: `offsets`, `members` or `other`."""
        has = self.columns.keys()
        if "partition" in has and has & {*OFFSETS, "listed_lag", "member_id", "client_id", "topic"}:
            return "offsets"
        if "assigned" in has and has & {"member_id", "client_id", "topic", "host"}:
            return "members"
        return "other"


_PROOF = ("committed_offset", "end_offset", "listed_lag")


def proven(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether guessed figures are right. At least two rows have commit, end and lag; in all
    such rows lag is end less commit; and at least one lag is above 0.
    """
    with suppress(NoNumber):
        figures = [[whole(row.get(name)) for name in _PROOF] for row in rows]
        lags = [
            (end - committed, lag)
            for committed, end, lag in figures
            if committed is not None and end is not None and lag is not None
        ]
        agree = all(counted == lag for counted, lag in lags)
        return agree and len(lags) > 1 and any(lag for _, lag in lags)
    return False


def header_in(line: str, number: int) -> Header | None:
    """Return the header in a line, cut by the separator that yields most known names; None if the
    line is not a header.
    """
    if len(line) > 100_000 or not re.search(r"(?i)part|pid|assign|#|lag", line):
        return None
    best: Header | None = None
    for mark in _marks(line):
        if best is not None and not best.mark.isspace() and mark.isspace():
            # Words of a framed cell, such as `Time Lag`, are not separate names.
            break
        cells, spans = _cut_header(line, mark)
        columns = columns_of(cells)
        starts, ends = [start for start, _ in spans], [end for _, end in spans]
        header = Header(number, cells, columns, mark, starts, ends, _begins_with_bar(line))
        is_better = best is None or len(columns) > len(best.columns)
        # `Time Lag` next to `LAG` is one name, not two.
        known_count = sum(column_of(cell) is not None for cell in cells)
        has_twice = mark == " " and best is not None and known_count > len(columns)
        if header.kind != "other" and is_better and not has_twice:
            best = header
    if best is None or any(cell.isdigit() for cell in best.cells):
        return None
    return best


def _marks(line: str) -> list[str]:
    marks = [mark for mark in "|\t;," if mark in line.translate(BOX)]
    return [*marks, "  ", " "]


def _cut_header(line: str, mark: str) -> tuple[list[str], list[tuple[int, int]]]:
    if mark == "  ":
        runs = list(_RUNS.finditer(line.rstrip()))
        return [run[0] for run in runs], [run.span() for run in runs]
    if line.lstrip().startswith("||"):
        line = line.replace("||", "|")
    if mark == " ":
        parts = re.split(r"\s{2,}", line.strip())
        cells = [cell for part in parts for cell in known_words(part.split())]
        spans, at = [], 0
        for cell in cells:
            first, last = cell.split(" ")[0], cell.split(" ")[-1]
            start = line.index(first, at)
            at = line.index(last, start) + len(last)
            spans.append((start, at))
        return cells, spans
    return _cut(line, mark, _begins_with_bar(line)), []


def _begins_with_bar(line: str) -> bool:
    return line.translate(BOX).lstrip().startswith("|")


def _cut(line: str, mark: str, is_framed: bool) -> list[str]:
    if mark == "|":
        text = line.translate(BOX)
        if is_framed:
            text = text.strip().removeprefix("|").removesuffix("|")
        return [cell.strip(" *`") for cell in text.split("|")]
    try:
        return [
            cell.strip()
            for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])
        ]
    except csv.Error:
        return []


def cells_of(line: str, header: Header) -> list[str] | None:
    """Return the cells of a row in the order of the header, None if the row cannot be cut
    unambiguously.
    """
    if header.mark not in ("  ", " "):
        cells = _cut(line, header.mark, header.is_framed)
        return cells if len(cells) == len(header.cells) else None
    # A tab is never part of a name.
    line = line.replace("\t", "  ")
    count = len(header.cells)
    runs = [(run[0], *run.span()) for run in _RUNS.finditer(line.rstrip())]
    if len(runs) == count + 1 and runs[0][0].isdigit() and runs[0][2] <= header.starts[0]:
        # The row's number, as printed by pandas.
        del runs[0]
    if header.mark == "  " and len(runs) == count:
        return [text for text, _, _ in runs]
    words = [(text[0], *text.span()) for text in _WORDS.finditer(line)]
    # If runs of blanks were collapsed to one blank, positions in the line are meaningless.
    is_collapsed = "  " not in line.strip()
    by_place = _by_place(runs, header, is_collapsed) or _by_place(words, header, is_collapsed)
    if len(words) == count and (header.mark == " " or by_place is None):
        return [text for text, _, _ in words]
    return by_place


def _by_place(
    pieces: Sequence[tuple[str, int, int]], header: Header, is_exact: bool
) -> list[str] | None:
    """Assign the pieces of a line to the columns above them. Return None if two pieces belong to
    the same column, or if a piece of several words reaches over several columns.

    If `is_exact`, or if a cell gets several pieces, each piece must start where its column starts
    or end where its column ends; otherwise return None.
    """
    spans = list(zip(header.starts, header.ends, strict=True))
    cells = [""] * len(spans)
    last, stop, are_exact = -1, 0, True
    for text, start, end in pieces:
        exact = [place for place, span in enumerate(spans) if start == span[0] or end == span[1]]
        overlap = [min(end, span[1]) - max(start, span[0]) for span in spans]
        if " " in text and sum(width > 0 for width in overlap[:-1]) > 1:
            return None
        if not exact and start == stop + 1 and _is_inside(start, last, spans):
            cells[last], stop, is_exact = f"{cells[last]} {text}", end, True
            continue
        are_exact &= bool(exact)
        place = exact[0] if exact else max(range(len(overlap)), key=overlap.__getitem__)
        if place <= last:
            return None
        cells[place], last, stop = text, place, end
    return cells if are_exact or not is_exact else None


def _is_inside(start: int, place: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether `start` is before the start of the column after `place`."""
    return place >= 0 and (place + 1 == len(spans) or start < spans[place + 1][0])


_UNKNOWN_CELL = re.compile(r"\s*\|\s*|\s{2,}")
_RULE = re.compile("[-=+|: \u2500-\u257f]*")


def separated(data: bytes) -> bytes:
    """Put tabs between the cells of a printed table with an unknown header, so that a person can
    name its columns. Every other text is returned unchanged.
    """
    start = data.lstrip()[:4096].partition(b"\n")[0].translate(None, b"\r")
    if b"|" not in start and b"  " not in start and not start.startswith(_FRAME):
        return data
    lines = data.decode("utf-8", "replace").translate(BOX).split("\n")
    rows = [[] if _RULE.fullmatch(line) else _unknown_cells(line) for line in lines]
    filled = [row for row in rows if row]
    is_header = filled and len(filled[0]) > 2 and not any(map(str.isdigit, "".join(filled[0])))
    if not is_header or len(filled) < 2 or {*map(len, filled)} != {len(filled[0])}:
        return data
    header = next(line for line, row in zip(lines, rows, strict=True) if row)
    known = columns_of(filled[0])
    if header_in(header, 0) is not None or "partition" in known and "topic" in known:
        return data
    return "\n".join("\t".join(row) for row in rows).encode()


_FRAME = (b"+-", "\u250c".encode(), "\u2554".encode(), "\u250f".encode(), "\u256d".encode())


def _unknown_cells(line: str) -> list[str]:
    text = line.strip().removeprefix("|").removesuffix("|").strip()
    return _UNKNOWN_CELL.split(text)


def unwrapped(lines: Sequence[str]) -> list[str]:
    """Join the rows of a table that a terminal wrapped. A row is put on the first of its lines, and
    its other lines become blank. From the first incomplete row on, lines do not change.
    """
    whole_lines, wrapped = list(lines), _wrapped_header(lines)
    if wrapped is None:
        return whole_lines
    filled, count = wrapped
    rows = [filled[at : at + count] for at in range(0, len(filled) - count + 1, count)]
    widths = [max(len(lines[row[piece]]) for row in rows) for piece in range(count - 1)]
    header: Header | None = None
    for row in rows:
        pieces = [lines[at].ljust(width) for at, width in zip(row, widths, strict=False)]
        text = "".join([*pieces, lines[row[-1]]])
        header = header or header_in(text, row[0])
        cells = header and cells_of(text, header)
        if not cells:
            break
        if row is not rows[0] and any(" " in cell for cell in cells):
            # An extra word in a piece would become part of a name.
            continue
        whole_lines[row[0]] = text
        for at in row[1:]:
            whole_lines[at] = ""
    stop = rows[-1][-1] + 1
    return whole_lines[:stop] + unwrapped(whole_lines[stop:])


def _wrapped_header(lines: Sequence[str]) -> tuple[list[int], int] | None:
    """Return the numbers of all lines with text from a wrapped header to the next prompt or
    message, and how many of these lines are the header.
    """
    for start, line in enumerate(lines):
        if header_in(line, start) is None:
            continue
        noise = (place for place in range(start, len(lines)) if is_noise(lines[place]))
        stop = next(noise, len(lines))
        filled = [place for place in range(start, stop) if lines[place].strip()]
        count = 1
        while count < len(filled) and _goes_on(lines[filled[count]]):
            count += 1
        return (filled, count) if count > 1 else None
    return None


def _goes_on(line: str) -> bool:
    columns = [column_of(word) for word in known_words(line.split())]
    # `STATE` alone is about a group.
    is_of_rows = not SYNONYMS.keys().isdisjoint(columns)
    return is_of_rows and None not in columns and header_in(line, 0) is None
