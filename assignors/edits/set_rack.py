"""Members say another rack when they next join."""

from collections.abc import Sequence
from dataclasses import replace

from assignors.edits.rows.edited import Edited, rows_of, unmoved
from assignors.edits.rows.rack_names import rack_row, with_rack_names
from assignors.group import GroupSnapshot


def set_rack(group: GroupSnapshot, member_ids: Sequence[str], rack: str | None) -> Edited:
    """Return the group where these members have this rack, None for no rack.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
    """
    after = with_rack_names(group, [rack])
    member_rack = after.member_rack.copy()
    member_rack[rows_of(group, member_ids)] = rack_row(after, rack)
    return unmoved(group, replace(after, member_rack=member_rack))
