"""The members of one group, from its rows of OFFSETS and MEMBERS."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from evenkeel.assignors.java.hashing import sorted_rows
from evenkeel.data.columns.group import unknown_paths
from evenkeel.data.columns.names import runs
from evenkeel.data.document import JoinedWith, Member
from evenkeel.data.tables.arrow import integers, names, not_negative

if TYPE_CHECKING:
    import pyarrow as pa

_ABOUT = ("client_id", "host", "instance_id", "rack")
_HELD = ("owned", "current", "joined_owned")
_SOURCE = ("source_format", "source_file", "source_line")
_COLUMNS = (
    "member_id",
    *_ABOUT,
    "member_order",
    "subscribed",
    "subscribed_regex",
    *_HELD,
    "partition_count",
    "generation",
    "joined_generation",
    "epoch",
    *_SOURCE,
)


def listed_members(offsets: "pa.Table", members: "pa.Table", topics: "pa.Table") -> tuple[list[Member], list[str]]:
    """Return the members, and the paths of what no listing printed.

    Unprinted subscriptions are taken to be all topics that any member owns. Where partitions are only counted, what a member owns is
    unknown.

    Members of a members listing or a document come first, in its order, then those of an offsets listing, in the order of their first line.
    What a member owns is what its own row says, else what OFFSETS says. If no member is known to own anything, all topics of OFFSETS are
    subscribed to, else all of TOPICS.
    """
    facts = _facts(offsets, members)
    _add_owned(facts, _owned(offsets))
    everything = sorted({topic for fact in facts.values() for topic, partitions in (fact["owned"] or {}).items() if partitions})
    if not everything and any(fact["owned"] is None for fact in facts.values()):
        everything = sorted(names(offsets["topic"]).name or names(topics["topic"]).name)
    unsubscribed = unknown_paths("subscribed", [fact.get("subscribed") is None for fact in facts.values()])
    unowned = unknown_paths("owned", [fact["owned"] is None and bool(fact.get("partition_count")) for fact in facts.values()])
    return [_member(member_id, fact, everything) for member_id, fact in facts.items()], [*unsubscribed, *unowned]


def _add_owned(facts: Mapping[str, dict[str, Any]], owned: Mapping[str, dict[str, list[int]]]) -> None:
    """Add what OFFSETS says, except to a member with a `current`: OFFSETS cannot tell what that member will own.

    A member without rows in OFFSETS owns nothing, unless its partitions were counted or OFFSETS names no owner at all.
    """
    for member_id, fact in facts.items():
        fact.setdefault("owned", None)
        if fact["owned"] is None and fact.get("current") is None:
            nothing = None if fact.get("partition_count") or not owned else {}
            fact["owned"] = owned.get(member_id, nothing)


def _facts(offsets: "pa.Table", members: "pa.Table") -> dict[str, dict[str, Any]]:
    """Return the facts of each member, in the order of members; of several rows the first with a value counts."""
    facts: dict[str, dict[str, Any]] = {}
    for row in sorted([*_rows_of_members(members), *_first_rows_of_owners(offsets)], key=_order(offsets, members)):
        for key in _HELD:
            row[key] = _by_topic(row.get(key))
        fact = facts.setdefault(row.pop("member_id"), {})
        fact.update((key, value) for key, value in row.items() if fact.get(key) is None)
    return facts


def _rows_of_members(members: "pa.Table") -> list[dict[str, Any]]:
    return members.filter(names(members["member_id"]).code >= 0).select(_COLUMNS).to_pylist()


def _first_rows_of_owners(offsets: "pa.Table") -> list[dict[str, Any]]:
    member = names(offsets["member_id"]).code
    codes, rows = np.unique(member, return_index=True)
    return offsets.select(("member_id", *_ABOUT, *_SOURCE)).take(rows[codes >= 0]).to_pylist()


def _order(offsets: "pa.Table", members: "pa.Table") -> Callable[[dict[str, Any]], tuple]:
    """Return a sort key: rows with a place, then listings without offsets, then offsets listings; files in the order of the input."""
    formats = set(names(offsets["source_format"]).name)
    of_offsets, of_members = names(offsets["source_file"]).name, names(members["source_file"]).name
    place = {True: _places([*of_offsets, *of_members]), False: _places(of_members)}

    def key(row: dict[str, Any]) -> tuple:
        if row.get("member_order") is not None:
            return 0, 0, row["member_order"]
        has_offsets = row["source_format"] in formats
        return 1 + has_offsets, place[has_offsets].get(row["source_file"], 0), row["source_line"] or 0

    return key


def _places(files: Iterable[str]) -> dict[str, int]:
    return {file: place for place, file in enumerate(dict.fromkeys(files))}


def _by_topic(owned: Iterable[Mapping[str, Any]] | None) -> dict[str, list[int]] | None:
    return None if owned is None else {topic["topic"]: topic["partitions"] for topic in owned}


def _owned(offsets: "pa.Table") -> dict[str, dict[str, list[int]]]:
    member, topic = names(offsets["member_id"]), names(offsets["topic"])
    in_order = sorted_rows(topic.name)
    rank = np.empty(len(in_order), dtype=np.int64)
    rank[in_order] = np.arange(len(in_order))
    rows = np.column_stack([member.code, rank[topic.code], integers(offsets["partition"])])[member.code >= 0]
    owned: dict[str, dict[str, list[int]]] = {}
    for member_row, topic_row, partitions in runs(rows[np.lexsort(rows.T[::-1])]):
        owned.setdefault(member.name[member_row], {})[topic.name[in_order[topic_row]]] = partitions
    return owned


def _member(member_id: str, fact: Mapping[str, Any], everything: list[str]) -> Member:
    joined = (fact.get("joined_owned"), fact.get("joined_generation"))
    return Member(
        member_id=member_id,
        subscribed=everything if fact.get("subscribed") is None else fact["subscribed"],
        joined_with=None if joined == (None, None) else JoinedWith(*joined),
        epoch=not_negative(fact.get("epoch")),
        **{key: fact.get(key) for key in (*_ABOUT, "subscribed_regex", "owned", "current", "generation")},
    )
