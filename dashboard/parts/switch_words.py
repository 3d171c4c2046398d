"""A switch to another assignor, in words: paused partitions, their pauses, and rounds."""

from evenkeel.assignors.compare.comparison import Row
from evenkeel.assignors.compare.moves import Moves
from evenkeel.assignors.rounds.switch import Kind, Switch
from evenkeel.data.compare.quirk_words import why_endless
from evenkeel.data.text.formats import UNKNOWN, count, exact

ENDLESS = "∞"

_A_ROUND = {
    Kind.EAGER: "",
    Kind.COOPERATIVE: "Each round is a rebalance.",
    Kind.RECONCILED: "In each round every member sends a heartbeat.",
}


def pair(switch: Switch | None) -> str:
    """Return `9 / 2`: paused partitions and rounds. `∞` if the rounds never end."""
    return UNKNOWN if switch is None else f"{exact(switch.paused_count)} / {rounds(switch)}"


def rounds(switch: Switch) -> str:
    """Return the number of rounds: `2`, `∞`, `> 16`."""
    counted = exact(switch.round_count)
    if switch.is_settled:
        return counted
    return ENDLESS if switch.is_endless else f"> {counted}"


def in_rounds(switch: Switch) -> str:
    """Return `1 round`, `3 rounds`, `> 16 rounds`."""
    counted = rounds(switch)
    return f"{counted} {'round' if counted == '1' else 'rounds'}"


def in_use_sentence(row: Row, switch: Switch | None) -> str:
    """Return the sentence about the next rebalance, for the assignor that the group already uses.

    `switch`: None if unknown.
    """
    if not row.moves or switch is None:
        return "No change: the group uses it now. The moves of its next rebalance are unknown."
    pauses = (
        f"pause {count(switch.paused_count, 'partition')}" if switch.paused_count else "pause none"
    )
    return (
        f"{uses('it', row.moves)}. Its next rebalance would {next_moves(row.moves)} and {pauses},"
        f" in {in_rounds(switch)}."
    )


def uses(name: str, moves: Moves | None) -> str:
    """Return `No change: the group uses range now`.

    If the next rebalance moves partitions (`moves`), return `The group uses range now`.
    """
    return (
        f"The group uses {name} now"
        if moves and _changes(moves)
        else f"No change: the group uses {name} now"
    )


def _changes(moves: Moves) -> int:
    """Return the number of partitions that get another owner, get a first owner, or lose their
    owner.
    """
    return moves.moved_count + moves.added_count + moves.revoked_count


def next_moves(moves: Moves) -> str:
    """Return `give 3 partitions another owner` or `keep every partition where it is`."""
    changed = _changes(moves)
    return (
        f"give {count(changed, 'partition')} another owner"
        if changed
        else "keep every partition where it is"
    )


def sentences(switch: Switch, row: Row) -> str:
    """Return sentences about a switch: how many partitions pause, for how long, and how many
    rounds.
    """
    if switch.kind == Kind.SHARED:
        return "No partition pauses: members share partitions."
    pauses = _eager(switch, row) if switch.kind == Kind.EAGER else _paused(switch)
    return f"{pauses} {_end(switch)}"


def _end(switch: Switch) -> str:
    if switch.is_settled:
        return f"Done after {count(switch.round_count, 'round')}. {_A_ROUND[switch.kind]}".rstrip()
    if switch.is_endless:
        return f"The switch never ends: {why_endless(switch.is_refused)}."
    return f"Not done after {count(switch.round_count, 'round')}; Evenkeel computes no more."


def _eager(switch: Switch, row: Row) -> str:
    stay = row.moves.retained_count if row.moves else 0
    if not switch.paused_count:
        return "No partition pauses: no partition has an owner."
    back = (
        f"{exact(stay)} {'comes' if stay == 1 else 'come'} back to the same member"
        if stay
        else "no partition comes back to the same member"
    )
    return (
        f"Every partition pauses, {exact(switch.paused_count)} in all, because every member first"
        f" gives up all its partitions; {back}."
    )


def _paused(switch: Switch) -> str:
    return " ".join(
        filter(None, (_pausing(switch), _stale(sum(step.stale for step in switch.steps))))
    )


def _stale(claims: int) -> str:
    if not claims:
        return ""
    which = "1 stale claim is" if claims == 1 else f"{exact(claims)} stale claims are"
    pauses = "The claimed partition belongs to another member or does not exist, so nothing pauses."
    return f"{which} given up. {pauses} A member that gives up a claim rejoins."


def _pausing(switch: Switch) -> str:
    if not switch.paused_count:
        return "No partition pauses."
    least, most = int(switch.paused_rounds.min()), int(switch.paused_rounds.max())
    length = count(most, "round") if least == most else f"{exact(least)} to {count(most, 'round')}"
    pauses = "pauses" if switch.paused_count == 1 else "pause"
    return (
        f"{count(switch.paused_count, 'partition')} {pauses} for {length}; all others keep running."
    )
