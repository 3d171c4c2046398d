"""`remove_members`: members leave or die."""

from evenkeel.assignors.edits.remove_members import remove_members
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, require_members
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after
from evenkeel.data.scenarios.size import SizeOfGroup


class RemoveMembers(Edit, frozen=True, kw_only=True, tag="remove_members"):
    """What they own has no owner until the rebalance has ended."""

    member_ids: list[str]

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, self.member_ids, at)
        return observed_after(group, remove_members(group.snapshot, self.member_ids))

    def resize(self, size: SizeOfGroup) -> None:
        size.member_count -= len(self.member_ids)
