"""The columns of the group table: source, sort order, and cells as plain values, those that
snapshots give among them.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from math import inf
from typing import Any, NamedTuple

import pyarrow as pa

from evenkeel.assignors.protocol import SHARE
from evenkeel.dashboard.names import shown_state
from evenkeel.dashboard.parts.drain_words import SINGLE
from evenkeel.dashboard.times import full, local, zone
from evenkeel.data.group.document import Leader
from evenkeel.data.rebalances.words import CAUSES
from evenkeel.data.scenarios.client_words import meaning, named
from evenkeel.data.text.formats import (
    UNKNOWN,
    WHERE_PARTIAL,
    at_least,
    count,
    duration,
    exact,
    percent,
    signed,
    span,
)
from evenkeel.data.text.names import elided
from evenkeel.data.timeline.words import METHOD_WORDS, WORDS

Row = Mapping[str, Any]
"""One group: the columns of GROUPS or GROUP_LOAD, `lag_change` in records a minute, and
`highest_lag` of all groups.
"""

_NAME_WIDTH = 30


class Column(NamedTuple):
    """A column of the table.

    `needs` is the column of the data without which it is not drawn; `order` are the columns of the
    data by which it sorts; `over` is the header above it and its neighbours. It has no place beside
    the column `without`. `label_of`: the label where it depends on the data.
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
        return {
            "text": row["problem"],
            "title": f"Cannot be seen: {row['problem']}",
            "tone": "worse",
        }
    if row["member_count"] == 0 and row["lag"]:
        return {
            "text": "no members",
            "title": f"No member reads; most lag: {row['worst_partition']}",
        }
    if row["worst_partition"] is None:
        return {"text": "", "tone": "quiet"}
    share = percent(row["max_lag"] / row["lag"]) if row["lag"] and is_whole(row) else ""
    title = f"{row['worst_partition']}: {exact(row['max_lag'])} of {exact(row['lag'])} records"
    return {"text": elided(row["worst_partition"], _NAME_WIDTH - 8), "note": share, "title": title}


def _bar(row: Row) -> dict:
    return {
        "bar": math.sqrt(row["lag"] / row["highest_lag"])
        if row["lag"] and row["highest_lag"]
        else 0.0
    }


def _lag(row: Row) -> dict:
    return {
        "text": at_least(exact(row["lag"]), not is_whole(row)),
        "tone": "strong" if row["lag"] else "quiet",
    }


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
    return {
        "text": percent(unknown / partitions),
        "title": f"{exact(unknown)} of {count(partitions, 'partition')}",
        "tone": "worse",
    }


def _rebalances(row: Row) -> dict:
    number, kind = row.get("rebalances_hour"), row.get("rebalances_kind")
    if not number:
        return {"text": UNKNOWN if number is None else "0", "tone": "quiet"}
    return {
        "text": exact(number),
        "note": CAUSES[kind].short if kind else "",
        "tone": "worse" if number > 4 else "",
    }


def _state(row: Row) -> dict:
    if row["state"] is None:
        return {"text": UNKNOWN, "tone": "quiet"}
    shown = shown_state(row["state"])
    tone = "worse" if shown.kind == "empty" and row["lag"] else ""
    return {
        "text": shown.short or row["state"],
        "kind": shown.kind,
        "tone": tone,
        "title": f"{row['state']}: {shown.meaning}",
    }


def _members(row: Row) -> dict:
    idle = row["idle_members"]
    return {"text": exact(row["member_count"]), "alarm": f"{exact(idle)} idle" if idle else ""}


def _partitions(row: Row) -> dict:
    return {"text": exact(row["partition_count"])}


def _type(row: Row) -> dict:
    found = {
        "text": row["assignor"] or ("" if row["group_type"] == SHARE else UNKNOWN),
        "lead": row["group_type"],
    }
    if not row["leader"]:
        return found
    leader = Leader(row["leader"], bool(row["leader_certain"]))
    return found | {
        "tag": named(leader.client) + "?" * (not leader.certain),
        "title": meaning(leader),
    }


def is_whole(row: Row) -> bool:
    """Tell whether the lag of a group covers all its partitions."""
    return row["unknown_lag_count"] == 0 and not row["problem"]


def verdict(row: Mapping[str, Any]) -> dict:
    """Return the verdict with its age, `≥` where it is as old as the snapshots that were looked at;
    its tip says why.
    """
    name, since, seen = row["verdict"], row["verdict_since"], row["verdict_at"]
    if name is None:
        return {"text": UNKNOWN, "tone": "quiet", "title": _NONE}
    age = (
        at_least(duration((seen - since).total_seconds()), row["is_older"]) if since < seen else ""
    )
    words = WORDS[name]
    tip = f"{name}: {words.reason}. Since {_time(since, seen)}{' or longer' * row['is_older']}, seen until {_time(seen, seen)}."
    return {
        "text": name,
        "sign": words.drawing,
        "note": "" if name == "OK" else age,
        "tone": words.tone,
        "tip": tip,
    }


def spark(row: Mapping[str, Any]) -> dict:
    """Return the lag of the last snapshots as a drawing."""
    drawn = sparkline(row["slots"], row["lags"]) if row["lags"] else None
    if drawn is None:
        return {"text": UNKNOWN, "tone": "quiet", "title": _NONE}
    known = [lag for lag in row["lags"] if lag is not None]
    passed = duration((row["verdict_at"] - row["since"]).total_seconds())
    title = f"Lag in {count(len(row['lags']), 'snapshot')} of {passed}: {exact(min(known))} to {exact(max(known))}"
    return {"spark": drawn, "title": title}


def drawn_span(groups: pa.Table) -> str:
    """Return over which time the lags are drawn: `last 39 m`."""
    seen = (
        groups.filter(groups["since"].is_valid())
        .slice(0, 1)
        .select(["since", "verdict_at"])
        .to_pylist()
    )
    passed = [(row["verdict_at"] - row["since"]).total_seconds() for row in seen]
    return f"last {duration(passed[0])}" if passed and passed[0] > 0 else "last snapshot"


def seconds(row: Mapping[str, Any]) -> dict:
    """Return the time lag of the partition farthest behind, quiet where it is extrapolated."""
    lag, unknown = row["lag_seconds"], row["unknown_seconds_count"]
    if lag is None:
        return {
            "text": UNKNOWN,
            "tone": "quiet",
            "title": _NONE
            if row["verdict"] is None
            else "Nothing is committed, or its end offsets did not move",
        }
    if not lag and not unknown:
        return {"text": "0", "tone": "quiet"}
    said = [METHOD_WORDS[row["lag_seconds_method"]]]
    said += (
        [f"unknown for {count(unknown, 'partition')}: no commit, or the end offset did not move"]
        if unknown
        else []
    )
    tone = "quiet" if row["lag_seconds_method"] == "extrapolated" else ""
    return {"text": at_least(duration(lag), bool(unknown)), "tone": tone, "title": "; ".join(said)}


def drains(row: Mapping[str, Any]) -> dict:
    """Return between which times the group is likely to be drained; the tip says how many rates are
    assumed.
    """
    cell, assumed = _drains(row), row["drain_assumed_count"]
    if not assumed:
        return cell
    rates = (
        "The rate of 1 member is"
        if assumed == 1
        else f"The rates of {count(assumed, 'member')} are"
    )
    return cell | {"title": f"{cell['title']}. {rates} assumed: the group's median"}


COLUMNS = (
    Column(
        "verdict",
        "Verdict, for",
        "Of its worst partition, by the last 10 snapshots; sort the worst first",
        "verdict",
        ("trouble", "lag_seconds"),
        verdict,
    ),
    Column(
        "group", "Group", "Sort by name", "group_id", ("group_id",), _group, highest_first=False
    ),
    Column(
        "worst",
        "Worst at",
        "The partition with the most lag and its share of the group's lag",
        "worst_partition",
        ("max_lag",),
        _worst,
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
        "Age of the next record to read in the most delayed partition, in seconds; ≥ if it is unknown for some",
        "lag_seconds",
        ("lag_seconds",),
        seconds,
        "Lag",
    ),
    Column(
        "drains",
        "drains in",
        "Time until nothing is behind with these owners; 90 % of 200 simulations fall in this range",
        "drain_seconds",
        ("drain_is_never", "drain_seconds"),
        drains,
        "Lag",
    ),
    Column(
        "rebalances",
        "rebalances",
        "Rebalances of the last hour and the cause with the longest pause, from brokers' logs that were ingested",
        "rebalances_hour",
        ("rebalances_hour",),
        _rebalances,
        "Who reads",
    ),
    Column(
        "unknown",
        "unknown",
        "Share of partitions whose lag is unknown",
        "unknown_lag_count",
        ("unknown_lag_count",),
        _unknown,
        "Lag",
    ),
    Column(
        "state",
        "State",
        "In Kafka's words",
        "state",
        ("state",),
        _state,
        "Who reads",
        highest_first=False,
    ),
    Column(
        "members",
        "Members",
        "Members, and those without partitions",
        "member_count",
        ("member_count",),
        _members,
        "Who reads",
    ),
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


# Cells of the group table that snapshots give: verdict, drawn lag, time lag, and when it drains.


_NONE = "No snapshot that was looked at has this group"


def _drains(row: Mapping[str, Any]) -> dict:
    if row["verdict"] is None:
        return {"text": UNKNOWN, "tone": "quiet", "title": _NONE}
    if row["drain_is_never"]:
        why = "Records arrive faster than its members read, or no consumer reads a partition"
        return {"text": "never", "tone": "warn strong", "title": why}
    low, middle, high = row["drain_low_seconds"], row["drain_seconds"], row["drain_high_seconds"]
    if low is None and middle is not None:
        return {"text": f"≈ {duration(middle)}", "title": SINGLE}
    if low is None:
        return {
            "text": UNKNOWN,
            "tone": "quiet",
            "title": "What its members can read was not seen, or too many lags are unknown",
        }
    if middle is None:
        return {"text": at_least(duration(low), True), "title": "Some lags are unknown"}
    if high == 0:
        return {"text": "0", "tone": "quiet", "title": "It keeps up"}
    title = f"Middle {duration(middle)}; of 200 draws 90 % lie between both ends"
    return {"text": span(low, inf if high is None else high), "title": title}


def _time(time: datetime, seen: datetime) -> str:
    here = local(time)
    return f"{here:%H:%M:%S} {zone(time)}" if here.date() == local(seen).date() else full(time)


# A lag over some slots as paths of a small drawing; gaps stay open.


WIDTH, HEIGHT = 96, 20
_EDGE = 2.5


def sparkline(
    slots: Sequence[int], lags: Sequence[int | None]
) -> dict[str, str | list[float]] | None:
    """Return `line` and `area` as SVG paths, and the `dot` of the last slot where its lag is known;
    None where no lag is known.

    `slots` ascend; a number that is missing between two neighbours is a gap, and so is an unknown
    lag.
    """
    runs = _runs(slots, lags)
    if not runs:
        return None
    span, highest = max(slots[-1] - slots[0], 1), max(lag for run in runs for _, lag in run) or 1
    drawn = [
        [(_x((slot - slots[0]) / span), _y(lag / highest)) for slot, lag in run] for run in runs
    ]
    line = "".join("M" + "L".join(f"{x} {y}" for x, y in run) for run in drawn)
    area = "".join(
        f"M{run[0][0]} {HEIGHT}L"
        + "L".join(f"{x} {y}" for x, y in run)
        + f"L{run[-1][0]} {HEIGHT}Z"
        for run in drawn
        if len(run) > 1
    )
    return {"line": line, "area": area} | (
        {"dot": list(drawn[-1][-1])} if lags[-1] is not None else {}
    )


def _runs(slots: Sequence[int], lags: Sequence[int | None]) -> list[list[tuple[int, int]]]:
    """Return the stretches without a gap."""
    runs: list[list[tuple[int, int]]] = []
    for slot, lag in zip(slots, lags, strict=True):
        if lag is None:
            continue
        if not runs or runs[-1][-1][0] != slot - 1:
            runs.append([])
        runs[-1].append((slot, lag))
    return runs


def _x(share: float) -> float:
    return round(1 + share * (WIDTH - 1 - _EDGE), 1)


def _y(share: float) -> float:
    return round(HEIGHT - 1 - share * (HEIGHT - 1 - _EDGE), 1)
