"""`remove_members`: members leave or die."""

from typing import ClassVar

from evenkeel.assignors.group.edits.members import remove_members
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import (
    MEMBERS,
    EditPlace,
    Form,
    GroupEdit,
    Names,
    require_members,
    said,
)
from evenkeel.data.scenarios.edits.group_after import observed_after
from evenkeel.data.scenarios.size import SizeOfGroup


class RemoveMembers(GroupEdit, frozen=True, kw_only=True, tag="remove_members"):
    """Partitions of removed members have no owner until the rebalance ends."""

    form: ClassVar = Form(1, "Members stop", "person_remove", (MEMBERS,))

    member_ids: list[str]

    def in_words(self, names: Names) -> str:
        who, ending = said(self.member_ids, names)
        return f"{who} stop{ending}"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, self.member_ids, at)
        return observed_after(group, remove_members(group.snapshot, self.member_ids))

    def resize(self, size: SizeOfGroup) -> None:
        size.member_count -= len(self.member_ids)
