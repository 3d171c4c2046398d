"""Members say another rack when they next join."""

from collections.abc import Sequence

from evenkeel.assignors.edits.rows.edit_result import EditResult, rows_of, same_rows
from evenkeel.assignors.edits.rows.rack_names import with_member_rack
from evenkeel.assignors.group import GroupSnapshot


def set_rack(group: GroupSnapshot, member_ids: Sequence[str], rack: str | None) -> EditResult:
    """Return the group where these members have this rack: None for no rack, the empty string as librdkafka says it.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
    """
    return same_rows(group, with_member_rack(group, rows_of(group, member_ids), rack))
