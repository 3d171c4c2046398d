"""Rebalances as rows of the table REBALANCES, and rows as rebalances.

table = table_of(events, "production")
events_of(table) == events
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from evenkeel.data.group.tables.history_schemas import REBALANCES
from evenkeel.data.rebalances.event import (
    Rebalance,
    event_of,
    millis_of,
    moment_of,
    renumbered,
    row_of,
)

_MOVE = ("partition", "from_member", "to_member")


def table_of(events: Iterable[Rebalance], cluster: str | None = None) -> pa.Table:
    """Return the table: one row for each rebalance, in the order of `events`."""
    return pa.Table.from_pylist([_row(event, cluster) for event in events], schema=REBALANCES)


def events_of(table: pa.Table) -> list[Rebalance]:
    """Return the rebalances of the table, in order of time.

    Rebalances without a generation get numbers.
    """
    return renumbered(_event(row) for row in table.to_pylist())


def _row(event: Rebalance, cluster: str | None) -> dict[str, Any]:
    moved, owned = event.moved, event.owned
    return row_of(event, moment_of) | {
        "cluster": cluster,
        "group_id": event.group,
        "moved": None if moved is None else [dict(zip(_MOVE, move, strict=True)) for move in moved],
        "owned": None
        if owned is None
        else [{"partition": name, "member": owner} for name, owner in owned.items()],
    }


def _event(row: Mapping[str, Any]) -> Rebalance:
    moved, owned = row["moved"], row["owned"]
    changes = {
        "group": row["group_id"],
        "moved": None if moved is None else [[each[name] for name in _MOVE] for each in moved],
        "owned": None if owned is None else {each["partition"]: each["member"] for each in owned},
    }
    return event_of({**row, **changes}, millis_of)


# A second reading of the same input adds nothing.


def united(before: Sequence[Rebalance], now: Sequence[Rebalance]) -> list[Rebalance]:
    """Return the rebalances of two readings, each rebalance once.

    Two rebalances are the same if group, generation and time are equal; without a generation, if
    group and time are equal. The rebalance that has more known fields is returned.
    """
    by_key: dict[tuple, list[Rebalance]] = {}
    for event in (*before, *now):
        keys = _keys_of(event)
        others = ((key, place) for key in keys for place in range(len(by_key.get(key, ()))))
        other = next(
            ((key, place) for key, place in others if _is_same(by_key[key][place], event)), None
        )
        if other is not None:
            key, place = other
            if _told(event) <= _told(by_key[key][place]):
                continue
            del by_key[key][place]
        by_key.setdefault(keys[0], []).append(event)
    return renumbered(rebalance for same in by_key.values() for rebalance in same)


_TOGETHER_MS = 1_000


def _keys_of(event: Rebalance) -> list[tuple]:
    """Return the key of a rebalance, and other keys that the same rebalance may have.

    A key contains the generation, or, without a generation, the second in which the join phase
    ended.
    """
    if event.number is not None:
        return [(event.group, event.protocol, event.number)]
    at = event.joined if event.joined is not None else event.time
    second = None if at is None else at // _TOGETHER_MS
    near = [second] if second is None else [second, second - 1, second + 1]
    return [(event.group, event.protocol, None, each) for each in near]


def _is_same(event: Rebalance, other: Rebalance) -> bool:
    """Return whether two rebalances with the same key are also close in time.

    A group that was deleted and created again repeats its generation numbers.
    """
    begins = [
        (event.start, other.start),
        (event.joined, other.joined),
        (event.assigned, other.assigned),
    ]
    known = [
        abs(first - second) for first, second in begins if first is not None and second is not None
    ]
    return not known or min(known) <= (60_000 if event.number is not None else _TOGETHER_MS)


def _told(event: Rebalance) -> tuple:
    known = sum(
        value is not None
        for value in (
            event.start,
            event.joined,
            event.assigned,
            event.stable,
            event.moved,
            event.members,
        )
    )
    return event.cause != "unknown", known, event.source == "both", len(event.evidence)
