"""Members come back under other ids: what they own and say stays as it is (static membership, KIP-345)."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from evenkeel.assignors.edits.rows.coordinator_order import order_with_inserted
from evenkeel.assignors.edits.rows.edit_result import EditResult, rows_of
from evenkeel.assignors.edits.rows.member_rows import with_member_rows
from evenkeel.assignors.group import GroupSnapshot


def replace_members(group: GroupSnapshot, new_id: Mapping[str, str], *, is_classic: bool = True) -> EditResult:
    """Return the group where each of these members has its new id, as its coordinator reports it then.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
    """
    is_new = np.zeros(group.member_count, dtype=bool)
    is_new[rows_of(group, list(new_id))] = True
    named = replace(
        group,
        member_id=tuple(new_id.get(member_id, member_id) for member_id in group.member_id),
        order_sent={new_id.get(member_id, member_id): topics for member_id, topics in group.order_sent.items()},
    )
    after, member_row = with_member_rows(named, order_with_inserted(named, is_new, is_classic=is_classic))
    return EditResult(after, member_row, np.arange(group.topic_count, dtype=np.int32))
