"""Which assignor a group uses now."""

from assignors import ASSIGNORS
from assignors.protocol import Assignor
from data.columns.observed import ObservedGroup


def is_in_use(observed: ObservedGroup, assignor: type[Assignor]) -> bool | None:
    """Tell whether the group uses an assignor; None where the input does not say, also where it leaves open whether the clients' or the brokers' `range` is meant."""
    if observed.assignor is None or (observed.assignor == "range" == assignor.protocol and observed.group_type is None):
        return None
    return assignor.protocol == observed.assignor and observed.group_type in (None, assignor.group_type)


def in_use(observed: ObservedGroup) -> str | None:
    """Return the name in `ASSIGNORS` of the assignor that the group uses, None where that is not known or none of them."""
    return next((name for name, assignor in ASSIGNORS.items() if is_in_use(observed, assignor)), None)
