"""Mixed group: a group while its members switch one by one from the classic protocol to the
consumer protocol, or back.

In a classic group, the leader's assignor computes the assignment. The first member with the new
protocol converts the group. The broker then stores the present owners as the target, and the
broker's assignor computes a target after every later stop or start of a member (KIP-848's online
upgrade, `GroupMetadataManager.convertToConsumerGroup` and `ConsumerGroup.fromClassicGroup`). When
the last member with the new protocol leaves, the group is classic again, and its leader computes an
assignment of all partitions.
"""

from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.edits.members import (
    add_members,
    remove_members,
    replace_members,
    with_member_rows,
)
from evenkeel.assignors.group.edits.result import EditResult, carry_over
from evenkeel.assignors.group.orders import order_with_inserted
from evenkeel.assignors.group.owned import held_rows, with_claims, with_owned, with_target
from evenkeel.assignors.protocol import CLASSIC, CONSUMER, Assignor
from evenkeel.assignors.rounds.at_rest import group_at_rest
from evenkeel.assignors.rounds.converted_order import leader_places, rows_by_topic_id
from evenkeel.assignors.rounds.new_ids import NewIds

EXTRA = -2
"""Row number of the extra member, which joins before the bounces and stays until they are over."""

_NOTHING = np.empty((0, 3), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Owners:
    """The owners at rest after one change of the group.

    Parameters
    ----------
    owner : int32 (P,)
        Owner of each partition: the row number of the member in the group before the switch. A
        restarted member keeps its row number; `EXTRA` is the number of the extra member.
    moved : int
        Number of partitions that changed from one owner to another.
    assumed : bool
        Whether the owners may depend on unknown inputs.
    others : tuple of int32 (P,) arrays
        Other possible owners: the ids of new members are random and affect the assignment. `moves`:
        least and largest number of moved partitions over all ids.
    """

    group_type: str
    assignor: str | None
    owner: np.ndarray
    moved: int
    assumed: bool = False
    is_certain: bool = True
    others: tuple[np.ndarray, ...] = ()
    moves: tuple[int, int] = (0, 0)


class Change(NamedTuple):
    """The assignors before and after the first member starts with the new protocol.

    `before`: None if a member already has the new protocol, so that the broker already assigns.
    """

    before: Assignor | None
    after: Assignor


class MixedGroup:
    """A group during the switch. Methods stop, start and restart its members.

    `listed`: the group before the switch. `rows`: for each present member, its row number in
    `listed`. `is_over`: whether `change.after` computes the assignments. `joined`: row numbers of
    members with the new protocol.
    """

    def __init__(self, group: GroupSnapshot, current: Assignment, change: Change, ids: NewIds):
        self.listed, self.group, self.current, self.change, self.ids = (
            group,
            group,
            current,
            change,
            ids,
        )
        self.joined: frozenset[int] = frozenset()
        self.rows = list(range(group.member_count))
        self._joined: GroupSnapshot | None = None
        self.is_over, self._is_guessed = change.before is None, False
        self._last = self._owner()

    def stop(self, row: int) -> Owners:
        """Remove a member and assign its partitions to other members. If no member with the
        consumer protocol remains, the group becomes classic again.
        """
        edited = remove_members(self.group, [self.group.member_id[self.rows.index(row)]])
        held = carry_over(self.current, self.group, edited)
        self.rows.remove(row)
        self.group, self.current = edited.group, held
        self.joined = self.joined - {row}
        self._turn_back()
        return self._assigned()

    def start(self, row: int, model: int) -> Owners:
        """Add a member with the new protocol. Its subscription and rack are copied from member
        `model` of `listed`.
        """
        is_first = self._turn_over()
        self.joined = self.joined | {row}
        new_id = (
            self.ids.of_consumer(row)
            if self._is_broker
            else self.ids.of_classic(row, self.listed.member_id[model])
        )
        return self._added(row, model, new_id, is_first)

    def start_again(self, row: int) -> Owners:
        """Start a stopped member again, with the classic protocol. The present type of the group
        decides the form of the new member id.
        """
        new_id = (
            self.ids.of_consumer(row)
            if self._is_broker
            else self.ids.of_classic(row, self.listed.member_id[row])
        )
        return self._added(row, row, new_id, False)

    def replaced(self, row: int) -> Owners:
        """Restart a static member with the new protocol. The member keeps its partitions, so
        nothing is assigned.
        """
        if self._turn_over():
            self._as_reported(np.ones(self.group.member_count, dtype=bool))
        self.joined = self.joined | {row}
        self._replace(row)
        return self._owners(False)

    def replaced_again(self, row: int) -> Owners:
        """Restart a static member with the classic protocol. If no member with the new protocol
        remains, the group becomes classic again, and its leader assigns.
        """
        self.joined = self.joined - {row}
        self._replace(row)
        return self._assigned() if self._turn_back() else self._owners(False)

    def _added(self, row: int, model: int, new_id: str, is_first: bool) -> Owners:
        listed, is_broker = self.listed, self._is_broker
        named = (
            None
            if listed.named is None
            else [
                listed.topic_name[topic]
                for topic in listed.topic_lists[listed.named[model]].tolist()
            ]
        )
        topics = [
            listed.topic_name[topic]
            for topic in listed.topic_lists[listed.subscription[model]].tolist()
        ]
        expression = listed.expression[model] if listed.expression else None
        rack = (
            None
            if listed.member_rack[model] == NO_RACK
            else listed.rack_name[listed.member_rack[model]]
        )
        edited = add_members(
            self.group,
            [new_id],
            [None],
            rack,
            topics,
            named or (),
            expression,
            is_classic=not is_broker,
        )
        held = carry_over(self.current, self.group, edited)
        self._reorder(edited, row)
        self.current = held
        owners = self._assigned()
        if is_broker:
            # The broker fills the group's table from the assignor's records, which have the order
            # of the table that the assignor read.
            self._as_reported(
                np.array([is_first or name == new_id for name in self.group.member_id])
            )
        return owners

    def _replace(self, row: int) -> None:
        old = self.group.member_id[self.rows.index(row)]
        new_id = (
            self.ids.of_consumer(row)
            if self._is_broker
            else self.ids.of_classic(row, self.listed.member_id[row])
        )
        edited = replace_members(self.group, {old: new_id}, is_classic=not self._is_broker)
        self.current = carry_over(self.current, self.group, edited)
        self._reorder(edited)

    def count(self, row: int) -> int:
        """Return a member's number of partitions."""
        return int(np.count_nonzero(self._owner() == row))

    def copy(self) -> "MixedGroup":
        """Return an independent copy."""
        other = copy(self)
        other.rows = list(self.rows)
        return other

    def _assigned(self) -> Owners:
        """Run the assignor. Without members, nothing is assigned."""
        if not self.rows:
            self.current = Assignment(self.group.unowned())
            self.group = with_claims(self.group, _NOTHING, -1)
            return self._owners(False)
        assignor = self._assignor
        if assignor.group_type == CONSUMER:
            self.current = assignor.assign(self.group)
            self.group = with_target(self.group, self.current)
            return self._owners(bool(self.current.assumed))
        rest = group_at_rest(self.group, self.current, assignor)
        self._joined = self.group if rest.round_count == 1 else None
        self.group, self.current = rest.group, rest.assignment
        return self._owners(bool(rest.answer.assumed))

    def _turn_over(self) -> bool:
        """Convert the group if this is the first member with the new protocol: store the present
        owners as the target. Return whether the group was converted.
        """
        turns = not self.is_over and self.change.after.group_type == CONSUMER
        self.is_over = True
        if turns:
            held = held_rows(self.group, self.current)
            listed = leader_places(self.group, self._joined, held, self.change.before)
            rows, self._is_guessed = rows_by_topic_id(
                self.group, held, listed, is_descending=self.ids.is_odd
            )
            self.group = with_claims(self.group, rows, -1)
            # The broker inserts the classic group's members into its own table, in the order of
            # their HashMap.
            self._as_reported(np.ones(self.group.member_count, dtype=bool))
        return turns

    def _turn_back(self) -> bool:
        """Make the group classic again if the last member with the consumer protocol has left and
        classic members stay. Return whether this happened.
        """
        if self.joined or not self._is_broker or self.change.before is None:
            return False
        self.is_over, self._joined = False, None
        self.group = with_owned(
            self.group, self.current, int(self.listed.generation.max(initial=0)) + 1
        )
        every = np.ones(self.group.member_count, dtype=bool)
        after, member_row = with_member_rows(
            self.group, order_with_inserted(self.group.member_id, every, is_classic=True)
        )
        self._put(after, member_row)
        return True

    def _reorder(self, edited: EditResult, new: int | None = None) -> None:
        rows = [EXTRA if new is None else new] * edited.group.member_count
        for row, place in zip(self.rows, edited.member_row.tolist(), strict=True):
            rows[place] = row
        self.group, self.rows = edited.group, rows

    def _as_reported(self, is_new: np.ndarray) -> None:
        """Put the new members at their places in the broker's table of members. `is_new`: bool
        (M,), whether a member is new.
        """
        self._put(
            *with_member_rows(
                self.group, order_with_inserted(self.group.member_id, is_new, is_classic=False)
            )
        )

    def _put(self, after: GroupSnapshot, member_row: np.ndarray) -> None:
        edited = EditResult(after, member_row, np.arange(after.topic_count, dtype=np.int32))
        self.current = carry_over(self.current, self.group, edited)
        self._reorder(edited)

    @property
    def _is_broker(self) -> bool:
        return self.is_over and self.change.after.group_type == CONSUMER

    @property
    def _assignor(self) -> Assignor:
        return self.change.after if self.is_over else self.change.before

    def _owner(self) -> np.ndarray:
        """Return each partition's owner as a row number of `listed`."""
        return np.append(np.array(self.rows, dtype=np.int32), np.int32(UNASSIGNED))[
            self.current.owner
        ]

    def _owners(self, assumed: bool) -> Owners:
        owner, last = self._owner(), self._last
        self._last = owner
        moved = int(
            np.count_nonzero((owner != last) & (owner != UNASSIGNED) & (last != UNASSIGNED))
        )
        assignor = self._assignor
        protocol = assignor.protocol if self.rows and assignor else None
        kind = CONSUMER if self._is_broker else CLASSIC
        return Owners(kind, protocol, owner, moved, assumed or self._is_guessed)
