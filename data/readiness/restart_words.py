"""Restarts of members in words: the way back, and the moves on the way."""

from collections.abc import Sequence

from evenkeel.assignors.readiness.bounces import Back, Bounce
from evenkeel.data.text.formats import counted

# What a client must set, and how each state of the bounces goes back.


def goes_back(
    restarted: Sequence[str],
    may: bool | None,
    is_all: bool,
    way: Back | None,
    has_extra: bool = False,
) -> str:
    """Say how a group goes back after these members have restarted, with the moves; `may`: whether
    the policy allows it.

    `has_extra`: an extra member is there still.
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
    """Return the moves when a member stops and when it starts again; two numbers if the number
    depends on the ids of new members.
    """
    changes = [change for change in (bounce.stopped, bounce.started) if change is not None]
    return " + ".join(
        f"{change.moves[0]:,}"
        if change.moves[0] == change.moves[1]
        else f"{change.moves[0]:,} to {change.moves[1]:,}"
        for change in changes
    )
