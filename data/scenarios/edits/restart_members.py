"""`restart_members`: members stop and join again."""

from typing import ClassVar

from evenkeel.assignors.group.edits.members import remove_members, replace_members
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import (
    MEMBERS,
    SEED,
    EditPlace,
    Field,
    Form,
    GroupEdit,
    Names,
    Seed,
    require_members,
    said,
)
from evenkeel.data.scenarios.edits.group_after import (
    client_of,
    join,
    model_of,
    new_member_id,
    observed_after,
)


class RestartMembers(GroupEdit, frozen=True, kw_only=True, tag="restart_members"):
    """A dynamic member leaves and joins again with a new id.

    This causes two rebalances. With `together`, the member leaves and joins within one join phase,
    which causes one rebalance. A static member (KIP-345) that returns within `session.timeout.ms`
    causes no rebalance: it gets its former assignment under a new member id.
    """

    form: ClassVar = Form(
        3,
        "Members restart",
        "restart_alt",
        (
            MEMBERS,
            Field(
                "together",
                "Leave and join in one rebalance",
                "yes",
                False,
                "If a member leaves and joins within one join phase.",
            ),
            SEED,
        ),
    )

    member_ids: list[str]
    together: bool = False
    seed: Seed = 0

    def in_words(self, names: Names) -> str:
        who, ending = said(self.member_ids, names)
        return f"{who} restart{ending}" + (", in one rebalance" if self.together else "")

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, self.member_ids, at)
        static = {
            old: new
            for old, new in self._new_ids(group, at).items()
            if _instance(group, old) is not None
        }
        dynamic = [member_id for member_id in self.member_ids if member_id not in static]
        left = (
            observed_after(
                group, replace_members(group.snapshot, static, is_classic=group.is_classic)
            )
            if static
            else group
        )
        if not dynamic:
            return left
        gone = observed_after(left, remove_members(left.snapshot, dynamic))
        return self._back(group, gone, dynamic, at) if self.together else gone

    def apply_later(
        self, group: ObservedGroup, at: EditPlace, before: ObservedGroup
    ) -> ObservedGroup | None:
        dynamic = [
            member_id for member_id in self.member_ids if _instance(before, member_id) is None
        ]
        return None if self.together or not dynamic else self._back(before, group, dynamic, at)

    def is_quiet(self, group: ObservedGroup) -> bool:
        return all(
            _instance(group, member_id) is not None
            for member_id in self.member_ids
            if member_id in group.snapshot.member_id
        )

    def renamed(self, group: ObservedGroup, at: EditPlace) -> dict[str, str]:
        return self._new_ids(group, at)

    def _back(
        self, before: ObservedGroup, group: ObservedGroup, dynamic: list[str], at: EditPlace
    ) -> ObservedGroup:
        new_ids = self._new_ids(before, at)
        for old in dynamic:
            group = join(group, model_of(before, old), [new_ids[old]], [None])
        return group

    def _new_ids(self, group: ObservedGroup, at: EditPlace) -> dict[str, str]:
        return {
            old: new_member_id(
                group,
                client_of(group, group.snapshot.member_id.index(old)),
                _instance(group, old),
                self.seed,
                at,
                number,
            )
            for number, old in enumerate(self.member_ids)
        }


def _instance(group: ObservedGroup, member_id: str) -> str | None:
    return group.snapshot.instance_id[group.snapshot.member_id.index(member_id)]
