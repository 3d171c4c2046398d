"""One group of the tables OFFSETS, MEMBERS, TOPICS becomes an observed group."""

from datetime import datetime
from typing import TYPE_CHECKING

from evenkeel.assignors import CLIENTS
from evenkeel.data.budget import Budget
from evenkeel.data.columns.group import observed_group
from evenkeel.data.columns.group_rows import GroupKey, at_instant, instant_of, of_group
from evenkeel.data.columns.members import listed_members
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.columns.topics import listed_topics
from evenkeel.data.document import DEAD, EMPTY, FORMAT, Document, Leader
from evenkeel.data.tables.arrow import as_datetime, first, integers, names, not_negative, of_documents

if TYPE_CHECKING:
    import pyarrow as pa

_GROUP_TYPES = ("classic", "consumer", "share", "streams")
_WITHOUT_MEMBERS = (EMPTY, DEAD)


def group_keys(offsets: "pa.Table", members: "pa.Table", topics: "pa.Table") -> list[GroupKey]:
    """Return the groups of the tables in the order of their first rows; topics alone are one unnamed group."""
    keys: dict[GroupKey, None] = {}
    for table in (offsets, members):
        # One thread: with several, pyarrow returns groups in no fixed order.
        distinct = table.select(["group_id", "source_file"]).group_by(["group_id", "source_file"], use_threads=False).aggregate([])
        for row in distinct.to_pylist():
            keys[GroupKey(row["group_id"], None if row["group_id"] is not None else row["source_file"])] = None
    return list(keys) or [GroupKey(None)] * bool(topics.num_rows)


def observed_from_tables(
    offsets: "pa.Table",
    members: "pa.Table",
    topics: "pa.Table",
    group_id: str | None,
    source_file: str | None = None,
    at: datetime | None = None,
    budget: Budget | None = None,
) -> ObservedGroup:
    """Number the names of one group, at its latest instant or at the instant `at`; `source_file` restricts the rows to one file.

    A topic's size is what TOPICS says, else the highest partition + 1, which `assumed` names. `members` is assumed unless an idle member or
    a `--members` listing shows that members were listed. A subscription that no listing printed is assumed to be all topics that any member
    owns. Where only the number of a member's partitions was printed, what it owns is unknown, and `assumed` names it. Where no topic is
    named, `topics` is assumed.

    Raises
    ------
    TooLargeError
        When the group takes more memory than the budget allows.
    """
    offsets, members = (of_group(table, GroupKey(group_id, source_file)) for table in (offsets, members))
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
    assumed = {*(first([members], "assumed") or ()), *unknown, *(f"topics[{place}].partitions" for place in grown)}
    if described is None and not _members_are_listed(members, head, bool(listed)):
        assumed.add("members")
    if described is None and not columns.partition_count.size:
        assumed.add("topics")
    return observed_group(head, columns, listed, assumed, cluster=first([members, offsets], "cluster"))


def _document_head(members: "pa.Table") -> "pa.Table":
    """Return the row that names the topics of a group document; a listing has none."""
    return members.filter((names(members["member_id"]).code < 0) & members["subscribed"].is_valid().to_numpy()).slice(0, 1)


def _of_line(topics: "pa.Table", document: "pa.Table") -> "pa.Table":
    """Rows of TOPICS that the same document gave: another document may know other topics of these names."""
    file, line = names(topics["source_file"]), integers(topics["source_line"])
    source = {name: code for code, name in enumerate(file.name)}.get(document["source_file"][0].as_py(), -1)
    return topics.filter((file.code == source) & (line == document["source_line"][0].as_py()))


def _head(offsets: "pa.Table", members: "pa.Table", group_id: str | None, taken_at: datetime | None) -> Document:
    facts = {column: first([members, offsets], column) for column in ("auto_offset_reset", "assignor")}
    epochs = {column: not_negative(first([members], column)) for column in ("group_epoch", "assignment_epoch")}
    group_type = (first([members, offsets], "group_type") or "").lower()
    kind = group_type if group_type in _GROUP_TYPES else None
    client = first([members], "leader")
    leader = Leader(client, bool(first([members], "leader_certain"))) if client in CLIENTS else None
    state = first([members, offsets], "group_state")
    return Document(format=FORMAT, group_id=group_id, taken_at=taken_at, type=kind, state=state, leader=leader, **facts, **epochs)


def _members_are_listed(members: "pa.Table", head: Document, any_owner: bool) -> bool:
    rows_of_members = bool((names(members["member_id"]).code >= 0).any())
    return rows_of_members or (head.state in _WITHOUT_MEMBERS and not any_owner)
