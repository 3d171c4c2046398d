"""What members subscribe to: names, and the topics that match an expression."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.edits.set_subscription import set_subscription
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import named_as_sent, topics_as_sent
from evenkeel.data.columns.expressions import with_matches
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after


class Subscription(NamedTuple):
    """`topics`: all that a member subscribes to. With an `expression`, `named` are those that it names."""

    topics: list[str]
    named: list[str] = []
    expression: str | None = None


def subscription_of(group: ObservedGroup, topics: list[str] | None, expression: str | None, at: EditPlace, key: str) -> Subscription:
    """Return a subscription by names, by an expression, or by both.

    Raises
    ------
    SnapshotError
        For what is no RE2 expression, with its place.
    """
    named = list(topics or ())
    if expression is None:
        return Subscription(named)
    known = [name for name, is_known in zip(group.snapshot.topic_name, group.snapshot.topic_known, strict=True) if is_known]
    try:
        (matched,) = with_matches([named], [expression], known)
    except SnapshotError as error:
        raise at.refusal(key, str(error).partition(": ")[2]) from None
    return Subscription(list(matched), named, expression)


def subscription_of_member(group: ObservedGroup, row: int) -> Subscription:
    """Return what a member subscribes to."""
    snapshot = group.snapshot
    topics = _names(snapshot, topics_as_sent(snapshot, row))
    expression = snapshot.expression[row] if snapshot.expression else None
    if expression is None:
        return Subscription(topics)
    return Subscription(topics, _names(snapshot, named_as_sent(snapshot, row)), expression)


def with_matches_again(group: ObservedGroup, at: EditPlace) -> ObservedGroup:
    """Return the group whose members with an expression subscribe to the topics that match it now."""
    snapshot = group.snapshot
    members: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for row, expression in enumerate(snapshot.expression):
        if expression:
            members.setdefault((expression, tuple(_names(snapshot, named_as_sent(snapshot, row)))), []).append(snapshot.member_id[row])
    for (expression, named), ids in members.items():
        now = subscription_of(group, list(named), expression, at, "name")
        group = observed_after(group, set_subscription(group.snapshot, ids, now.topics, now.named, expression))
    return group


def _names(snapshot: GroupSnapshot, topics: np.ndarray) -> list[str]:
    return [snapshot.topic_name[topic] for topic in topics.tolist()]
