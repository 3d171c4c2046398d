"""What every edit of a scenario is: named by its `op`, applied to a group, refused with its place."""

from typing import Annotated, ClassVar, NamedTuple

import msgspec

from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.document.shape import Shape
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.size import SizeOfGroup

Seed = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""JSON's numbers are exact up to here."""


class EditPlace(NamedTuple):
    """Where an edit stands in its scenario: step and edit count from 0."""

    step: int
    edit: int

    def refusal(self, key: str, reason: str) -> "RefusedEditError":
        """Return the error for one argument of the edit."""
        return RefusedEditError(self, f"{key}: {reason}")


class RefusedEditError(SnapshotError):
    """An edit names what is not there, or asks for what Kafka cannot do; `reason` begins with the argument."""

    def __init__(self, at: EditPlace, reason: str):
        super().__init__(at, reason)
        self.at, self.reason = at, reason

    def __str__(self) -> str:
        return f"steps[{self.at.step}].edits[{self.at.edit}].{self.reason}"


class Edit(Shape, frozen=True, tag_field="op"):
    """One change of a group. `off`: it stays in the list and does nothing."""

    off: bool = False

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        """Return the group as it joins the rebalance.

        Raises
        ------
        SnapshotError
            When the edit names what is not there, with its place.
        """
        raise NotImplementedError

    def resize(self, size: SizeOfGroup) -> str | None:
        """Change the size as `apply` changes the group; return the argument that makes it larger, None where nothing does."""
        return None

    def apply_later(self, group: ObservedGroup, at: EditPlace, before: ObservedGroup) -> ObservedGroup | None:
        """Return the group as it joins a second rebalance of the same step, None where there is none.

        `group` rests after the first one; `before`: the group before the edit.
        """
        return None

    causes_rebalance: ClassVar[bool] = True
    """Whether Kafka rebalances because of it; a step all of whose edits cause none moves nothing."""

    def is_quiet(self, group: ObservedGroup) -> bool:
        """Tell whether the edit alone causes no rebalance."""
        return not self.causes_rebalance

    def renamed(self, group: ObservedGroup, at: EditPlace) -> dict[str, str]:
        """Return the members that come back in the same rebalance under another id: former id to new id."""
        return {}


def require_members(group: ObservedGroup, member_ids: list[str], at: EditPlace, key: str = "member_ids") -> None:
    """Check that the group has these members, each named once.

    Raises
    ------
    SnapshotError
        With the place of the first one that it has not.
    """
    present, seen = set(group.snapshot.member_id), set()
    for number, member_id in enumerate(member_ids):
        path = key if key != "member_ids" else f"member_ids[{number}]"
        if member_id not in present:
            raise at.refusal(path, f'no member "{member_id}"')
        if member_id in seen:
            raise at.refusal(path, f'member "{member_id}" twice, expected once')
        seen.add(member_id)


def require_topic(group: ObservedGroup, name: str, at: EditPlace, key: str = "topic") -> int:
    """Return the row of a topic; SnapshotError with the place where there is none."""
    names = group.snapshot.topic_name
    row = names.index(name) if name in names else -1
    if row < 0 or not group.snapshot.topic_known[row]:
        raise at.refusal(key, f'no topic "{name}"')
    return row
