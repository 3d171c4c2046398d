"""A member becomes static, gets another instance id, or becomes dynamic again."""

from dataclasses import replace

from evenkeel.assignors.edits.rows.edit_result import EditResult, rows_of, same_rows
from evenkeel.assignors.group import GroupSnapshot


def set_instance_id(group: GroupSnapshot, member_id: str, instance_id: str | None) -> EditResult:
    """Return the group where this member has this `group.instance.id`, None for a dynamic member.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
    """
    (row,) = rows_of(group, [member_id]).tolist()
    instances = (*group.instance_id[:row], instance_id, *group.instance_id[row + 1 :])
    return same_rows(group, replace(group, instance_id=instances))
