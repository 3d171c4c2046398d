"""A group from the tables OFFSETS, MEMBERS and TOPICS: its rows, members and topics at one time."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.java.hashing import sorted_rows
from evenkeel.assignors.protocol import GROUP_TYPES
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns.group import observed_group, unknown_paths
from evenkeel.data.group.columns.listed_topics import listed_topics
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import runs
from evenkeel.data.group.document import (
    DEAD,
    EMPTY,
    FORMAT,
    GROUP_FACTS,
    Document,
    JoinedWith,
    Leader,
    Member,
)
from evenkeel.data.group.tables.arrow import (
    SECOND_OWNER,
    as_datetime,
    first,
    integers,
    names,
    not_negative,
    of_documents,
    times,
)

if TYPE_CHECKING:
    import pyarrow as pa

_WITHOUT_MEMBERS = (EMPTY, DEAD)


class GroupKey(NamedTuple):
    """The key of a group: its id; if a listing has no group names, its file."""

    group_id: str | None
    source_file: str | None = None


def group_keys(offsets: "pa.Table", members: "pa.Table", topics: "pa.Table") -> list[GroupKey]:
    """Return the groups of the tables, in the order of their first rows.

    If only TOPICS has rows, there is one group, without a name.
    """
    keys: dict[GroupKey, None] = {}
    for table in (offsets, members):
        keys |= dict.fromkeys(keys_of(table))
    return list(keys) or [GroupKey(None)] * bool(topics.num_rows)


def keys_of(table: "pa.Table") -> Iterable[GroupKey]:
    """Return the group keys of one table, in the order of their first rows; keys may repeat."""
    group, file = names(table["group_id"]), names(table["source_file"])
    _, rows = np.unique(
        group.code.astype(np.int64) * (len(file.name) + 1) + file.code, return_index=True
    )
    for group_code, file_code in zip(
        group.code[np.sort(rows)], file.code[np.sort(rows)], strict=True
    ):
        if group_code >= 0:
            yield GroupKey(group.name[group_code])
        else:
            yield GroupKey(None, file.name[file_code] if file_code >= 0 else None)


def observed_from_tables(
    offsets: "pa.Table",
    members: "pa.Table",
    topics: "pa.Table",
    group_id: str | None,
    source_file: str | None = None,
    at: datetime | None = None,
    budget: Budget | None = None,
) -> ObservedGroup:
    """Return one group as arrays, at the time `at`; None is the latest time.

    `source_file`: if given, only rows from this file. Missing values are assumed, and their paths
    are in `assumed`:

    * A topic's size is in TOPICS, else it is the highest partition + 1.
    * The members are complete only if the rows have an idle member or come from a `--members`
    listing.
    * If a member's subscription is not printed, it is all topics that any member owns.
    * If only a number of owned partitions is printed, the owned partitions are unknown.
    * If no row has a topic, the topics are unknown.

    Raises
    ------
    TooLargeError
        If the group needs more memory than the budget allows.
    """
    offsets, members = (
        of_group(table, GroupKey(group_id, source_file)) for table in (offsets, members)
    )
    instant = instant_of([offsets, members], at)
    offsets, members, topics = (at_instant(table, instant) for table in (offsets, members, topics))
    document = _document_head(members)
    described = first([document], "subscribed")
    if described is not None:
        described += [name for name in names(offsets["topic"]).name if name not in set(described)]
        topics = _of_line(topics, document)
    else:
        topics = topics.filter(~of_documents(topics["source_format"]))
    listed, unknown = listed_members(offsets, members, topics)
    columns, grown = listed_topics(offsets, topics, listed, described, budget)
    head = _head(offsets, members, group_id, None if instant is None else as_datetime(instant))
    assumed = {
        *(first([members], "assumed") or ()),
        *unknown,
        *(f"topics[{place}].partitions" for place in grown),
    }
    if described is None and not _members_are_listed(members, head, bool(listed)):
        assumed.add("members")
    if described is None and not columns.partition_count.size:
        assumed.add("topics")
    return observed_group(
        head, columns, listed, assumed, cluster=first([members, offsets], "cluster")
    )


def _document_head(members: "pa.Table") -> "pa.Table":
    """Return the first row that has a document's topics and no member; empty for a listing."""
    return members.filter(
        (names(members["member_id"]).code < 0) & members["subscribed"].is_valid().to_numpy()
    ).slice(0, 1)


def _of_line(topics: "pa.Table", document: "pa.Table") -> "pa.Table":
    """Return the rows of TOPICS that come from the same document.

    Another document may have topics with the same names but other sizes.
    """
    file, line = names(topics["source_file"]), integers(topics["source_line"])
    source = {name: code for code, name in enumerate(file.name)}.get(
        document["source_file"][0].as_py(), -1
    )
    return topics.filter((file.code == source) & (line == document["source_line"][0].as_py()))


def _head(
    offsets: "pa.Table", members: "pa.Table", group_id: str | None, taken_at: datetime | None
) -> Document:
    facts = {
        column: first([members, offsets], column) for column in ("auto_offset_reset", *GROUP_FACTS)
    }
    epochs = {column: not_negative(facts[column]) for column in ("group_epoch", "assignment_epoch")}
    group_type = (first([members, offsets], "group_type") or "").lower()
    kind = group_type if group_type in GROUP_TYPES else None
    client = first([members], "leader")
    leader = Leader(client, bool(first([members], "leader_certain"))) if client in CLIENTS else None
    state = first([members, offsets], "group_state")
    return Document(
        format=FORMAT,
        group_id=group_id,
        taken_at=taken_at,
        type=kind,
        state=state,
        leader=leader,
        **facts | epochs,
    )


def _members_are_listed(members: "pa.Table", head: Document, any_owner: bool) -> bool:
    formats = names(members["source_format"])
    of_second = [code for code, name in enumerate(formats.name) if name.startswith(SECOND_OWNER)]
    is_member = names(members["member_id"]).code >= 0
    rows_of_members = bool((is_member & ~np.isin(formats.code, of_second)).any())
    return rows_of_members or (head.state in _WITHOUT_MEMBERS and not any_owner)


# Rows of one group in a table: rows with its name or of its file, at one instant.


def of_group(table: "pa.Table", key: GroupKey) -> "pa.Table":
    """Return the rows of a group; if the key has a file, only rows from this file."""
    group = names(table["group_id"])
    if key.group_id is None:
        mask = group.code == -1
    elif key.group_id in group.name:
        mask = group.code == group.name.index(key.group_id)
    else:
        mask = np.zeros(table.num_rows, dtype=bool)
    if key.source_file is not None:
        file = names(table["source_file"])
        mask &= np.isin(
            file.code, [code for code, name in enumerate(file.name) if name == key.source_file]
        )
    return table if mask.all() else table.filter(mask)


def instant_of(tables: "list[pa.Table]", at: datetime | None = None) -> np.datetime64 | None:
    """Return `at`, else the latest time of the rows; None if no row has a time."""
    if at is not None:
        # datetime64 has no time zone.
        return np.datetime64(at.astimezone(UTC).replace(tzinfo=None), "us")
    known = np.concatenate([times(table) for table in tables])
    known = known[~np.isnat(known)]
    return known.max() if known.size else None


def at_instant(table: "pa.Table", instant: np.datetime64 | None) -> "pa.Table":
    """Return the rows of `instant` and the rows without a time; if `instant` is None, all rows."""
    if instant is None:
        return table
    time = times(table)
    mask = np.isnat(time) | (time == instant)
    return table if mask.all() else table.filter(mask)


# The members of one group, from its rows of OFFSETS and MEMBERS.


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
    "protocol",
    "assignment_user_data",
    *_SOURCE,
)


def listed_members(
    offsets: "pa.Table", members: "pa.Table", topics: "pa.Table"
) -> tuple[list[Member], list[str]]:
    """Return the members, and the document paths of values that are not printed.

    A subscription that is not printed is assumed to be all topics that members own. If no owned
    partition is known, it is assumed to be all topics of OFFSETS, or else of TOPICS. If only the
    number of a member's partitions is printed, the member's owned partitions are unknown.

    First come the members of a document or a members listing, in the same order; then the members
    that only an offsets listing has, by line. Owned partitions come from the member's own row, else
    from OFFSETS.
    """
    facts = _facts(offsets, members)
    _add_owned(facts, _owned(offsets))
    owned_topics: set[str] = set()
    for fact in facts.values():
        owned = fact["owned"] or {}
        owned_topics |= {topic for topic, partitions in owned.items() if partitions}
    everything = sorted(owned_topics)
    if not everything and any(fact["owned"] is None for fact in facts.values()):
        everything = sorted(names(offsets["topic"]).name or names(topics["topic"]).name)
    unsubscribed = unknown_paths(
        "subscribed", [fact.get("subscribed") is None for fact in facts.values()]
    )
    unowned = unknown_paths(
        "owned",
        [fact["owned"] is None and bool(fact.get("partition_count")) for fact in facts.values()],
    )
    return [_member(member_id, fact, everything) for member_id, fact in facts.items()], [
        *unsubscribed,
        *unowned,
    ]


def _add_owned(
    facts: Mapping[str, dict[str, Any]], owned: Mapping[str, dict[str, list[int]]]
) -> None:
    """Add owned partitions from OFFSETS to members without `owned` and `current` partitions.

    OFFSETS shows a member's current partitions, not its future partitions. A member without rows in
    OFFSETS owns nothing, but if a listing counted the member's partitions, or if no row of OFFSETS
    has an owner, its owned partitions are unknown.
    """
    for member_id, fact in facts.items():
        fact.setdefault("owned", None)
        if fact["owned"] is None and fact.get("current") is None:
            nothing = None if fact.get("partition_count") or not owned else {}
            fact["owned"] = owned.get(member_id, nothing)


def _facts(offsets: "pa.Table", members: "pa.Table") -> dict[str, dict[str, Any]]:
    """Return the columns of each member, by member id, in the order of members. A column has its
    first known value.
    """
    facts: dict[str, dict[str, Any]] = {}
    is_member = names(members["member_id"]).code >= 0
    rows = members.filter(is_member).select(_COLUMNS).to_pylist()
    rows += _first_rows_of_owners(offsets)
    for row in sorted(rows, key=_order(offsets, members)):
        for key in _HELD:
            row[key] = _by_topic(row.get(key))
        fact = facts.setdefault(row.pop("member_id"), {})
        fact.update((key, value) for key, value in row.items() if fact.get(key) is None)
    return facts


def _first_rows_of_owners(offsets: "pa.Table") -> list[dict[str, Any]]:
    member = names(offsets["member_id"]).code
    codes, rows = np.unique(member, return_index=True)
    return offsets.select(("member_id", *_ABOUT, *_SOURCE)).take(rows[codes >= 0]).to_pylist()


def _order(offsets: "pa.Table", members: "pa.Table") -> Callable[[dict[str, Any]], tuple]:
    """Return a sort key: members with an order, then rows without offsets, then rows with offsets.

    Rows of different files have the order of the files.
    """
    formats = set(names(offsets["source_format"]).name)
    of_offsets, of_members = names(offsets["source_file"]).name, names(members["source_file"]).name
    place = {True: _places([*of_offsets, *of_members]), False: _places(of_members)}

    def key(row: dict[str, Any]) -> tuple:
        if row.get("member_order") is not None:
            return 0, 0, row["member_order"]
        has_offsets = row["source_format"] in formats
        return (
            1 + has_offsets,
            place[has_offsets].get(row["source_file"], 0),
            row["source_line"] or 0,
        )

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
    rows = np.column_stack([member.code, rank[topic.code], integers(offsets["partition"])])[
        member.code >= 0
    ]
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
        assignment_user_data=not_negative(fact.get("assignment_user_data")),
        **{
            key: fact.get(key)
            for key in (*_ABOUT, "subscribed_regex", "owned", "current", "generation", "protocol")
        },
    )
