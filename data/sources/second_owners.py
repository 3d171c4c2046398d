"""Partitions that a listing prints with two owners. The two owners become members, as in a listing
of members.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.arrow import SECOND_OWNER, integers, names
from evenkeel.data.group.tables.parsed import ParsedTables, rows_table
from evenkeel.data.group.tables.repeats import first_rows, row_keys

_FIGURES = ("committed_offset", "end_offset", "begin_offset", "listed_lag")
_OF_MEMBER = ("taken_at", "cluster", "group_id", "source_file", "member_id")
_ABOUT = ("client_id", "host", "instance_id", "source_line")


def with_second_owners(parsed: ParsedTables) -> ParsedTables:
    """If the second row of a partition differs from the first row only in its owner, remove the
    second row from OFFSETS. Add its owner with all its partitions as a row of MEMBERS instead.
    """
    offsets = parsed.offsets
    first = first_rows(offsets, "OFFSETS", row_keys(offsets, "OFFSETS"))
    member = names(offsets["member_id"]).code
    figures = np.column_stack([integers(offsets[column]) for column in _FIGURES])
    is_second = (np.minimum(member, member[first]) >= 0) & (member != member[first])
    is_second &= (figures == figures[first]).all(axis=1)
    if not is_second.any():
        return parsed
    of_members = offsets.filter(pa.array(np.isin(member, member[is_second])))
    owned: dict[tuple, dict[str, list[int]]] = {}
    for row in of_members.to_pylist():
        owned.setdefault(_key(row), {}).setdefault(row["topic"], []).append(row["partition"])
    seconds = offsets.filter(pa.array(is_second)).to_pylist()
    # Each line remains a row; a member's first row contains its partitions.
    members = [
        {column: row[column] for column in (*_OF_MEMBER, *_ABOUT)}
        | _first_or_again(owned.pop(_key(row), None))
        for row in seconds
    ]
    return replace(
        parsed,
        offsets=offsets.filter(pa.array(~is_second)),
        members=pa.concat_tables([parsed.members, rows_table(members, schemas.MEMBERS, {})]),
    )


def _key(row: dict[str, Any]) -> tuple:
    return tuple(row[column] for column in _OF_MEMBER)


def _first_or_again(owned: dict[str, list[int]] | None) -> dict[str, Any]:
    if owned is None:
        # A separate format, because rows of one format must be null in the same columns.
        return {"source_format": f"{SECOND_OWNER} again", "owned": None}
    held = [{"topic": topic, "partitions": numbers} for topic, numbers in owned.items()]
    return {"source_format": SECOND_OWNER, "owned": held}
