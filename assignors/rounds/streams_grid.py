"""The same rebalances under many settings: how long until balanced, against how many extra copies."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.protocol import TaskAssignor
from evenkeel.assignors.rounds.restoring import Restoring
from evenkeel.assignors.rounds.streams import StreamsRounds, probing_rebalances

VARIED = ("acceptable_recovery_lag", "max_warmup_replicas", "num_standby_replicas", "probing_rebalance_interval_ms")


class GridPoint(NamedTuple):
    """What one choice of settings leads to.

    `settings`: the varied ones. `seconds`: until balanced, None where unknown or never. `most_copies`: standbys and warmups at once, at
    most. `standing_copies`: those that stay in the end.
    """

    settings: dict[str, int]
    seconds: float | None
    is_balanced: bool
    round_count: int
    most_copies: int
    standing_copies: int


def streams_grid(
    application: ApplicationSnapshot,
    assignor: TaskAssignor,
    values: Mapping[str, Sequence[int]],
    restoring: Restoring | None = None,
    state_cleanup_delay_ms: int = 600_000,
) -> list[GridPoint]:
    """Return a point for each combination, the last setting varying fastest; `values` of some of `VARIED`, which has the order.

    Raises
    ------
    ValueError
        Where a value is out of Kafka's range.
    """
    names = [name for name in VARIED if name in values]
    points = []
    for chosen in product(*(values[name] for name in names)):
        settings = dict(zip(names, chosen, strict=True))
        points.append(_point(settings, probing_rebalances(application, replace(assignor, **settings), restoring, state_cleanup_delay_ms)))
    return points


def _point(settings: dict[str, int], found: StreamsRounds) -> GridPoint:
    copies = [len(each.answer.standby) for each in found.rounds]
    return GridPoint(settings, found.seconds_to_balance, found.is_balanced, len(copies), max(copies), copies[-1])
