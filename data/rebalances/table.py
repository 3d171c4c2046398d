"""Rebalances as rows of REBALANCES, and back: what an ingest stores and what pages and programs
read.

table = table_of(events, "production")
events_of(table) == events
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa

from evenkeel.data.group.tables.schemas import REBALANCES
from evenkeel.data.rebalances.event import Evidence, Member, Rebalance, Trigger, in_order

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIMES = ("start", "joined", "assigned", "stable")
_PLAIN = (
    *(
        "protocol",
        "generation_before",
        "generation",
        "completed",
        "cause",
        "members",
        "static_members",
        "leader",
        "assignor",
        "partitions",
    ),
    *(
        "follow_up_of",
        "conversion",
        "chain",
        "coordinator",
        "rebalance_timeout_ms",
        "session_timeout_ms",
        "source",
        "zone_assumed",
    ),
)


def table_of(events: Iterable[Rebalance], cluster: str | None = None) -> pa.Table:
    """Return one row for each rebalance, in the order given."""
    return pa.Table.from_pylist([_row(one, cluster) for one in events], schema=REBALANCES)


def events_of(table: pa.Table) -> list[Rebalance]:
    """Return the rebalances of the rows, in order of time."""
    return in_order(_event(row) for row in table.to_pylist())


def _row(one: Rebalance, cluster: str | None) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(one, name) for name in _PLAIN} | {
        name: _time(getattr(one, name)) for name in _TIMES
    }
    slowest = one.slowest and {**one.slowest[0]._asdict(), "waited_ms": one.slowest[1]}
    return row | {
        "cluster": cluster,
        "group_id": one.group,
        "end_is": one.end_is,
        "duration_ms": one.duration_ms,
        "alternatives": list(one.alternatives),
        "triggers": [_trigger_row(trigger) for trigger in one.triggers],
        "members_joined": [member._asdict() for member in one.members_joined],
        "members_left": [member._asdict() for member in one.members_left],
        "slowest": slowest or None,
        "moved": None
        if one.moved is None
        else [
            dict(zip(("partition", "from_member", "to_member"), move, strict=True))
            for move in one.moved
        ],
        "owned": None
        if one.owned is None
        else [{"partition": name, "member": owner} for name, owner in one.owned.items()],
        "paused": one.paused,
        "evidence": [
            {"place": shown.place, "at": _time(shown.at), "text": shown.text}
            for shown in one.evidence
        ],
    }


def _trigger_row(one: Trigger) -> dict[str, Any]:
    member = one.member._asdict() if one.member else {}
    return {
        "cause": one.cause,
        "alternatives": list(one.alternatives),
        "reason": one.reason,
        "at": _time(one.at),
        "evidence": one.evidence,
        **member,
    }


def _event(row: Mapping[str, Any]) -> Rebalance:
    one = Rebalance(row["group_id"], row["protocol"], row["generation"])
    for name in _PLAIN:
        setattr(one, name, row[name])
    for name in _TIMES:
        setattr(one, name, _millis(row[name]))
    one.alternatives = tuple(row["alternatives"] or ())
    one.triggers = [_trigger(each) for each in row["triggers"] or ()]
    one.members_joined = [_member(each) for each in row["members_joined"] or ()]
    one.members_left = [_member(each) for each in row["members_left"] or ()]
    slowest = row["slowest"]
    one.slowest = (_member(slowest), slowest["waited_ms"]) if slowest else None
    moved, owned = row["moved"], row["owned"]
    one.moved = (
        None
        if moved is None
        else [(each["partition"], each["from_member"], each["to_member"]) for each in moved]
    )
    one.owned = None if owned is None else {each["partition"]: each["member"] for each in owned}
    one.evidence = [
        Evidence(each["place"], _millis(each["at"]) or 0, each["text"] or "")
        for each in row["evidence"] or ()
    ]
    return one


def _trigger(row: Mapping[str, Any]) -> Trigger:
    member = _member(row) if row["member_id"] is not None else None
    return Trigger(
        row["cause"],
        _millis(row["at"]),
        row["evidence"],
        member,
        tuple(row["alternatives"] or ()),
        row["reason"],
    )


def _member(row: Mapping[str, Any]) -> Member:
    return Member(row["member_id"], row["client_id"], row["instance_id"])


def _time(at: int | None) -> datetime | None:
    return None if at is None else _EPOCH + timedelta(milliseconds=at)


def _millis(moment: datetime | None) -> int | None:
    return None if moment is None else round((moment - _EPOCH) / timedelta(milliseconds=1))


# One more reading of the same: nothing comes twice.


def united(before: Sequence[Rebalance], now: Sequence[Rebalance]) -> list[Rebalance]:
    """Return the rebalances of two readings, each once: the same group and generation at the same
    time; the one that tells more stays.
    """
    kept: dict[tuple[str, str, int], list[Rebalance]] = {}
    for one in (*before, *now):
        same = kept.setdefault((one.group, one.protocol, one.generation), [])
        place = next((place for place, other in enumerate(same) if _is_same(other, one)), None)
        if place is None:
            same.append(one)
        elif _told(one) > _told(same[place]):
            same[place] = one
    return in_order(one for same in kept.values() for one in same)


def _is_same(one: Rebalance, other: Rebalance) -> bool:
    """A group that was deleted begins again with the same numbers."""
    begins = [(one.start, other.start), (one.joined, other.joined), (one.assigned, other.assigned)]
    known = [
        abs(first - second) for first, second in begins if first is not None and second is not None
    ]
    return not known or min(known) <= 60_000


def _told(one: Rebalance) -> tuple:
    known = sum(
        value is not None
        for value in (one.start, one.joined, one.assigned, one.stable, one.moved, one.members)
    )
    return one.cause != "unknown", known, one.source == "both", len(one.evidence)
