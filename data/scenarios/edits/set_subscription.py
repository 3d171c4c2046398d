"""`set_subscription`: members subscribe to other topics."""

from typing import ClassVar

from evenkeel.assignors.group.edits.subscriptions import set_subscription
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import (
    MEMBERS,
    RE2,
    EditPlace,
    Field,
    Form,
    GroupEdit,
    Names,
    require_members,
    said,
)
from evenkeel.data.scenarios.edits.group_after import observed_after, subscription_of
from evenkeel.data.scenarios.size import SizeOfGroup


class SetSubscription(GroupEdit, frozen=True, kw_only=True, tag="set_subscription"):
    """Members subscribe to `topics` by name, to all topics that match `regex` (RE2), or to both.

    Owners do not change until the rebalance.
    """

    form: ClassVar = Form(
        5,
        "Members change their subscription",
        "checklist",
        (
            MEMBERS,
            Field("topics", "Topics", "topics"),
            Field("regex", "Topics that match", "text", None, RE2),
        ),
    )

    member_ids: list[str]
    topics: list[str] | None = None
    regex: str | None = None

    def in_words(self, names: Names) -> str:
        who, ending = said(self.member_ids, names)
        subscription = [*(self.topics or ()), *([self.regex] if self.regex else ())]
        return f"{who} subscribe{ending} to {', '.join(subscription) or 'nothing'}"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, self.member_ids, at)
        if self.topics is None and self.regex is None:
            raise at.refusal("topics", "missing, expected topics or regex")
        now = subscription_of(group, self.topics, self.regex, at, "regex")
        return observed_after(group, set_subscription(group.snapshot, self.member_ids, *now))

    def resize(self, size: SizeOfGroup) -> str:
        size.subscription_count += 1
        size.match(self.regex)
        return "topics"
