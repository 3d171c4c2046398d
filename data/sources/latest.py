"""Several readings in one paste without times: the last one counts, and lines of earlier ones
become notes.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.arrow import integers, names
from evenkeel.data.group.tables.parsed import HEADER, Parsed, columns_table

EARLIER = "an earlier reading of the same partitions"
"""The kind of such a note."""

_FACTS = ("committed_offset", "end_offset", "listed_lag")


def latest_reading(parsed: Parsed, text_of: Callable[[str, int], str | None]) -> Parsed:
    """Return one file's rows without those of earlier readings.

    A header whose lines repeat partitions with other offsets begins the next reading. Rows with
    times are kept: their times tell readings apart. `text_of`: text of a line.
    """
    headers = _header_lines(parsed)
    offsets = parsed.offsets
    if (
        headers.size < 2
        or offsets.num_rows < 2
        or offsets["taken_at"].null_count < offsets.num_rows
    ):
        return parsed
    group = names(offsets["group_id"]).code
    section = np.searchsorted(headers, integers(offsets["source_line"]))
    old = _earlier(offsets, group, section)
    if not old.any():
        return parsed
    sections = np.unique(np.column_stack((group, section))[old], axis=0)
    members = parsed.members
    their = np.column_stack(
        (_same_groups(offsets, members), np.searchsorted(headers, integers(members["source_line"])))
    )
    old_members = (their[:, None, :] == sections[None, :, :]).all(axis=2).any(axis=1)
    lines = np.concatenate(
        (integers(offsets["source_line"])[old], integers(members["source_line"])[old_members])
    )
    return replace(
        parsed,
        offsets=offsets.filter(~old),
        members=members.filter(~old_members),
        notes=pa.concat_tables(
            [parsed.notes, _notes(offsets["source_file"][0].as_py(), lines, text_of)]
        ),
        row_count=parsed.row_count - lines.size,
        note_count=parsed.note_count + lines.size,
    )


def _header_lines(parsed: Parsed) -> np.ndarray:
    is_header = pc.starts_with(parsed.notes["reason"], HEADER)
    return np.sort(integers(parsed.notes.filter(is_header)["source_line"]))


def _earlier(offsets: pa.Table, group: np.ndarray, section: np.ndarray) -> np.ndarray:
    """Tell which rows are of a reading that a later one replaces, bool."""
    columns = (group, names(offsets["topic"]).code, integers(offsets["partition"]))
    _, key = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    order = np.lexsort((section, key.ravel()))
    same = key.ravel()[order][1:] == key.ravel()[order][:-1]
    is_later = same & (section[order][1:] > section[order][:-1])
    facts = np.column_stack([integers(offsets[column]) for column in _FACTS])[order]
    differs = is_later & (facts[1:] != facts[:-1]).any(axis=1)
    old = np.zeros(offsets.num_rows, dtype=bool)
    for code in np.unique(group[order][1:][differs]).tolist():
        inside = group == code
        old[inside] = section[inside] < _last_start(section[inside], key.ravel()[inside])
    return old


def _last_start(section: np.ndarray, key: np.ndarray) -> int:
    """Return the section in which the last reading begins: the first that repeats a partition
    begins the next one.
    """
    start, seen = 0, set()
    for number in np.unique(section).tolist():
        keys = set(key[section == number].tolist())
        if keys & seen:
            start, seen = number, set()
        seen |= keys
    return start


def _same_groups(offsets: pa.Table, members: pa.Table) -> np.ndarray:
    """Return the code that each member's group has in OFFSETS, -1 without a name, -2 if it is not
    there.
    """
    code = {name: number for number, name in enumerate(names(offsets["group_id"]).name)}
    its = names(members["group_id"])
    return np.array([*(code.get(name, -2) for name in its.name), -1], dtype=np.int64)[its.code]


def _notes(file: str, lines: np.ndarray, text_of: Callable[[str, int], str | None]) -> pa.Table:
    columns = {
        "source_file": [file] * lines.size,
        "source_line": lines.tolist(),
        "text": [text_of(file, line) for line in lines.tolist()],
        "reason": [EARLIER] * lines.size,
    }
    return columns_table(columns, lines.size, schemas.NOTES, {})
