"""Replay: does our assignor, given what the members sent, answer what the group has?"""

from dataclasses import dataclass
from typing import Any

import msgspec

from assignors import ASSIGNORS
from assignors.assignment import Assignment
from assignors.errors import AssignorError
from assignors.lag import page_lag
from assignors.moves import Moves, moves_between
from data.columns.document import observed_from_document
from data.document import STABLE, Document, Member

_BROKER_ORDER = "the coordinator was restarted since, and lists the members in another order than the leader saw"
_OTHER_CLIENT = "the group's leader is a client other than Kafka's own, whose assignor of this name answers otherwise"
_MEMORY = "the leader remembers a higher generation than any member sent"
_REASONS = {"sticky": (_MEMORY, _BROKER_ORDER, _OTHER_CLIENT), "cooperative-sticky": (_MEMORY, _BROKER_ORDER, _OTHER_CLIENT)}


@dataclass(frozen=True, eq=False)
class Replay:
    """`replayed`: our answer; `moves`: where the group differs from it, empty where Kafka agrees; `reasons`: likely ones, the likeliest first."""

    replayed: Assignment
    moves: Moves
    reasons: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the group has what we answer."""
        return not self.moves.topic.size


def replay(document: Document) -> Replay | None:
    """Run the assignor of a classic group on what its members sent when they last joined.

    None where that is not known: a group of the broker's, whose members send nothing that its answer rests on; one without members, in a rebalance, with an assignor of its own.
    """
    members = document.members or []
    is_replayable = document.type == "classic" and document.state == STABLE and document.assignor in ASSIGNORS and members
    if not is_replayable or any(member.joined_with is None for member in members):
        return None
    observed = observed_from_document(document)
    sent = observed_from_document(msgspec.structs.replace(document, members=[_as_joined(member) for member in members]))
    try:
        replayed = ASSIGNORS[document.assignor]().assign(sent.snapshot)
    except AssignorError:
        return None
    moves = moves_between(replayed, observed.current, observed.snapshot, page_lag(observed.snapshot))
    return Replay(replayed, moves, _REASONS.get(document.assignor, (_OTHER_CLIENT,)))


def _as_joined(member: Member) -> Member:
    changes: dict[str, Any] = {"owned": member.joined_with.owned, "generation": member.joined_with.generation, "joined_with": None}
    return msgspec.structs.replace(member, **changes)
