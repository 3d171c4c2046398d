"""A remedy: an action against a cause. A remedy has an effect and a price, and may not help."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from evenkeel.assignors.diagnosis.finding import Code, Finding
from evenkeel.data.diagnosis.phrases import are_too_few, is_soon
from evenkeel.data.text.formats import duration

NO_DRAIN = "it does not drain at this pace"


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
    """An action against a cause.

    Parameters
    ----------
    members : tuple of int
        Row numbers of the affected members.
    assignor : str or None
        The group's assignor after the switch, or after members are added.
    count : int or None
        Number of added members or partitions.
    worst_lag : int or None
        Lag of the worst member afterwards, None if unknown.
    drain_seconds : int or None
        Time until all members are drained, None if unknown.
    moves, paused, restarts : int or None
        The price of the action: moved and paused partitions, and restarts (for a switch, of each
        member; infinite if all members stop at once); None if unknown.
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
        """Return the remedy as in the JSON document."""
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


def with_effects(finding: Finding, remedies: Callable[[], Sequence[Remedy]]) -> Finding:
    """Return a finding with the effects of remedies that its advice mentions.

    `remedies` is called only if the advice needs its result.

    If finding `behind` never drains, it gets one of two fields. `by_switch`: a switch of assignor
    is enough. `needed`: number of members with which the group drains, None if no number is enough.

    Finding `uneven` gets three fields. `never_drains`: no assignment drains the group.
    `never_by_switch`: the switch does not drain it. `soon`: the drain time without any action, in
    words; empty if more than a day.
    """
    figures, detail = finding.figures, finding.detail
    if finding.code == Code.UNEVEN and detail["readings"] == 2:
        ruled_out = [each.action for each in remedies() if each.why == NO_DRAIN]
        seconds = remedies()[0].drain_seconds
        drain = {
            "never_drains": Action.BEST_PLAN in ruled_out,
            "never_by_switch": Action.SWITCH in ruled_out,
            "soon": duration(seconds) if seconds is not None and is_soon(seconds) else "",
        }
        return replace(finding, detail={**detail, **drain})
    is_never = "in_rate" in figures and "drain_seconds" not in figures
    if finding.code != Code.BEHIND or not is_never or are_too_few(figures):
        return finding
    draining = {each.action: each for each in remedies() if each.drain_seconds is not None}
    if Action.SWITCH in draining:
        return replace(finding, detail={**detail, "by_switch": True})
    more = draining.get(Action.ADD_MEMBERS)
    needed = None if more is None else figures["members"] + (more.count or 0)
    return replace(finding, figures={**figures, "needed": needed})
