"""`set_subscription`: members subscribe to other topics."""

from evenkeel.assignors.edits.set_subscription import set_subscription
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, require_members
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after
from evenkeel.data.scenarios.edits.parts.subscription import subscription_of
from evenkeel.data.scenarios.size import SizeOfGroup


class SetSubscription(Edit, frozen=True, kw_only=True, tag="set_subscription"):
    """`topics` by name, or all that match `regex` (RE2), or both. What members own stays theirs until the rebalance."""

    member_ids: list[str]
    topics: list[str] | None = None
    regex: str | None = None

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, self.member_ids, at)
        if self.topics is None and self.regex is None:
            raise at.refusal("topics", "missing, expected topics or regex")
        now = subscription_of(group, self.topics, self.regex, at, "regex")
        return observed_after(group, set_subscription(group.snapshot, self.member_ids, *now))

    def resize(self, size: SizeOfGroup) -> str:
        size.subscription_count += 1
        return "topics"
