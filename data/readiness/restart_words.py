"""Restarts of members in words: the way back, and the moves of a restart."""

from collections.abc import Sequence

from evenkeel.assignors.readiness.bounces import Back, Bounce
from evenkeel.data.text.formats import counted

# How a group goes back from each state of its restarts.


def goes_back(
    restarted: Sequence[str],
    may: bool | None,
    is_all: bool,
    way: Back | None,
    has_extra: bool = False,
) -> str:
    """Return how a group goes back after the members `restarted`, with the number of moves.

    `may`: whether the policy allows going back. `is_all`: all members were restarted. `has_extra`:
    the extra member is still in the group.
    """
    if not restarted:
        return (
            f"back: stop the extra member, {counted(way.moved, 'move')}"
            if way
            else "nothing to undo"
        )
    if may is False:
        return (
            f"no way back: {counted(way.left, 'partition')} without owner" if way else "no way back"
        )
    moves = f", {counted(way.moved, 'move')}" if way else ""
    back = "back" if may else "back, if the policy allows"
    if is_all:
        return f"{back}: roll again{moves}"
    names = {1: restarted[0], 2: "both"}
    who = names.get(len(restarted), f"all {len(restarted)}")
    return f"{back}: restart {who}{', then stop the extra member' * has_extra}{moves}"


def moves(bounce: Bounce) -> str:
    """Return the moves when a member stops and when it starts again.

    A number of moves is a range if it depends on the random ids of new members.
    """
    changes = [change for change in (bounce.stopped, bounce.started) if change is not None]
    return " + ".join(
        f"{change.moves[0]:,}"
        if change.moves[0] == change.moves[1]
        else f"{change.moves[0]:,} to {change.moves[1]:,}"
        for change in changes
    )
