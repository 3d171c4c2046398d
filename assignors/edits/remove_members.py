"""Members leave: what they own has no owner until the next rebalance has ended."""

from collections.abc import Sequence

import numpy as np

from evenkeel.assignors.edits.rows.edit_result import EditResult, rows_of
from evenkeel.assignors.edits.rows.member_rows import with_member_rows
from evenkeel.assignors.group import GroupSnapshot


def remove_members(group: GroupSnapshot, member_ids: Sequence[str]) -> EditResult:
    """Return the group without these members; the others keep their order.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
    """
    stays = np.ones(group.member_count, dtype=bool)
    stays[rows_of(group, member_ids)] = False
    after, member_row = with_member_rows(group, np.flatnonzero(stays).astype(np.int32))
    return EditResult(after, member_row, np.arange(group.topic_count, dtype=np.int32))
