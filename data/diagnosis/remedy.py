"""Remedy: one action against a cause, with its computed effect and price, and whether it helps."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np


class Action(StrEnum):
    """Actions in display order."""

    NOTHING = "nothing"
    READ_AGAIN = "read_again"
    LOOK = "look"
    SETTING = "setting"
    START = "start"
    RESTART = "restart"
    REBALANCE = "rebalance"
    ADD_MEMBERS = "add_members"
    SWITCH = "switch"
    WEIGHTS = "weights"
    BEST_PLAN = "best_plan"
    MORE_PARTITIONS = "more_partitions"
    SKIP = "skip"


class Helps(StrEnum):
    """Whether an action helps."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Remedy:
    """One action.

    Parameters
    ----------
    members : tuple of int
        Rows of the affected members.
    assignor, count : str or None, int or None
        A switch's assignor; number of added members or partitions.
    worst_lag, drain_seconds, moves, paused, restarts : int or None
        Lag of the worst member afterwards, time until all members are drained, and the price; None
        if unknown.
    """

    action: Action
    helps: Helps
    why: str
    members: tuple[int, ...] = ()
    assignor: str | None = None
    count: int | None = None
    worst_lag: int | None = None
    moves: int | None = None
    paused: int | None = None
    restarts: float | None = None
    drain_seconds: int | None = None

    def document(self, member_id: Sequence[str]) -> dict[str, Any]:
        """Return the remedy as JSON has it."""
        restarts = self.restarts
        if restarts is not None and not np.isfinite(restarts):
            restarts = None
        return {
            "action": self.action.value,
            "subject": [member_id[row] for row in self.members],
            "assignor": self.assignor,
            "count": self.count,
            "worst_lag": self.worst_lag,
            "drain_seconds": self.drain_seconds,
            "moves": self.moves,
            "paused": self.paused,
            "restarts": None if restarts is None else int(restarts),
            "helps": self.helps.value,
            "why": self.why,
        }
