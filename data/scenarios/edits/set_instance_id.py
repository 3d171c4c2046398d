"""`set_instance_id`: a dynamic member becomes static (KIP-345), or a static member dynamic."""

from dataclasses import replace
from typing import ClassVar

from evenkeel.assignors.group.edits.result import rows_of, same_rows
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


class SetInstanceId(GroupEdit, frozen=True, kw_only=True, tag="set_instance_id"):
    """If `instance_id` is null, the member becomes dynamic."""

    form: ClassVar = Form(
        4,
        "Members become static",
        "push_pin",
        (MEMBERS._replace(help="group.instance.id is each member's short name."),),
        lambda values, names: [
            {"member_id": each, "instance_id": names.get(each, each)}
            for each in values["member_ids"]
        ],
        lambda given: {"member_ids": [given["member_id"]]},
    )

    member_id: str
    instance_id: str | None = None

    def in_words(self, names: Names) -> str:
        who, _ = said([self.member_id], names)
        return (
            f"{who} becomes dynamic"
            if self.instance_id is None
            else f"{who} becomes static, {self.instance_id}"
        )

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, [self.member_id], at, "member_id")
        others = zip(group.snapshot.member_id, group.snapshot.instance_id, strict=True)
        if self.instance_id is not None and any(
            self.instance_id == each for member, each in others if member != self.member_id
        ):
            raise at.refusal(
                "instance_id",
                f'"{self.instance_id}" is the id of another member, expected an unused id',
            )
        (row,) = rows_of(group.snapshot, [self.member_id]).tolist()
        instances = (
            *group.snapshot.instance_id[:row],
            self.instance_id,
            *group.snapshot.instance_id[row + 1 :],
        )
        return observed_after(
            group, same_rows(group.snapshot, replace(group.snapshot, instance_id=instances))
        )
