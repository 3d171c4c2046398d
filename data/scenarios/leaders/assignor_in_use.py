"""Which assignor a group uses now."""

from evenkeel.assignors import ASSIGNORS, CLIENTS
from evenkeel.assignors.protocol import Assignor
from evenkeel.data.columns.observed import ObservedGroup


def is_in_use(observed: ObservedGroup, assignor: type[Assignor]) -> bool | None:
    """Tell whether the group uses an assignor; None if unknown, also where clients and brokers both have this name, such as `range`."""
    if observed.assignor is None:
        return None
    if observed.assignor not in _protocols(assignor):
        return False
    if observed.group_type is None:
        return None if is_ambiguous(observed) else True
    return observed.group_type == assignor.group_type


def is_ambiguous(observed: ObservedGroup) -> bool:
    """Tell whether the group's assignor may be the clients' or the brokers': they share the name, and the group's type is unknown."""
    return observed.group_type is None and observed.assignor is not None and _serves_several_types(observed.assignor)


def _serves_several_types(protocol: str) -> bool:
    return len({assignor.group_type for assignor in ASSIGNORS.values() if assignor.protocol == protocol}) > 1


def _protocols(assignor: type[Assignor]) -> set[str]:
    """Return the words that groups report for an assignor: a client may have one of its own."""
    return {assignor.protocol} | {own.protocol for client in CLIENTS.values() if (own := client.assignors.get(assignor.name))}


def in_use(observed: ObservedGroup) -> str | None:
    """Return the name in `ASSIGNORS` of the assignor that the group uses, None if it is unknown or not among them."""
    return next((name for name, assignor in ASSIGNORS.items() if is_in_use(observed, assignor)), None)
