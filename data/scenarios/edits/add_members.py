"""`add_members`: members join."""

from typing import Annotated

import msgspec

from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, Seed, require_members
from evenkeel.data.scenarios.edits.parts.join import Model, join, model_of
from evenkeel.data.scenarios.edits.parts.new_ids import new_member_id
from evenkeel.data.scenarios.edits.parts.subscription import subscription_of
from evenkeel.data.scenarios.size import SizeOfGroup

MOST_MEMBERS = 10_000
_NEW_CLIENT = "new"


class AddMembers(Edit, frozen=True, kw_only=True, tag="add_members"):
    """`like` names a member whose client id, subscription and rack the new ones have; other arguments override them."""

    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_MEMBERS)]
    like: str | None = None
    subscribed: list[str] | None = None
    subscribed_regex: str | None = None
    client_id: str | None = None
    rack: str | None = None
    instance_ids: list[str] | None = None
    seed: Seed = 0

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        model, instances = self._model(group, at), self._instances(group, at)
        ids = [new_member_id(group, model.client_id, instance, self.seed, at, number) for number, instance in enumerate(instances)]
        return join(group, model, ids, instances)

    def resize(self, size: SizeOfGroup) -> str:
        size.member_count += self.count
        size.subscription_count += self.like is None
        return "count"

    def _model(self, group: ObservedGroup, at: EditPlace) -> Model:
        says = self.subscribed is not None or self.subscribed_regex is not None
        if self.like is not None:
            require_members(group, [self.like], at, "like")
        elif not says:
            raise at.refusal("like", "missing, expected a member to be like, or subscribed, or subscribed_regex")
        like = None if self.like is None else model_of(group, self.like)
        subscription = subscription_of(group, self.subscribed, self.subscribed_regex, at, "subscribed_regex") if says else like.subscription
        return Model(subscription, self.client_id or (like.client_id if like else _NEW_CLIENT), self.rack or (like and like.rack))

    def _instances(self, group: ObservedGroup, at: EditPlace) -> list[str | None]:
        instances = self.instance_ids or [None] * self.count
        if len(instances) != self.count:
            raise at.refusal("instance_ids", f"{len(instances):,} ids, expected {self.count:,}, one for each new member")
        taken = set(group.snapshot.instance_id) - {None}
        for number, instance in enumerate(instances):
            if instance in taken:
                raise at.refusal(f"instance_ids[{number}]", f'"{instance}" is the id of another member, expected one of its own')
            taken |= {instance} - {None}
        return instances
