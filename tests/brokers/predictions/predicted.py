"""What the scenario engine says of a group, with the ids that the new members got."""

from collections.abc import Mapping, Sequence
from typing import Any
from unittest.mock import patch

import msgspec

from evenkeel.data.group.columns import assignment_by_name
from evenkeel.data.group.document import Document, in_order, with_partitions
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.results import result_of
from evenkeel.data.scenarios.scenario.scenario import FORMAT, Scenario, Step

Owned = dict[str, dict[str, list[int]]]


def predicted(
    document: Document,
    assignor: str,
    steps: Sequence[Sequence[dict[str, Any]]],
    new_ids: Mapping[int, str],
) -> StepAnswer:
    """Return the answer to the last step; `new_ids`: by the number of the step, the id of the
    member that it brings.

    Kafka draws ids at random: the drawn one stands in place of the one that the seed gives.
    """
    made = [Step(edits=msgspec.convert(edits, list[AnyEdit])) for edits in steps]
    scenario = Scenario(format=FORMAT, group=document, steps=made)

    def drawn(_group, _client_id, _instance_id, _seed, at, _number):
        return new_ids[at.step]

    with (
        patch("evenkeel.data.scenarios.edits.add_members.new_member_id", drawn),
        patch("evenkeel.data.scenarios.edits.restart_members.new_member_id", drawn),
    ):
        return result_of(scenario, wanted=[assignor]).steps[-1][assignor]


def assignment_of(answer: StepAnswer) -> Owned:
    """Return what each member has at rest, numbers ascending."""
    return by_name(assignment_by_name(answer.group, answer.assignment))


def by_name(owned: Mapping[str, Mapping[str, Sequence[int]] | None]) -> Owned:
    """Return topics by name and numbers ascending, without topics of no partitions."""
    return {member: with_partitions(in_order(topics or {})) for member, topics in owned.items()}


def seen(document: Document) -> Owned:
    """Return what each member has at rest, as the coordinator reports it."""
    return by_name({member.member_id: member.owned for member in document.members})
