"""Facts that only a whole file shows: which of several readings without times is the latest, and
the group id in messages or commands next to a listing.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.group.document import FORMAT as GROUP_FORMAT
from evenkeel.data.group.document import STREAMS_FORMAT
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.arrow import integers, names
from evenkeel.data.group.tables.parsed import HEADER, MESSAGE, ParsedTables, columns_table
from evenkeel.data.group.tables.repeats import row_keys
from evenkeel.data.sources import keyed
from evenkeel.data.sources.clean import group_in
from evenkeel.data.sources.console.exact.cells import is_cut_row
from evenkeel.data.sources.second_owners import with_second_owners

EARLIER = "an earlier reading of the same partitions"
"""The kind of notes about rows of earlier readings."""

READING_BYTES = 32 << 20
"""Earlier readings are searched only in files up to this size, because an ingest task reads such a
file whole.
"""

_FACTS = ("committed_offset", "end_offset", "listed_lag")
_LINE_BITS = 40


def of_one_file(parsed: ParsedTables, text_of: Callable[[str, int], str | None]) -> ParsedTables:
    """Complete the tables of a whole file. Rows without a group get the group id in the file's
    messages or commands. Rows of earlier readings are removed. Prose around tables becomes notes.
    """
    named = _named(without_prose(parsed))
    keys = np.sort(row_keys(named.offsets, "OFFSETS"))
    has_repeats = (keys[1:] == keys[:-1]).any()
    # Rows without a time may repeat rows with a time.
    is_partly_timed = 0 < named.offsets["taken_at"].null_count < named.offsets.num_rows
    if not (has_repeats or is_partly_timed):
        return named
    return with_second_owners(latest_reading(named, text_of))


_OF_JSON = (keyed.FORMAT, GROUP_FORMAT, STREAMS_FORMAT)
_WORD = re.compile(r"[A-Za-z0-9._-]+")
_CELL = re.compile(r"[^\s|,;]+")


def without_prose(parsed: ParsedTables) -> ParsedTables:
    """Turn rejected lines into notes if they are outside of tables and do not look like a row.

    A table reaches from its header to its last row. A line looks like a row if it has a number and
    the name of a known topic; or at least two numbers and as many cells as the header above.
    """
    if not parsed.rejected.num_rows or not parsed.offsets.num_rows + parsed.members.num_rows:
        return parsed
    files: dict[str, int] = {}
    headers = parsed.notes.filter(pc.starts_with(parsed.notes["reason"], HEADER))
    header_lines = _lines(headers, files)
    order = np.argsort(header_lines)
    header_lines = header_lines[order]
    # A line above all headers is compared with the last header.
    starts = [_starts(text) for text in headers["text"].take(order).to_pylist()] or [()]
    rows = np.sort(
        np.concatenate([_lines(table, files) for table in (parsed.offsets, parsed.members)])
    )
    rejected = _lines(parsed.rejected, files)
    above = np.searchsorted(header_lines, rejected)
    bounds = np.append(header_lines, np.iinfo(np.int64).max)
    last_row = np.append(np.int64(-1), rows)[np.searchsorted(rows, bounds[above])]
    begin = np.append(np.int64(-1), header_lines)[above]
    is_outside = (last_row < rejected) | (begin >> _LINE_BITS != rejected >> _LINE_BITS)
    topics = set(parsed.offsets["topic"].unique().to_pylist())
    texts = parsed.rejected["text"].to_pylist()
    headed = [(text or "", starts[at]) for text, at in zip(texts, above - 1, strict=True)]
    like = [_is_like_a_row(*pair, topics) or is_cut_row(*pair) for pair in headed]
    is_prose = is_outside & ~np.array(like)
    is_prose &= np.isin(rejected >> _LINE_BITS, header_lines >> _LINE_BITS)
    formats = parsed.rejected["source_format"].to_pylist()
    is_prose &= np.array([format not in _OF_JSON for format in formats])
    if not is_prose.any():
        return parsed
    prose = parsed.rejected.filter(pa.array(is_prose))
    reason = pa.repeat(pa.scalar(MESSAGE), prose.num_rows)
    place = prose.schema.get_field_index("reason")
    return replace(
        parsed,
        rejected=parsed.rejected.filter(pa.array(~is_prose)),
        notes=pa.concat_tables([parsed.notes, prose.set_column(place, "reason", reason)]),
        note_count=parsed.note_count + prose.num_rows,
    )


def _is_like_a_row(text: str, starts: Sequence[int], topics: set[str]) -> bool:
    words = _WORD.findall(text)
    numbers = sum(word.isdigit() for word in words)
    is_as_long = numbers > 1 and len(_CELL.findall(text)) == len(starts)
    return is_as_long or (numbers > 0 and not topics.isdisjoint(words))


def _starts(header: str | None) -> tuple[int, ...]:
    return tuple(cell.start() for cell in _CELL.finditer(header or ""))


def _named(parsed: ParsedTables) -> ParsedTables:
    """Set the group of rows without a group, if the notes of their file name only one group."""
    if not parsed.offsets.num_rows or not parsed.offsets["group_id"].null_count:
        return parsed
    groups: dict[str, set[str]] = {}
    for note in parsed.notes.select(["source_file", "text"]).to_pylist():
        if (group_id := group_in(note["text"] or "")) is not None:
            groups.setdefault(note["source_file"], set()).add(group_id)
    only = {file: names.pop() for file, names in groups.items() if len(names) == 1}
    if not only:
        return parsed
    files, group_ids = (pa.array(list(some), pa.string()) for some in (only, only.values()))
    tables = {}
    for name in ("offsets", "members"):
        table = getattr(parsed, name)
        group_of_row = group_ids.take(
            pc.index_in(table["source_file"], value_set=files).combine_chunks()
        )
        place = table.schema.get_field_index("group_id")
        column = pc.coalesce(table["group_id"].cast(pa.string()), group_of_row)
        tables[name] = table.set_column(place, table.schema.field("group_id"), column)
    return replace(parsed, **tables)


def latest_reading(parsed: ParsedTables, text_of: Callable[[str, int], str | None]) -> ParsedTables:
    """Return the tables without rows of earlier readings.

    A new reading starts at a header if the rows below it repeat partitions with other offsets or
    owners. Rows with a time always remain, because their times distinguish readings. `text_of`
    returns the text of a line.
    """
    offsets, members = parsed.offsets, parsed.members
    headers = parsed.notes.filter(pc.starts_with(parsed.notes["reason"], HEADER))
    if not headers.num_rows:
        return parsed
    files: dict[str, int] = {}
    headers = np.sort(_lines(headers, files))
    lines = _lines(offsets, files)
    section = np.searchsorted(headers, lines, side="right")
    groups = _Groups(files)
    group = groups.of(offsets)
    old = _earlier(offsets, group, section) & offsets["taken_at"].is_null().to_numpy()
    if not old.any():
        return parsed
    sections = np.unique(np.column_stack((group, section))[old], axis=0)
    member_lines = _lines(members, files)
    their = np.column_stack(
        (groups.of(members), np.searchsorted(headers, member_lines, side="right"))
    )
    old_members = (their[:, None, :] == sections[None, :, :]).all(axis=2).any(axis=1)
    old_lines = np.concatenate((lines[old], member_lines[old_members]))
    return replace(
        parsed,
        offsets=offsets.filter(~old),
        earlier=pa.concat_tables([parsed.earlier, offsets.filter(old)]),
        members=members.filter(~old_members),
        notes=pa.concat_tables([parsed.notes, _notes(old_lines, list(files), text_of)]),
        row_count=parsed.row_count - old_lines.size,
        note_count=parsed.note_count + old_lines.size,
    )


def _lines(table: pa.Table, files: dict[str, int]) -> np.ndarray:
    """Return a number for each row, by its file and line. New files are added to `files`."""
    file = names(table["source_file"])
    number = np.array([files.setdefault(name, len(files)) for name in file.name], dtype=np.int64)
    return (number[file.code] << _LINE_BITS) + integers(table["source_line"])


class _Groups:
    """Gives a code to each group of each file. A group has the same code in all tables."""

    def __init__(self, files: dict[str, int]):
        self._files = files
        self._codes: dict[tuple[int, str | None], int] = {}

    def of(self, table: pa.Table) -> np.ndarray:
        """Return the code of each row's group."""
        group = names(table["group_id"])
        file = _lines(table, self._files) >> _LINE_BITS
        pairs, place = np.unique(np.column_stack((file, group.code)), axis=0, return_inverse=True)
        group_names = [*group.name, None]
        codes = [
            self._codes.setdefault((number, group_names[code]), len(self._codes))
            for number, code in pairs.tolist()
        ]
        return np.array(codes, dtype=np.int64)[place.ravel()]


def _earlier(offsets: pa.Table, group: np.ndarray, section: np.ndarray) -> np.ndarray:
    """Return for each row whether it belongs to an earlier reading that a later reading replaces,
    bool."""
    columns = (group, names(offsets["topic"]).code, integers(offsets["partition"]))
    _, key = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    order = np.lexsort((section, key.ravel()))
    same = key.ravel()[order][1:] == key.ravel()[order][:-1]
    is_later = same & (section[order][1:] > section[order][:-1])
    facts = np.column_stack([integers(offsets[column]) for column in _FACTS])[order]
    owner = names(offsets["member_id"]).code[order]
    is_moved = (owner[1:] != owner[:-1]) & (np.minimum(owner[1:], owner[:-1]) >= 0)
    differs = is_later & ((facts[1:] != facts[:-1]).any(axis=1) | is_moved)
    old = np.zeros(offsets.num_rows, dtype=bool)
    for code in np.unique(group[order][1:][differs]).tolist():
        inside = group == code
        old[inside] = section[inside] < _last_start(section[inside], key.ravel()[inside])
    return old


def _last_start(section: np.ndarray, key: np.ndarray) -> int:
    """Return the number of the section with the start of the last reading. A new reading starts at
    each section that repeats a partition of the reading before.
    """
    start, seen = 0, set()
    for number in np.unique(section).tolist():
        keys = set(key[section == number].tolist())
        if keys & seen:
            start, seen = number, set()
        seen |= keys
    return start


def _notes(
    lines: np.ndarray, files: list[str], text_of: Callable[[str, int], str | None]
) -> pa.Table:
    places = [(files[line >> _LINE_BITS], line & (1 << _LINE_BITS) - 1) for line in lines.tolist()]
    columns = {
        "source_file": [file for file, _ in places],
        "source_line": [line for _, line in places],
        "text": [text_of(file, line) for file, line in places],
        "reason": [EARLIER] * lines.size,
    }
    return columns_table(columns, lines.size, schemas.NOTES, {})
