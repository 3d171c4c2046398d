"""Best: the answer of a comparison to look at first."""

from collections.abc import Collection, Mapping, Sequence
from math import inf

from assignors.figures.comparison import Row
from assignors.rounds.switch import Switch


def best(
    rows: Sequence[Row],
    names: Collection[str],
    switches: Mapping[str, Switch | None],
    in_use: str | None = None,
    late: Collection[str] = (),
) -> Row | None:
    """Return the row in `names` with the least lag of its worst member; None where no such row has an answer that the group reaches.

    Ties: fewest idle members, fewest partitions of one member, the assignor `in_use`, fewest moved partitions, fewest paused partitions.
    Unknown lags are left out. Those in `late`, which never drain or later than the current owners, come after all others.
    """
    reached = [row for row in rows if row.name in names and row.balance and _ends(switches.get(row.name))]
    return min(reached, key=lambda row: (row.name in late, *_key(row, switches.get(row.name), in_use)), default=None)


def _ends(switch: Switch | None) -> bool:
    return switch is None or not switch.is_endless


def _key(row: Row, switch: Switch | None, in_use: str | None) -> tuple:
    balance = row.balance
    lag = inf if balance.max_lag is None else balance.max_lag
    partitions = balance.idle_members or 0, balance.max_partitions or 0
    return lag, *partitions, row.name != in_use, row.moved_partitions or 0, switch.paused_count if switch else 0
