"""Rebalances as rows of REBALANCES, and back: stored by an ingest, read by pages and programs.

table = table_of(events, "production")
events_of(table) == events
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa

from evenkeel.data.group.tables.schemas import REBALANCES
from evenkeel.data.rebalances.event import (
    UNNUMBERED,
    Evidence,
    Member,
    Rebalance,
    Trigger,
    renumbered,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIMES = ("start", "joined", "assigned", "stable")
_PLAIN = (
    *(
        "protocol",
        "generation_before",
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
    return pa.Table.from_pylist([_row(event, cluster) for event in events], schema=REBALANCES)


def events_of(table: pa.Table) -> list[Rebalance]:
    """Return the rebalances of the rows, in order of time; those without a generation are counted
    in each group.
    """
    return renumbered(_event(row) for row in table.to_pylist())


def _row(event: Rebalance, cluster: str | None) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(event, name) for name in _PLAIN} | {
        name: _time(getattr(event, name)) for name in _TIMES
    }
    slowest = event.slowest and {**event.slowest[0]._asdict(), "waited_ms": event.slowest[1]}
    return row | {
        "cluster": cluster,
        "group_id": event.group,
        "generation": event.number,
        "end_is": event.end_is,
        "duration_ms": event.duration_ms,
        "alternatives": list(event.alternatives),
        "triggers": [_trigger_row(trigger) for trigger in event.triggers],
        "members_joined": [member._asdict() for member in event.members_joined],
        "members_left": [member._asdict() for member in event.members_left],
        "slowest": slowest or None,
        "moved": None
        if event.moved is None
        else [
            dict(zip(("partition", "from_member", "to_member"), move, strict=True))
            for move in event.moved
        ],
        "owned": None
        if event.owned is None
        else [{"partition": name, "member": owner} for name, owner in event.owned.items()],
        "paused": event.paused,
        "evidence": [
            {"place": shown.place, "at": _time(shown.at), "text": shown.text}
            for shown in event.evidence
        ],
    }


def _trigger_row(trigger: Trigger) -> dict[str, Any]:
    member = trigger.member._asdict() if trigger.member else {}
    return {
        "cause": trigger.cause,
        "alternatives": list(trigger.alternatives),
        "reason": trigger.reason,
        "at": _time(trigger.at),
        "evidence": trigger.evidence,
        **member,
    }


def _event(row: Mapping[str, Any]) -> Rebalance:
    number = row["generation"]
    generation = UNNUMBERED if number is None else number
    event = Rebalance(row["group_id"], row["protocol"], generation)
    for name in _PLAIN:
        setattr(event, name, row[name])
    for name in _TIMES:
        setattr(event, name, _millis(row[name]))
    event.alternatives = tuple(row["alternatives"] or ())
    event.triggers = [_trigger(each) for each in row["triggers"] or ()]
    event.members_joined = [_member(each) for each in row["members_joined"] or ()]
    event.members_left = [_member(each) for each in row["members_left"] or ()]
    slowest = row["slowest"]
    event.slowest = (_member(slowest), slowest["waited_ms"]) if slowest else None
    moved, owned = row["moved"], row["owned"]
    event.moved = (
        None
        if moved is None
        else [(each["partition"], each["from_member"], each["to_member"]) for each in moved]
    )
    event.owned = None if owned is None else {each["partition"]: each["member"] for each in owned}
    event.evidence = [
        Evidence(each["place"], _millis(each["at"]) or 0, each["text"] or "")
        for each in row["evidence"] or ()
    ]
    return event


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
    """Return the rebalances of two readings, each once: of two with the same group, generation and
    time, the rebalance with more fields stays. Those without a generation have their time alone.
    """
    by_key: dict[tuple, list[Rebalance]] = {}
    for event in (*before, *now):
        keys = _keys_of(event)
        other = next(
            (
                (key, place)
                for key in keys
                for place, known in enumerate(by_key.get(key, ()))
                if _is_same(known, event)
            ),
            None,
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
    """Return under what a rebalance is, and under what the same one may be: its generation, or the
    second where it has none.
    """
    if event.number is not None:
        return [(event.group, event.protocol, event.number)]
    at = event.joined if event.joined is not None else event.time
    second = None if at is None else at // _TOGETHER_MS
    near = [second] if second is None else [second, second - 1, second + 1]
    return [(event.group, event.protocol, None, each) for each in near]


def _is_same(event: Rebalance, other: Rebalance) -> bool:
    """A group that was deleted begins again with the same numbers; without numbers only rounds
    that were joined together are the same.
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
