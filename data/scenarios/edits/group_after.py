"""The group after an edit: owners, client ids, assumptions, subscriptions and new members."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.edits.members import add_members
from evenkeel.assignors.group.edits.result import GONE, EditResult, carry_over
from evenkeel.assignors.group.edits.subscriptions import set_subscription
from evenkeel.assignors.group.snapshot import named_as_sent, topics_as_sent
from evenkeel.assignors.protocol import CONSUMER, SHARE
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.matching import with_matches
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import EditPlace, new_uuid, printed

UUID_AT_END = re.compile(r"-[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
_NO_CLIENT = "consumer"
_MEMBER = re.compile(r"members\[([0-9]{1,9})\]")


def observed_after(
    group: ObservedGroup,
    edited: EditResult,
    client_id: str | None = None,
    assumed: Iterable[str] = (),
) -> ObservedGroup:
    """Return the group after an edit, from the edit's result `edited`.

    `client_id`: client id of new members. `assumed`: paths that the edit assumes; the group's own
    assumed paths remain.
    """
    row = edited.member_row
    return replace(
        group,
        snapshot=edited.group,
        current=None
        if group.current is None
        else carry_over(group.current, group.snapshot, edited),
        client_id=_by_member(group.client_id, edited, client_id),
        host=_by_member(group.host, edited),
        epoch=_epochs(group, edited),
        subscribed_regex=edited.group.expression,
        # The members' last metadata and the leader's bytes belong to the listed assignment, not to
        # the one after the edit.
        joined_with=(),
        protocol=(),
        assignment_user_data=None,
        topic_order=_topic_order(group, edited),
        assumed=tuple(
            sorted(
                {
                    *(path for path in (_renumbered(path, row) for path in group.assumed) if path),
                    *assumed,
                }
            )
        ),
    )


def _by_member(values: Sequence, edited: EditResult, new=None) -> tuple:
    after = [new] * edited.group.member_count
    for value, row in zip(values, edited.member_row.tolist(), strict=True):
        if row != GONE:
            after[row] = value
    return tuple(after)


def _epochs(group: ObservedGroup, edited: EditResult) -> np.ndarray:
    epoch, stays = (
        np.full(edited.group.member_count, UNKNOWN, dtype=np.int64),
        edited.member_row != GONE,
    )
    epoch[edited.member_row[stays]] = group.epoch[stays]
    return epoch


def _topic_order(group: ObservedGroup, edited: EditResult) -> np.ndarray:
    count = edited.group.topic_count
    order = np.full(count, GONE, dtype=np.int64)
    order[edited.topic_row] = group.topic_order
    order[order == GONE] = np.arange(len(group.topic_order), count)
    return order


def _renumbered(path: str, row: np.ndarray) -> str | None:
    """Return an assumed path with the member's new index; None if the member has left.

    `row`: the new index by former index.
    """
    named = _MEMBER.match(path)
    if not named:
        return path
    place = row[int(named[1])] if int(named[1]) < row.size else GONE
    return None if place == GONE else f"members[{place}]{path[named.end() :]}"


class Subscription(NamedTuple):
    """The subscription of a member.

    `topics`: all subscribed topics. `expression`: the regular expression, if any. `named`: topics
    that are subscribed by name, if there is an expression; else empty.
    """

    topics: list[str]
    named: list[str] = []
    expression: str | None = None


def subscription_of(
    group: ObservedGroup, topics: list[str] | None, expression: str | None, at: EditPlace, key: str
) -> Subscription:
    """Return the subscription to the topics `topics`, to all matches of `expression`, or to both.

    Raises
    ------
    SnapshotError
        If the expression is not valid RE2. The message names the place.
    """
    named = list(topics or ())
    if expression is None:
        return Subscription(named)
    known = [
        name
        for name, is_known in zip(
            group.snapshot.topic_name, group.snapshot.topic_known, strict=True
        )
        if is_known
    ]
    try:
        (matched,) = with_matches([named], [expression], known)
    except SnapshotError as error:
        raise at.refusal(key, str(error).partition(": ")[2]) from None
    return Subscription(list(matched), named, expression)


def subscription_of_member(group: ObservedGroup, row: int) -> Subscription:
    """Return the subscription of the member with the index `row`."""
    snapshot = group.snapshot
    topics = _names(snapshot, topics_as_sent(snapshot, row))
    expression = snapshot.expression[row] if snapshot.expression else None
    if expression is None:
        return Subscription(topics)
    return Subscription(topics, _names(snapshot, named_as_sent(snapshot, row)), expression)


def with_matches_again(group: ObservedGroup, at: EditPlace) -> ObservedGroup:
    """Match the members' regular expressions with the group's topics again; return the group."""
    snapshot = group.snapshot
    members: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for row, expression in enumerate(snapshot.expression):
        if expression:
            members.setdefault(
                (expression, tuple(_names(snapshot, named_as_sent(snapshot, row)))), []
            ).append(snapshot.member_id[row])
    for (expression, named), ids in members.items():
        now = subscription_of(group, list(named), expression, at, "name")
        group = observed_after(
            group, set_subscription(group.snapshot, ids, now.topics, now.named, expression)
        )
    return group


def _names(snapshot: GroupSnapshot, topics: np.ndarray) -> list[str]:
    return [snapshot.topic_name[topic] for topic in topics.tolist()]


class Model(NamedTuple):
    """What a new member takes from another member: subscription, client id and rack."""

    subscription: Subscription
    client_id: str
    rack: str | None


def model_of(group: ObservedGroup, member_id: str) -> Model:
    """Return subscription, client id and rack of a member, to be copied to new members."""
    row = group.snapshot.member_id.index(member_id)
    return Model(
        subscription_of_member(group, row), client_of(group, row), group.snapshot.rack_of(row)
    )


def join(
    group: ObservedGroup,
    model: Model,
    member_ids: Sequence[str],
    instance_ids: Sequence[str | None],
) -> ObservedGroup:
    """Return the group with new members that are like `model`."""
    edited = add_members(
        group.snapshot,
        member_ids,
        instance_ids,
        model.rack,
        *model.subscription,
        is_classic=group.is_classic,
    )
    return observed_after(group, edited, model.client_id)


def new_member_id(
    group: ObservedGroup,
    client_id: str,
    instance_id: str | None,
    seed: int,
    at: EditPlace,
    number: int,
) -> str:
    """Return the id of a new member; `number`: index of the member among the edit's new members.

    In a classic group the broker makes the id: `<client.id>-<UUID>`, or for a static member
    `<group.instance.id>-<UUID>` (`ClassicGroup.generateMemberId`). A KIP-848 member makes its own
    id, a UUID that Kafka prints as 22 characters of base64url.
    """
    made = new_uuid(seed, at, f"member {number}")
    if group.group_type in (CONSUMER, SHARE):
        return printed(made)
    return f"{client_id if instance_id is None else instance_id}-{made}"


def client_of(group: ObservedGroup, member_row: int) -> str:
    """Return a member's client id; if it is unknown, the member id without the UUID at its end."""
    return (
        group.client_id[member_row]
        or UUID_AT_END.sub("", group.snapshot.member_id[member_row])
        or _NO_CLIENT
    )
