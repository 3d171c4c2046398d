"""`set_instance_id`: a member becomes static (KIP-345), or dynamic again."""

from evenkeel.assignors.edits.set_instance_id import set_instance_id
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, require_members
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after


class SetInstanceId(Edit, frozen=True, kw_only=True, tag="set_instance_id"):
    """`instance_id` null: a dynamic member."""

    member_id: str
    instance_id: str | None = None

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, [self.member_id], at, "member_id")
        others = zip(group.snapshot.member_id, group.snapshot.instance_id, strict=True)
        if self.instance_id is not None and any(self.instance_id == each for member, each in others if member != self.member_id):
            raise at.refusal("instance_id", f'"{self.instance_id}" is the id of another member, expected one of its own')
        return observed_after(group, set_instance_id(group.snapshot, self.member_id, self.instance_id))
