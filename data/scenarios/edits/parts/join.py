"""Members that join a group: new ones like another, and those that come back."""

from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.assignors.edits.add_members import add_members
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.parts.new_ids import client_of
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after
from evenkeel.data.scenarios.edits.parts.subscription import Subscription, subscription_of_member


class Model(NamedTuple):
    """What a member that joins says of itself."""

    subscription: Subscription
    client_id: str
    rack: str | None


def model_of(group: ObservedGroup, member_id: str) -> Model:
    """Return what a member of the group says of itself."""
    row = group.snapshot.member_id.index(member_id)
    return Model(subscription_of_member(group, row), client_of(group, row), group.snapshot.rack_of(row))


def join(group: ObservedGroup, model: Model, member_ids: Sequence[str], instance_ids: Sequence[str | None]) -> ObservedGroup:
    """Return the group with these members."""
    edited = add_members(group.snapshot, member_ids, instance_ids, model.rack, *model.subscription, is_classic=group.is_classic)
    return observed_after(group, edited, model.client_id)
