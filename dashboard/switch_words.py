"""What pauses in a switch, in words."""

from assignors.comparison import Row
from assignors.switch import Kind, Switch
from dashboard.formats import UNKNOWN, count, exact

ENDLESS = "∞"

_A_ROUND = {Kind.COOPERATIVE: "Each round is a rebalance.", Kind.RECONCILED: "In each round every member sends a heartbeat."}


def pair(switch: Switch | None) -> str:
    """`9 / 2`: partitions paused, rounds; `∞` where the rounds never end."""
    return UNKNOWN if switch is None else f"{exact(switch.paused_count)} / {rounds(switch)}"


def rounds(switch: Switch) -> str:
    """`2`, `∞`."""
    return exact(switch.round_count) if switch.is_settled else ENDLESS


def sentences(switch: Switch, row: Row) -> str:
    """Say what pauses on the way to a row's assignment, how long, and in how many rounds."""
    if switch.kind == Kind.SHARED:
        return "No partition pauses: members share partitions."
    if switch.kind == Kind.EAGER:
        return _eager(switch, row)
    end = f"Done after {count(switch.round_count, 'round')}. {_A_ROUND[switch.kind]}"
    if not switch.is_settled:
        end = "It never comes to rest: a member refuses what it gets and joins again, each time."
    return f"{_paused(switch)} {end}"


def _eager(switch: Switch, row: Row) -> str:
    stay = row.moves.retained_count if row.moves else 0
    if not switch.paused_count:
        return "No partition pauses: nobody owns one."
    back = f"{exact(stay)} {'comes' if stay == 1 else 'come'} back to the same member" if stay else "none comes back to the same member"
    return f"Every partition pauses, {exact(switch.paused_count)} in all, because every member gives up everything first; {back}. Done after 1 round."


def _paused(switch: Switch) -> str:
    if not switch.paused_count:
        return "No partition pauses."
    least, most = int(switch.paused_rounds.min()), int(switch.paused_rounds.max())
    length = count(most, "round") if least == most else f"{exact(least)} to {count(most, 'round')}"
    return f"{count(switch.paused_count, 'partition')} {'pauses' if switch.paused_count == 1 else 'pause'} for {length}, the others keep running."
