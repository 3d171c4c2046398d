"""`set_rack`: members say another rack when they next join."""

from evenkeel.assignors.edits.set_rack import set_rack
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, require_members
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after


class SetRack(Edit, frozen=True, kw_only=True, tag="set_rack"):
    """`rack` null: no `client.rack`; empty: librdkafka's way to say so."""

    member_ids: list[str]
    rack: str | None = None

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, self.member_ids, at)
        # The wire carries "no rack" of a member as an empty string.
        return observed_after(group, set_rack(group.snapshot, self.member_ids, self.rack))
