"""Replay: does our assignor, given what the members sent, answer what the group has?"""

from dataclasses import dataclass
from typing import Any

import msgspec

from assignors import ASSIGNORS, JAVA
from assignors.assignment import Assignment
from assignors.errors import AssignorError
from assignors.figures.moves import Moves, moves_between
from assignors.group.lag import page_lag
from data.columns.from_document import observed_from_document
from data.columns.observed import ObservedGroup
from data.document import STABLE, Document, Member

_BROKER_ORDER = "the coordinator has restarted since and lists the members in another order than the leader saw"
_OTHER_CLIENT = "the group's leader is not Kafka's own client, and its assignor of this name gives other answers"
_MEMORY = "the leader remembers a higher generation than any member sent"
_EQUAL = "the group's leader is {}, and its assignor of this name differs where all members subscribe to the same topics"
_STATIC_BY_ID = "the group's leader is librdkafka, which orders members by id, while Kafka puts static members first"
_STATIC_LEFT_OUT = "the group's leader is kafka-python, which gives some members nothing where static and dynamic members are mixed"


@dataclass(frozen=True, eq=False)
class Replay:
    """`replayed`: our answer. `moves`: where the group differs from it. `reasons`: likely ones of that, the likeliest first.

    `client`: whose code was replayed. `moves` and `reasons` are empty where Kafka agrees.
    """

    replayed: Assignment
    moves: Moves
    reasons: tuple[str, ...]
    client: str = JAVA

    @property
    def agrees(self) -> bool:
        """Whether the group has what we answer."""
        return not self.moves.topic.size


def replay(document: Document) -> Replay | None:
    """Run the assignor of a classic group on what its members sent when they last joined.

    None where that is unknown: for a group that the broker assigns, because its members send nothing that decides the answer; for a group
    without members, in a rebalance, or with an assignor of its own.
    """
    members = document.members or []
    is_replayable = document.type == "classic" and document.state == STABLE and document.assignor in ASSIGNORS and members
    if not is_replayable or any(member.joined_with is None for member in members):
        return None
    observed = observed_from_document(document)
    joined = [_as_joined(member) for member in members]
    try:
        replayed = _answer(document, joined)
        moves = _difference(replayed, observed)
        return Replay(replayed, moves, _reasons(document, joined, observed) if moves.topic.size else ())
    except AssignorError:
        return None


def _answer(document: Document, members: list[Member]) -> Assignment:
    sent = observed_from_document(msgspec.structs.replace(document, members=members))
    return ASSIGNORS[document.assignor]().assign(sent.snapshot)


def _difference(replayed: Assignment, observed: ObservedGroup) -> Moves:
    return moves_between(replayed, observed.current, observed.snapshot, page_lag(observed.snapshot))


def _reasons(document: Document, joined: list[Member], observed: ObservedGroup) -> tuple[str, ...]:
    """Return why the group's answer may differ: librdkafka's order of static members is recognised, the other reasons are likely."""
    assignor = ASSIGNORS[document.assignor]
    if assignor.uses_generations:
        is_equal = len({frozenset(member.subscribed) for member in joined}) == 1
        differs = assignor.differs_in and is_equal
        return (
            (_EQUAL.format(" or ".join(assignor.differs_in)), _MEMORY, _BROKER_ORDER)
            if differs
            else (_MEMORY, _BROKER_ORDER, _OTHER_CLIENT)
        )
    if not any(member.instance_id for member in joined):
        return (_OTHER_CLIENT,)
    by_id = [msgspec.structs.replace(member, instance_id=None) for member in joined]
    if not _difference(_answer(document, by_id), observed).topic.size:
        return (_STATIC_BY_ID,)
    return (_STATIC_LEFT_OUT, _OTHER_CLIENT) if any(not member.owned for member in document.members) else (_OTHER_CLIENT,)


def _as_joined(member: Member) -> Member:
    changes: dict[str, Any] = {"owned": member.joined_with.owned, "generation": member.joined_with.generation, "joined_with": None}
    return msgspec.structs.replace(member, **changes)
