"""`set_owners`: partitions get the owners of a plan, for example of a plan of the page Best."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group.owned import with_owned
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document.shape import PartitionNumber
from evenkeel.data.scenarios.edits.edit import (
    EditPlace,
    Field,
    Form,
    GroupEdit,
    Names,
    Values,
    require_members,
    require_topic,
)
from evenkeel.data.text.formats import counted

_HELP = (
    "One line for each member and topic: member id, topic, partitions, such as pay-a orders 0,3,5."
)


def _made(values: Values, names: Names) -> list[Values]:
    owners: dict[str, dict[str, list[int]]] = {}
    for line in values["owners"] or []:
        member, _, rest = line.strip().rpartition(" ")
        member, _, topic = member.rpartition(" ")
        if not member or not all(
            number.isascii() and number.isdecimal() for number in rest.split(",")
        ):
            raise SnapshotError(
                f"Owners: found “{line[:80]}”, expected such as: pay-a orders 0,3,5"
            )
        owners.setdefault(member, {}).setdefault(topic, []).extend(map(int, rest.split(",")))
    return [{"owners": owners}]


def _read(given: Values) -> Values:
    lines = [
        f"{member} {topic} {','.join(map(str, numbers))}"
        for member, topics in given["owners"].items()
        for topic, numbers in topics.items()
    ]
    return given | {"owners": lines}


class SetOwners(GroupEdit, frozen=True, kw_only=True, tag="set_owners"):
    """`owners`: planned partitions, by member id and topic.

    Partitions outside the plan keep their owners. No rebalance happens.
    """

    form: ClassVar = Form(
        12,
        "Owners as planned",
        "assignment_ind",
        (Field("owners", "Owners", "lines", help=_HELP),),
        _made,
        _read,
    )

    causes_rebalance: ClassVar[bool] = False

    owners: dict[str, dict[str, list[PartitionNumber]]]

    def in_words(self, names: Names) -> str:
        count = sum(len(numbers) for topics in self.owners.values() for numbers in topics.values())
        return f"owners of {counted(count, 'partition')} as planned"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, list(self.owners), at, "owners")
        snapshot = group.snapshot
        owner = snapshot.unowned() if group.current is None else group.current.owner.copy()
        rows = {member_id: row for row, member_id in enumerate(snapshot.member_id)}
        planned = np.zeros(snapshot.tp_count, dtype=bool)
        for member_id, topics in self.owners.items():
            for tp in self._rows(group, topics, rows[member_id], at):
                if planned[tp]:
                    name = (
                        f"{snapshot.topic_name[snapshot.tp_topic[tp]]} {snapshot.tp_partition[tp]}"
                    )
                    raise at.refusal("owners", f"{name} twice, expected once")
                planned[tp], owner[tp] = True, rows[member_id]
        current = Assignment(owner)
        generation = int(snapshot.generation.max(initial=-1))
        given = with_owned(snapshot, current, generation)
        return replace(
            group, snapshot=given, current=current, joined_with=(), assignment_user_data=None
        )

    @staticmethod
    def _rows(
        group: ObservedGroup, topics: Mapping[str, list[int]], member: int, at: EditPlace
    ) -> list[int]:
        snapshot, tps = group.snapshot, []
        for topic, numbers in topics.items():
            row = require_topic(group, topic, at, "owners")
            if member not in snapshot.subscribers.members[snapshot.subscribers.set_of_topic[row]]:
                raise at.refusal(
                    "owners",
                    f'member "{snapshot.member_id[member]}" does not subscribe to "{topic}"',
                )
            count = int(snapshot.partition_count[row])
            for number in numbers:
                if number >= count:
                    raise at.refusal(
                        "owners",
                        f'found {number}, but topic "{topic}" has {count:,} partitions, counted'
                        " from 0",
                    )
                tps.append(int(snapshot.first_tp[row]) + number)
        return tps
