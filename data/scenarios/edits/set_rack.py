"""`set_rack`: members report another rack when they join the next time."""

from typing import ClassVar

from evenkeel.assignors.group.edits.partitions import with_member_rack
from evenkeel.assignors.group.edits.result import rows_of, same_rows
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import (
    MEMBERS,
    EditPlace,
    Field,
    Form,
    GroupEdit,
    Names,
    require_members,
    said,
)
from evenkeel.data.scenarios.edits.group_after import observed_after


class SetRack(GroupEdit, frozen=True, kw_only=True, tag="set_rack"):
    """`rack`: null means that `client.rack` is not set. An empty text also means no rack, as
    librdkafka reports it.
    """

    form: ClassVar = Form(
        6, "Members move to another rack", "dns", (MEMBERS, Field("rack", "Rack", "rack"))
    )

    member_ids: list[str]
    rack: str | None = None

    def in_words(self, names: Names) -> str:
        who, _ = said(self.member_ids, names)
        return f"{who} in rack {self.rack}" if self.rack else f"{who} without a rack"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, self.member_ids, at)
        snapshot = group.snapshot
        # The protocol has an empty string for no rack.
        return observed_after(
            group,
            same_rows(
                snapshot, with_member_rack(snapshot, rows_of(snapshot, self.member_ids), self.rack)
            ),
        )
