"""Members join: they own nothing yet."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evenkeel.assignors.edits.rows.coordinator_order import order_with_inserted
from evenkeel.assignors.edits.rows.edit_result import EditResult
from evenkeel.assignors.edits.rows.member_rows import with_member_rows
from evenkeel.assignors.edits.rows.rack_names import with_member_rack
from evenkeel.assignors.edits.rows.subscription_lists import with_subscription
from evenkeel.assignors.edits.rows.topic_names import with_topic_names
from evenkeel.assignors.group import NO_GENERATION, NO_RACK, GroupSnapshot


def add_members(
    group: GroupSnapshot,
    member_ids: Sequence[str],
    instance_ids: Sequence[str | None],
    rack: str | None,
    topics: Sequence[str],
    named: Sequence[str] = (),
    expression: str | None = None,
    *,
    is_classic: bool = True,
) -> EditResult:
    """Return the group with these members.

    Those of a classic group stand where its coordinator would report them, others behind the members that were there.

    Parameters
    ----------
    topics : sequence of str
        What each of them subscribes to; with an `expression`, `named` are those that they subscribe to by name.
    """
    listed, count = group.member_count, len(member_ids)
    named_topics = with_topic_names(group, {*topics, *named})
    wider = named_topics.group
    wider = replace(
        wider,
        member_id=(*wider.member_id, *member_ids),
        instance_id=(*wider.instance_id, *instance_ids),
        member_rack=np.append(wider.member_rack, np.full(count, NO_RACK, dtype=np.int32)),
        has_empty_rack=None if wider.has_empty_rack is None else np.append(wider.has_empty_rack, np.zeros(count, dtype=bool)),
        generation=np.append(wider.generation, np.full(count, NO_GENERATION, dtype=np.int32)),
        subscription=np.append(wider.subscription, np.zeros(count, dtype=np.int32)),
        named=None if wider.named is None else np.append(wider.named, np.zeros(count, dtype=np.int32)),
        expression=(*wider.expression, *(None,) * count) if wider.expression else (),
    )
    row = {name: number for number, name in enumerate(wider.topic_name)}
    new = np.arange(listed, listed + count, dtype=np.int32)
    wider = with_member_rack(wider, new, rack)
    wider = with_subscription(wider, new, [row[name] for name in topics], [row[name] for name in named], expression)
    every = np.arange(wider.member_count, dtype=np.int32)
    # A broker's assignor sees new members last: its group has them only after it has answered them.
    order = order_with_inserted(wider, every >= listed, is_classic=True) if is_classic else every
    after, member_row = with_member_rows(wider, order)
    return EditResult(after, member_row[:listed], named_topics.topic_row)
