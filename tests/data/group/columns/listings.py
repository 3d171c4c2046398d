"""Rows of listings as tables, and the group that they are."""

import pyarrow as pa

from evenkeel.data.group.columns import observed_from_tables
from evenkeel.data.group.tables import schemas


def offsets(*rows: dict) -> pa.Table:
    """Rows of OFFSETS: group g of the file x.txt in a listing unless they say otherwise, each on
    its own line.
    """
    given = {"group_id": "g", "source_file": "x.txt", "source_format": "describe"}
    return pa.Table.from_pylist(
        [given | {"source_line": line} | row for line, row in enumerate(rows, 2)], schemas.OFFSETS
    )


def tp(topic: str, partition: int, member: str | None = None, **more) -> dict:
    return {"topic": topic, "partition": partition, "member_id": member, **more}


def members(*rows: dict) -> pa.Table:
    given = {"group_id": "g", "source_file": "m.txt", "source_format": "members"}
    return pa.Table.from_pylist(
        [given | {"source_line": line} | row for line, row in enumerate(rows, 2)], schemas.MEMBERS
    )


def topics(*rows: dict) -> pa.Table:
    return pa.Table.from_pylist(
        [{"source_file": "t.txt", "source_format": "topics"} | row for row in rows], schemas.TOPICS
    )


def observed(offset_rows=(), member_rows=(), topic_rows=(), group_id="g"):
    return observed_from_tables(
        offsets(*offset_rows), members(*member_rows), topics(*topic_rows), group_id
    )
