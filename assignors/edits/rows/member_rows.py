"""Members in other rows: the columns of a group that have a value for each member, and its claims."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.edits.rows.edit_result import GONE
from evenkeel.assignors.group import GroupSnapshot


def with_member_rows(group: GroupSnapshot, kept: np.ndarray) -> tuple[GroupSnapshot, np.ndarray]:
    """Return the group with these members in this order, and the row that each former member has now, int32 (M,), or `GONE`.

    `kept` int32: rows of `group`, each at most once.
    """
    row = np.full(group.member_count, GONE, dtype=np.int32)
    row[kept] = np.arange(kept.size, dtype=np.int32)
    claim = _in_new_order(row[group.claim_member])
    empty = _in_new_order(row[group.owned_empty[:, 0]])
    places = kept.tolist()
    after = replace(
        group,
        member_id=tuple(group.member_id[place] for place in places),
        instance_id=tuple(group.instance_id[place] for place in places),
        member_rack=group.member_rack[kept],
        has_empty_rack=None if group.has_empty_rack is None else group.has_empty_rack[kept],
        generation=group.generation[kept],
        subscription=group.subscription[kept],
        named=None if group.named is None else group.named[kept],
        expression=tuple(group.expression[place] for place in places) if group.expression else (),
        claim_member=row[group.claim_member[claim]],
        claim_topic=group.claim_topic[claim],
        claim_partition=group.claim_partition[claim],
        owned_empty=np.column_stack((row[group.owned_empty[empty, 0]], group.owned_empty[empty, 1:])).astype(np.int32),
    )
    return after, row


def _in_new_order(member: np.ndarray) -> np.ndarray:
    """Return the places of what members have that are not gone, by their new rows, within a member as before."""
    places = np.flatnonzero(member != GONE)
    return places[np.argsort(member[places], kind="stable")]
