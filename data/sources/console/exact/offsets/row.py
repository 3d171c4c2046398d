"""Rows of an offsets listing: cells become a partition's row, or the row of a member that owns nothing."""

from typing import NamedTuple

from evenkeel.data.sources.console.headers.header import Layout
from evenkeel.data.sources.parsing import numbers
from evenkeel.data.sources.parsing.numbers import INT32, INT64, Unreadable
from evenkeel.data.sources.parsing.pasted import MISSING, printed_or_none, unquoted


class OffsetRow(NamedTuple):
    """One row of OFFSETS: the columns that a listing has."""

    group_id: str | None
    topic: str
    partition: int
    committed_offset: int | None
    end_offset: int | None
    listed_lag: int | None
    leader_epoch: int | None
    member_id: str | None
    client_id: str | None
    host: str | None
    group_type: str | None = None


def owner_parts(owner: str) -> tuple[str | None, str | None]:
    """Return client id and host of an OWNER such as `client-6_/192.168.1.13`, None twice where it is written in another way."""
    client_id, mark, host = owner.rpartition("_/")
    return (client_id, f"/{host}") if mark and client_id and host else (None, None)


def row_of(cells: list[str], layout: Layout, group_id: str | None) -> OffsetRow | dict:
    """Return the row that cells make: of OFFSETS, or of MEMBERS for a member that owns nothing.

    Raises
    ------
    Unreadable
        When a number is none, or LAG contradicts the offsets.
    """
    cell = dict(zip(layout.columns, map(unquoted, cells)))
    owner = _owner(cell)
    group_id = cell.get("group_id", group_id)
    if cell["topic"] in MISSING and cell["partition"] in MISSING:
        return _idle(group_id, owner, layout)
    name = dict(zip(layout.columns, layout.words))
    partition = numbers.partition_number(cell["partition"], name["partition"])
    committed, end = (numbers.offset(cell[column], name[column]) for column in ("committed_offset", "end_offset"))
    # Kafka prints a negative LAG where the commit lies beyond the end.
    lag = numbers.whole_or_none(cell["listed_lag"], name["listed_lag"], -INT64 - 1, INT64)
    # This sum also tells the right cut of a line from those that shift a column.
    if None not in (committed, end, lag) and lag != end - committed:
        raise Unreadable(f"{name['listed_lag']} is {lag}, expected {name['end_offset']} - {name['committed_offset']} = {end - committed}")
    epoch = numbers.whole_or_none(cell.get("leader_epoch", "-"), "LEADER-EPOCH", -1, INT32)
    return OffsetRow(
        _named(group_id, "GROUP"), _named(cell["topic"], "TOPIC"), partition, committed, end, lag, None if epoch == -1 else epoch, **owner
    )


def _owner(cell: dict[str, str]) -> dict[str, str | None]:
    if "owner" in cell:
        member_id = None if cell["owner"] in MISSING else cell["owner"] or None
        client_id, host = owner_parts(member_id or "")
        return {"member_id": member_id, "client_id": client_id, "host": host}
    return {column: printed_or_none(cell.get(column, "-")) for column in ("member_id", "client_id", "host")}


def _idle(group_id: str | None, owner: dict, layout: Layout) -> dict:
    if owner["member_id"] is None:
        raise Unreadable(f"no topic and no member, expected {', '.join(layout.words[:3])} or a member")
    return {"group_id": group_id, **owner, "owned": [], "partition_count": 0}


def _named(text: str | None, name: str) -> str | None:
    if text == "":
        raise Unreadable(f"{name} is empty, expected a name")
    return text
