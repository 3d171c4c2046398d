"""Members subscribe to other topics: what they own stays theirs until the next rebalance."""

from collections.abc import Sequence

from evenkeel.assignors.edits.rows.edit_result import EditResult, rows_of
from evenkeel.assignors.edits.rows.subscription_lists import with_subscription
from evenkeel.assignors.edits.rows.topic_names import with_topic_names
from evenkeel.assignors.group import GroupSnapshot


def set_subscription(
    group: GroupSnapshot, member_ids: Sequence[str], topics: Sequence[str], named: Sequence[str] = (), expression: str | None = None
) -> EditResult:
    """Return the group where these members subscribe to `topics`; with an `expression`, `named` are those that they name.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
    """
    edited = with_topic_names(group, {*topics, *named})
    row = {name: number for number, name in enumerate(edited.group.topic_name)}
    members = rows_of(group, member_ids)
    return edited._replace(
        group=with_subscription(edited.group, members, [row[name] for name in topics], [row[name] for name in named], expression)
    )
