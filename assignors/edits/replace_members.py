"""Members come back under other ids: what they own and say stays as it is (static membership, KIP-345)."""

from collections.abc import Mapping
from dataclasses import replace

from assignors.edits.edited import Edited, rows_of, unmoved
from assignors.group import GroupSnapshot


def replace_members(group: GroupSnapshot, new_id: Mapping[str, str]) -> Edited:
    """Return the group where each of these members has its new id, in the same row.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
    """
    rows_of(group, list(new_id))
    return unmoved(group, replace(group, member_id=tuple(new_id.get(member_id, member_id) for member_id in group.member_id)))
