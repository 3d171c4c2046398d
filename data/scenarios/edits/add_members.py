"""`add_members`: members join."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec

from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import (
    FIRST,
    RE2,
    SEED,
    WIDTH,
    EditPlace,
    Field,
    Form,
    GroupEdit,
    Names,
    Seed,
    require_members,
)
from evenkeel.data.scenarios.edits.group_after import (
    Model,
    join,
    model_of,
    new_member_id,
    subscription_of,
)
from evenkeel.data.scenarios.size import SizeOfGroup
from evenkeel.data.text.formats import count
from evenkeel.data.text.names import elided

MOST_MEMBERS = 10_000
_NEW_CLIENT = "new"


class AddMembers(GroupEdit, frozen=True, kw_only=True, tag="add_members"):
    """New members have the client id, subscription and rack of the member `like`.

    If other arguments are given, they replace the values of `like`.
    """

    form: ClassVar = Form(
        2,
        "Members join",
        "person_add",
        (
            Field("count", "How many", "whole", 1, least=1),
            Field(
                "like",
                "Like",
                "member",
                FIRST,
                "New members have its client id, subscription and rack.",
            ),
            Field("subscribed", "Topics, if different", "topics"),
            Field("subscribed_regex", "Topics that match", "text", None, RE2),
            Field("rack", "Rack, if different", "rack"),
            Field(
                "instance_ids",
                "group.instance.id of each member, one per line",
                "lines",
                None,
                "If empty: new members are dynamic.",
            ),
            SEED,
        ),
    )

    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_MEMBERS)]
    like: str | None = None
    subscribed: list[str] | None = None
    subscribed_regex: str | None = None
    client_id: str | None = None
    rack: str | None = None
    instance_ids: list[str] | None = None
    seed: Seed = 0

    def in_words(self, names: Names) -> str:
        facts = {
            f"like {elided(names.get(self.like or '', self.like or ''), WIDTH)}": self.like,
            f"on {', '.join(self.subscribed or ())}": self.subscribed,
            f"on topics that match {self.subscribed_regex}": self.subscribed_regex,
            f"in rack {self.rack}": self.rack,
            "static": self.instance_ids,
        }
        who = f"{count(self.count, 'member')} join{'s' * (self.count == 1)}"
        return ", ".join([who, *(fact for fact, is_given in facts.items() if is_given)])

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        model, instances = self._model(group, at), self._instances(group, at)
        ids = [
            new_member_id(group, model.client_id, instance, self.seed, at, number)
            for number, instance in enumerate(instances)
        ]
        return join(group, model, ids, instances)

    def resize(self, size: SizeOfGroup) -> str:
        size.member_count += self.count
        size.subscription_count += self.like is None
        size.match(self.subscribed_regex)
        return "count"

    def _model(self, group: ObservedGroup, at: EditPlace) -> Model:
        like = None
        if self.like is not None:
            require_members(group, [self.like], at, "like")
            like = model_of(group, self.like)
        if self.subscribed is not None or self.subscribed_regex is not None:
            subscription = subscription_of(
                group, self.subscribed, self.subscribed_regex, at, "subscribed_regex"
            )
        elif like is not None:
            subscription = like.subscription
        else:
            raise at.refusal(
                "like", "missing, expected a member to be like, or subscribed, or subscribed_regex"
            )
        return Model(
            subscription,
            self.client_id or (like.client_id if like else _NEW_CLIENT),
            self.rack or (like and like.rack),
        )

    def _instances(self, group: ObservedGroup, at: EditPlace) -> Sequence[str | None]:
        instances: Sequence[str | None] = self.instance_ids or [None] * self.count
        if len(instances) != self.count:
            raise at.refusal(
                "instance_ids",
                f"{len(instances):,} ids, expected {self.count:,}, one for each new member",
            )
        taken = set(group.snapshot.instance_id) - {None}
        for number, instance in enumerate(instances):
            if instance in taken:
                raise at.refusal(
                    f"instance_ids[{number}]",
                    f'"{instance}" is the id of another member, expected an unused id',
                )
            taken |= {instance} - {None}
        return instances
