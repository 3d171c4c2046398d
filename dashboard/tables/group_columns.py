"""The columns of the group table: source, sort order, and cells as plain values."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pyarrow as pa

from evenkeel.dashboard.tables.history_cells import drains, drawn_span, seconds, spark, verdict
from evenkeel.dashboard.words.names import shown_state
from evenkeel.data.document import Leader
from evenkeel.data.words.formats import UNKNOWN, WHERE_PARTIAL, at_least, count, exact, percent, signed
from evenkeel.data.words.leaders import meaning, named
from evenkeel.data.words.names import elided

Row = Mapping[str, Any]
"""One group: the columns of GROUPS or GROUP_LOAD, `lag_change` in records a minute, and `highest_lag` of all groups."""

_NAME_WIDTH = 30


class Column(NamedTuple):
    """A column of the table.

    `needs` is the column of the data without which it is not drawn; `order` are the columns of the data by which it sorts; `over` is the
    header above it and its neighbours. It has no place beside the column `without`. `label_of`: the label where it depends on the data.
    """

    key: str
    label: str
    help: str
    needs: str
    order: tuple[str, ...]
    cell: Callable[[Row], dict]
    over: str = ""
    highest_first: bool = True
    without: str = ""
    label_of: Callable[[pa.Table], str] | None = None


def _group(row: Row) -> dict:
    name = row["group_id"] or f"unnamed, {row['unnamed_in']}"
    is_calm = row["trouble"] == 0 if row["trouble"] is not None else row["lag"] == 0
    return {"text": elided(name, _NAME_WIDTH), "title": name, "tone": "" if is_calm else "strong"}


def _worst(row: Row) -> dict:
    """A problem replaces the partition: without it the row would look complete."""
    if row["problem"]:
        return {"text": row["problem"], "title": f"Cannot be seen: {row['problem']}", "tone": "worse"}
    if row["member_count"] == 0 and row["lag"]:
        return {"text": "no members", "title": f"No member reads; most lag: {row['worst_partition']}"}
    if row["worst_partition"] is None:
        return {"text": "", "tone": "quiet"}
    share = percent(row["max_lag"] / row["lag"]) if row["lag"] and is_whole(row) else ""
    title = f"{row['worst_partition']}: {exact(row['max_lag'])} of {exact(row['lag'])} records"
    return {"text": elided(row["worst_partition"], _NAME_WIDTH - 8), "note": share, "title": title}


def _bar(row: Row) -> dict:
    return {"bar": math.sqrt(row["lag"] / row["highest_lag"]) if row["lag"] and row["highest_lag"] else 0.0}


def _lag(row: Row) -> dict:
    return {"text": at_least(exact(row["lag"]), not is_whole(row)), "tone": "strong" if row["lag"] else "quiet"}


def _change(row: Row) -> dict:
    change = row["lag_change"]
    if not change:
        return {"text": UNKNOWN if change is None else "0", "tone": "quiet"}
    # Of a group that keeps up, the lag rises and falls.
    tone = "quiet" if row["trouble"] == 0 else "worse" if change > 0 else "better"
    return {"text": signed(change), "mark": "▲" if change > 0 else "▼", "tone": tone}


def _unknown(row: Row) -> dict:
    unknown, partitions = row["unknown_lag_count"], row["partition_count"]
    if not unknown:
        return {"text": UNKNOWN if unknown is None else "0", "tone": "quiet"}
    return {"text": percent(unknown / partitions), "title": f"{exact(unknown)} of {count(partitions, 'partition')}", "tone": "worse"}


def _state(row: Row) -> dict:
    if row["state"] is None:
        return {"text": UNKNOWN, "tone": "quiet"}
    shown = shown_state(row["state"])
    tone = "worse" if shown.kind == "empty" and row["lag"] else ""
    return {"text": shown.short or row["state"], "kind": shown.kind, "tone": tone, "title": f"{row['state']}: {shown.meaning}"}


def _members(row: Row) -> dict:
    idle = row["idle_members"]
    return {"text": exact(row["member_count"]), "alarm": f"{exact(idle)} idle" if idle else ""}


def _partitions(row: Row) -> dict:
    return {"text": exact(row["partition_count"])}


def _type(row: Row) -> dict:
    found = {"text": row["assignor"] or ("" if row["group_type"] == "share" else UNKNOWN), "lead": row["group_type"]}
    if not row["leader"]:
        return found
    leader = Leader(row["leader"], bool(row["leader_certain"]))
    return found | {"tag": named(leader.client) + "?" * (not leader.certain), "title": meaning(leader)}


def is_whole(row: Row) -> bool:
    """Tell whether the lag of a group covers all its partitions."""
    return row["unknown_lag_count"] == 0 and not row["problem"]


COLUMNS = (
    Column(
        "verdict",
        "Verdict, for",
        "Of its worst partition, by the last 10 snapshots; sort the worst first",
        "verdict",
        ("trouble", "lag_seconds"),
        verdict,
    ),
    Column("group", "Group", "Sort by name", "group_id", ("group_id",), _group, highest_first=False),
    Column(
        "worst", "Worst at", "The partition with the most lag and its share of the group's lag", "worst_partition", ("max_lag",), _worst
    ),
    Column("bar", "√ scale", "", "lag", (), _bar, "Lag"),
    Column("lag", "records", f"Records behind; ≥ {WHERE_PARTIAL}", "lag", ("lag",), _lag, "Lag"),
    Column(
        "change",
        "per min",
        "Change of the lag in records a minute: rate in less rate out of the last 10 snapshots, else since the reading before",
        "lag_change",
        ("lag_change",),
        _change,
        "Lag",
    ),
    Column("spark", "last snapshots", "", "lags", (), spark, "Lag", label_of=drawn_span),
    Column(
        "seconds",
        "time lag",
        "Seconds since the record was written at which the partition farthest behind stands; ≥ where it is unknown for some",
        "lag_seconds",
        ("lag_seconds",),
        seconds,
        "Lag",
    ),
    Column(
        "drains",
        "drains in",
        "Until nothing is behind with these owners; of 200 draws of rates in and busy rates 90 % lie between both ends",
        "drain_seconds",
        ("drain_is_never", "drain_seconds"),
        drains,
        "Lag",
    ),
    Column("unknown", "unknown", "Share of partitions whose lag is unknown", "unknown_lag_count", ("unknown_lag_count",), _unknown, "Lag"),
    Column("state", "State", "In Kafka's words", "state", ("state",), _state, "Who reads", highest_first=False),
    Column("members", "Members", "Members, and those without partitions", "member_count", ("member_count",), _members, "Who reads"),
    Column(
        "partitions",
        "Partitions",
        "Partitions that the group owns or has committed",
        "partition_count",
        ("partition_count",),
        _partitions,
        "Who reads",
        without="verdict",
    ),
    Column(
        "type",
        "Type, assignor, client",
        "Sort by type, then assignor; the client of a classic group is its leader's, whose code assigns",
        "group_type",
        ("group_type", "assignor"),
        _type,
        "Who reads",
        highest_first=False,
    ),
)
"""In the order of the page."""
