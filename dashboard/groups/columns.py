"""Columns of the table of groups: their order, and their cells as plain values. Some columns need
the snapshots of a collector.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from evenkeel.dashboard.groups.words import FINE, IGNORED, UNKNOWN
from evenkeel.dashboard.parts.facts import BEHIND, LAG, MEMBERS, PARTITIONS
from evenkeel.data.diagnosis.summary import Summary
from evenkeel.data.group.document import Leader
from evenkeel.data.rebalances.words import CAUSES
from evenkeel.data.scenarios.client_words import meaning, named
from evenkeel.data.text import formats
from evenkeel.data.text.formats import (
    WHERE_PARTIAL,
    about,
    at_least,
    count,
    duration,
    exact,
    first_of,
    signed,
)
from evenkeel.data.text.names import elided
from evenkeel.data.timeline.words import EXTRAPOLATED, METHOD_WORDS

Row = Mapping[str, Any]
"""A group: `id` (of the row), `group_id`, `unnamed_in`, `lag`, `is_whole`, `member_count`,
`partition_count`, `names`, `problem`, and `summary` (may be None).

A cluster's group also has columns of GROUPS and GROUP_VERDICT. A group of a metrics store also has
`source` (words), and `is_about`: whether its lag is approximate.
"""

_NAME_WIDTH = 30
_MOST_TOPICS = 2
_UNSEEN = "None of the last snapshots contains this group"


class Column(NamedTuple):
    """A column of the table.

    `needs`: name of a field. The column is drawn only if a row has this field, or always if `needs`
    is empty. `order`: function that returns the value by which the column sorts, None if unknown.
    """

    key: str
    label: str
    help: str
    cell: Callable[[Row], dict]
    order: Callable[[Row], Any] | None = None
    needs: str = ""
    is_highest_first: bool = True
    is_wide: bool = False


def class_of(row: Row) -> str:
    """Return the class of a group. A group without a diagnosis has the class `unknown`."""
    summary: Summary | None = row["summary"]
    if summary is None:
        return UNKNOWN
    return IGNORED if summary.is_ignored else summary.group_class.value


def name_of(row: Row) -> str:
    """Return the name of a group."""
    where = row.get("unnamed_in")
    return row["group_id"] or (f"unnamed, {where}" if where else "unnamed group")


def reads(row: Row, topic: str) -> bool:
    """Return whether a group reads a topic. For a group without a diagnosis, the row's `names` are
    its topics.
    """
    names = row["summary"].topics if row["summary"] else (row.get("names") or "").split("\n")
    return topic in names


def _cause(row: Row) -> dict:
    summary: Summary | None = row["summary"]
    if summary is None:
        return {"text": row.get("problem") or formats.UNKNOWN, "tone": "quiet"}
    tone = "quiet" if class_of(row) in (FINE, IGNORED) else ""
    return {"text": summary.short, "title": summary.sentence, "tone": tone}


def _group(row: Row) -> dict:
    name = name_of(row)
    left = row["summary"].left_lag if row["summary"] else 0
    note = f"{formats.number(left)} without reader" if left else ""
    return {"text": elided(name, _NAME_WIDTH), "title": name, "tone": "strong", "note": note}


def _most_at(row: Row) -> dict:
    name = row["summary"].most_at if row["summary"] else row.get("worst_partition") or ""
    return {"text": elided(name, _NAME_WIDTH), "title": name}


def _host(row: Row) -> dict:
    host = row["summary"].host if row["summary"] else ""
    return {"text": elided(host, 24), "title": host, "tone": "quiet"}


def _lag(row: Row) -> dict:
    summary: Summary | None = row["summary"]
    if summary and summary.lag_note:
        return {"text": at_least(exact(row["lag"] or 0), True), "title": summary.lag_note}
    if row["lag"] is None:
        return {"text": formats.UNKNOWN, "title": row.get("problem") or "No lag is known"}
    text = at_least(exact(row["lag"]), not row["is_whole"])
    return {"text": about(text, row.get("is_about", False)), "title": row.get("source", "")}


def _change(row: Row) -> dict:
    change = row.get("lag_change")
    if change is None:
        return {"text": formats.UNKNOWN, "tone": "quiet", "title": "Needs two readings"}
    return {"text": signed(round(change)) if change else "0", "tone": "quiet"}


def _bars(row: Row) -> dict:
    bars = row["summary"].bars if row["summary"] else ()
    return {"bars": [bar.share for bar in bars]}


def _spark(row: Row) -> dict:
    drawn = sparkline(row["slots"], row["lags"]) if row.get("lags") else None
    if drawn is None:
        return {"text": formats.UNKNOWN, "tone": "quiet", "title": _UNSEEN}
    known = [lag for lag in row["lags"] if lag is not None]
    title = (
        f"Lag in {count(len(row['lags']), 'snapshot')}: {exact(min(known))} to {exact(max(known))}"
    )
    return {"spark": drawn, "title": title}


def _behind(row: Row) -> dict:
    """Return the cell of a group's time lag, which is the largest time lag of its partitions."""
    text = behind_text(row)
    if text is None:
        return {"text": formats.UNKNOWN, "tone": "quiet", "title": _UNSEEN}
    tone = "quiet" if row.get("lag_seconds_method") == EXTRAPOLATED else ""
    return {"text": text, "title": behind_title(row), "tone": tone}


def behind_title(row: Row) -> str:
    """Return in words how the time lag of a group was measured."""
    method = row.get("lag_seconds_method")
    words = [METHOD_WORDS[method] if method else "", row.get("source", "")]
    if row.get("unknown_seconds_count"):
        words.append(f"unknown for {count(row['unknown_seconds_count'], 'partition')}")
    return "; ".join(filter(None, words))


def behind_text(row: Row) -> str | None:
    """Return the time lag of a group, None if unknown."""
    lag, unknown = row.get("lag_seconds"), row.get("unknown_seconds_count")
    if lag is None:
        return None
    return at_least(duration(lag), bool(unknown)) if lag or unknown else "0"


def _assignor(row: Row) -> dict:
    assignor, leader = assignor_of(row), _leader(row)
    cell = {"text": assignor or formats.UNKNOWN, "tone": "" if assignor else "quiet"}
    if leader is None:
        return cell
    return cell | {
        "tag": named(leader.client) + "?" * (not leader.certain),
        "title": meaning(leader),
    }


def assignor_of(row: Row) -> str | None:
    """Return the assignor that a group uses, None if unknown."""
    summary: Summary | None = row["summary"]
    return (summary and summary.assignor) or row.get("assignor")


def _leader(row: Row) -> Leader | None:
    summary: Summary | None = row["summary"]
    if summary and summary.leader:
        return summary.leader
    return Leader(row["leader"], bool(row["leader_certain"])) if row.get("leader") else None


def _topics(row: Row) -> dict:
    names = row["summary"].topics if row["summary"] else ()
    shown = ", ".join(elided(name, 24) for name in names[:_MOST_TOPICS])
    more = f" +{len(names) - _MOST_TOPICS}" if len(names) > _MOST_TOPICS else ""
    title = ", ".join(first_of(names, 20))
    return {"text": shown + more, "title": title, "tone": "quiet"}


def _rebalances(row: Row) -> dict:
    count, kind = row["rebalances_hour"], row["rebalances_kind"]
    if count is None:
        return {"text": formats.UNKNOWN, "tone": "quiet"}
    return {"text": exact(count), "note": CAUSES[kind].short if kind else ""}


def _number(name: str) -> Callable[[Row], dict]:
    return lambda row: {"text": formats.UNKNOWN if row[name] is None else exact(row[name])}


def _value(name: str) -> Callable[[Row], Any]:
    return lambda row: row.get(name)


CAUSE = Column(
    "cause", "Cause", "The fault in a few words; the group's page has the whole sentence", _cause
)
COLUMNS = (
    Column("group", "Group", "Sort by name", _group, name_of, is_highest_first=False),
    Column("most-at", "Most at", "The member with the most lag", _most_at),
    Column("host", "Host", "Host of this member", _host),
    Column("lag", LAG, f"Unread records; ≥ {WHERE_PARTIAL}", _lag, _value("lag")),
    Column(
        "change",
        "per min",
        "Change of lag in records per minute",
        _change,
        _value("lag_change"),
        "lag_change",
    ),
    Column(
        "per-member",
        "per member",
        "Lag of each member, and of each partition without owner",
        _bars,
        needs="from_listing",
    ),
    Column("spark", "last snapshots", "Lag in the last snapshots", _spark, needs="lags"),
    Column(
        "behind",
        BEHIND,
        "Age of the oldest unread record in the most delayed partition",
        _behind,
        _value("lag_seconds"),
        "lag_seconds",
    ),
    Column(
        "rebalances",
        "Rebalances",
        "Rebalances in the last hour, and the cause of the longest pause, from brokers' logs",
        _rebalances,
        _value("rebalances_hour"),
        "rebalances_hour",
    ),
    Column("members", MEMBERS, MEMBERS, _number("member_count"), _value("member_count")),
    Column(
        "partitions",
        PARTITIONS,
        "Partitions that the group owns or has committed offsets for",
        _number("partition_count"),
        _value("partition_count"),
        "from_listing",
    ),
    Column(
        "assignor",
        "Assignor",
        "For a classic group also the client of its leader, because this client's code assigns",
        _assignor,
        assignor_of,
        "of_cluster",
        is_highest_first=False,
    ),
    Column("topics", "Topics", "Topics that the group reads", _topics),
)
"""All columns in the order of the page."""

SORTS = tuple(f"{sign}{column.key}" for column in COLUMNS if column.order for sign in ("", "-"))


# Lag in some slots as SVG paths of a small drawing. Slots without known lag are gaps.


WIDTH, HEIGHT = 96, 20
_EDGE = 2.5
_NEAR = 3


def sparkline(
    slots: Sequence[int], lags: Sequence[float | None], retention: float | None = None
) -> dict[str, Any] | None:
    """Return `line` and `area` as SVG paths, and the `dot` of the last slot if its lag is known.

    None if no lag is known. `slots`: numbers of slots, ascending. A missing number or an unknown
    lag is a gap. `kept`: height of a line at `retention`, None if the retention is far above all
    lags. `retention`: in the unit of `lags`.
    """
    runs = _runs(slots, lags)
    if not runs:
        return None
    span, highest = max(slots[-1] - slots[0], 1), max(lag for run in runs for _, lag in run) or 1
    is_near = retention is not None and retention <= _NEAR * highest
    highest = max(highest, retention) if retention is not None and is_near else highest
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
    height = _y(retention / highest) if retention is not None and is_near else None
    return {"line": line, "area": area, "kept": height} | (
        {"dot": list(drawn[-1][-1])} if lags[-1] is not None else {}
    )


def _runs(slots: Sequence[int], lags: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    runs: list[list[tuple[int, float]]] = []
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
