"""Partitions that a listing prints with two owners: both count, as if members were listed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.arrow import integers, names
from evenkeel.data.group.tables.parsed import Parsed, rows_table
from evenkeel.data.group.tables.repeats import first_rows, row_keys
from evenkeel.data.group.tables.schemas import SECOND_OWNER

_FIGURES = ("committed_offset", "end_offset", "begin_offset", "listed_lag")
_OF_MEMBER = ("taken_at", "cluster", "group_id", "source_file", "member_id")
_ABOUT = ("client_id", "host", "instance_id", "source_line")


def with_second_owners(parsed: Parsed) -> Parsed:
    """Return rows that repeat a partition with another owner and the same figures as members with
    all their partitions.
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
    # One for each line: each of them stays a row.
    members = [
        {column: row[column] for column in (*_OF_MEMBER, *_ABOUT)}
        | {"source_format": SECOND_OWNER, "owned": _listed(owned[_key(row)])}
        for row in seconds
    ]
    return replace(
        parsed,
        offsets=offsets.filter(pa.array(~is_second)),
        members=pa.concat_tables([parsed.members, rows_table(members, schemas.MEMBERS, {})]),
    )


def _key(row: dict[str, Any]) -> tuple:
    return tuple(row[column] for column in _OF_MEMBER)


def _listed(owned: dict[str, list[int]]) -> list[dict[str, Any]]:
    return [{"topic": topic, "partitions": numbers} for topic, numbers in owned.items()]
