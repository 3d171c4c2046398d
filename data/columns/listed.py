"""The members of one group, from what its rows of OFFSETS and MEMBERS say."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from assignors.java import strings
from data.columns.arrow import integers, names, not_negative
from data.columns.names import runs
from data.document import JoinedWith, Member

if TYPE_CHECKING:
    import pyarrow as pa

_ABOUT = ("client_id", "host", "instance_id", "rack")
_HELD = ("owned", "current", "joined_owned")
_SOURCE = ("source_format", "source_file", "source_line")
_COLUMNS = ("member_id", *_ABOUT, "member_order", "subscribed", "subscribed_regex", *_HELD, "generation", "joined_generation", "epoch", *_SOURCE)


def listed_members(offsets: "pa.Table", members: "pa.Table") -> tuple[list[Member], list[str]]:
    """Return the members, and the paths of subscriptions that nobody printed and that are taken to be all topics that any member owns.

    Members that a listing of members or a document names come first, in its order, then those of an offsets listing, in the order of their first line. What a member owns is
    what its own row says, else what OFFSETS says.
    """
    owned = _owned(offsets)
    facts = _facts(offsets, members)
    for member_id, fact in facts.items():
        fact["owned"] = owned.get(member_id, {}) if fact.get("owned") is None else fact["owned"]
    everything = sorted({topic for fact in facts.values() for topic, partitions in fact["owned"].items() if partitions})
    unknown = [place for place, fact in enumerate(facts.values()) if fact.get("subscribed") is None]
    paths = ["members[*].subscribed"] if len(unknown) == len(facts) else [f"members[{place}].subscribed" for place in unknown]
    return [_member(member_id, fact, everything) for member_id, fact in facts.items()], paths if unknown else []


def _facts(offsets: "pa.Table", members: "pa.Table") -> dict[str, dict[str, Any]]:
    """Return what the rows say of each member, in the order of members; of several rows the first that says it."""
    facts: dict[str, dict[str, Any]] = {}
    for row in sorted([*_rows_of_members(members), *_first_rows_of_owners(offsets)], key=_order(offsets)):
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


def _order(offsets: "pa.Table") -> Callable[[dict[str, Any]], tuple]:
    """Return a sort key: rows with a place first, then rows of a listing that has no offsets, then lines of an offsets listing."""
    formats = set(names(offsets["source_format"]).name)

    def key(row: dict[str, Any]) -> tuple:
        if row.get("member_order") is not None:
            return 0, "", row["member_order"]
        return (2 if row["source_format"] in formats else 1), row["source_file"] or "", row["source_line"] or 0

    return key


def _by_topic(owned: Iterable[Mapping[str, Any]] | None) -> dict[str, list[int]] | None:
    return None if owned is None else {topic["topic"]: topic["partitions"] for topic in owned}


def _owned(offsets: "pa.Table") -> dict[str, dict[str, list[int]]]:
    member, topic = names(offsets["member_id"]), names(offsets["topic"])
    in_order = strings.sorted_rows(topic.name)
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
