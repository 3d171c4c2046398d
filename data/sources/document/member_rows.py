"""The rows of MEMBERS of one group document, and the owners in it."""

from collections.abc import Iterable
from typing import Any

from evenkeel.data.document import Document, Held, Member

MEMBER = ("member_id", "instance_id", "client_id", "host", "rack")
"""Columns about a member that OFFSETS has too."""


def owners(members: Iterable[Member], topics: Iterable[str]) -> dict[str, dict[int, Member]]:
    """Return the member that has each partition of the topics now; of several claimants the first."""
    owners: dict[str, dict[int, Member]] = {topic: {} for topic in topics}
    for member in members:
        held = (member.owned if member.current is None else member.current) or {}
        for topic in owners.keys() & held.keys():
            for partition in held[topic] or ():
                owners[topic].setdefault(partition, member)
    return owners


def member_columns(document: Document) -> dict[str, list]:
    """Return the columns of MEMBERS: a head row about the group alone, and a row for each member."""
    rows: list[dict[str, Any]] = [
        {
            "subscribed": [topic.name for topic in document.topics or ()],
            "assumed": document.assumed or [],
            "group_epoch": document.group_epoch,
            "assignment_epoch": document.assignment_epoch,
            "leader": document.leader and document.leader.client,
            "leader_certain": document.leader and document.leader.certain,
        }
    ]
    for order, member in enumerate(document.members or ()):
        joined = member.joined_with
        rows.append(
            {
                **{column: getattr(member, column) for column in (*MEMBER, "subscribed", "subscribed_regex", "generation", "epoch")},
                "member_order": order,
                "owned": _held(member.owned),
                "current": _held(member.current),
                "joined_owned": _held(joined.owned) if joined else None,
                "joined_generation": joined.generation if joined else None,
            }
        )
    columns = dict.fromkeys(key for row in rows for key in row)
    return {column: [row.get(column) for row in rows] for column in columns}


def _held(held: Held | None) -> list[dict[str, Any]] | None:
    return (
        None
        if held is None
        else [{"topic": topic, "partitions": partitions} for topic, partitions in held.items() if partitions is not None]
    )
