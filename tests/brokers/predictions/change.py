"""One change of a group: as edits of a scenario, and on the cluster."""

from collections.abc import Callable
from typing import Any, NamedTuple

JOIN, LEAVE, DIE, GROW = "join", "leave", "die", "grow"
STATIC_RESTART, QUICK_RESTART = "static restart", "quick restart"


class Change(NamedTuple):
    """`edits`: of the scenario. `act`: the same on the cluster. `brings`: client id of the member
    that comes.

    `restarted`: member id of a member that this brings back, if the change before took it away.
    """

    name: str
    edits: list[dict[str, Any]]
    act: Callable[[], None]
    brings: str | None = None
    restarted: str | None = None
