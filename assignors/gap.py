"""Gap: stands where a client has no assignor of a name, or where no input decides what its assignor answers."""

from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.errors import AssignorError, NoFunctionError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.protocol import Assignor

NOT_OFFERED = "NotOffered"
"""The type of the error where a client has no such assignor."""


@dataclass(frozen=True)
class Gap(Assignor):
    """Serves classic groups and answers none. Calling it returns itself, so it stands where an assignor's class would."""

    group_type: ClassVar[str] = "classic"
    is_in_kafka: ClassVar[bool] = True

    name: str
    protocol: str
    error: AssignorError
    client: str

    def __call__(self) -> "Gap":
        return self

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Raise AssignorError."""
        raise self.error


def not_offered(client: str, name: str, protocol: str, others: list[str]) -> Gap:
    """Return the gap of a client without an assignor of this name; `others`: those that it has."""
    offers = f"; it offers {', '.join(others)}" if others else ""
    return Gap(name, protocol, AssignorError(NOT_OFFERED, f"{client} has no {name} assignor{offers}"), client)


def no_function(client: str, name: str, protocol: str, why: str) -> Gap:
    """Return the gap of an assignor whose answers differ for equal inputs; `why`: what decides them."""
    return Gap(name, protocol, NoFunctionError(name, client, why), client)
