"""What a rolling restart of the group after a step costs, by assignor, with members as they are and with all of them static."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import numpy as np

from dashboard.loading.cache import later
from dashboard.loading.cache.cache import ALL
from dashboard.loading.history.speeds import speeds
from dashboard.loading.scenarios.asked_assignor import asked_of
from dashboard.loading.views import begun
from dashboard.view import Opened
from data.columns.observed import ObservedGroup
from data.errors import SnapshotError
from data.scenarios.history.advance_rates import in_rate_of
from data.scenarios.run.rolling_restart import Cost, Order, Times, all_static, cost, rolling_restart

MOST_BATCHES = 400
"""Restarts, one after the other: more take minutes."""


class Restart(NamedTuple):
    """How the members restart."""

    order: Order = Order.GROUP
    at_once: int = 1
    times: Times = Times()

    def batches(self, group: ObservedGroup) -> int:
        """Return the number of restarts, one after the other."""
        return -(-group.snapshot.member_count // self.at_once)


class Costs(NamedTuple):
    """Of members as they are, and of all of them static."""

    now: Cost
    static: Cost


def costs(group: Opened, starts: Mapping[str, ObservedGroup], digest: str, how: Restart) -> tuple[dict[str, Costs], frozenset[str]]:
    """Return the costs that are known, and the assignors still computed.

    `starts`: the group by assignor as its own step ended; `digest`: of the steps up to there.
    """
    keys = {(costs, group, digest, how, name): name for name in starts}
    asked = {key: partial(_compute, key, group, starts[name], name, how) for key, name in keys.items()}
    waiting = frozenset(keys[key] for key in later.missing(asked))
    found = {name: ALL.find(key) for key, name in keys.items() if name not in waiting}
    return {name: each for name, each in found.items() if each is not None}, waiting


def _compute(key: tuple, group: Opened, start: ObservedGroup, name: str, how: Restart, _is_wanted: Callable[[], bool]) -> None:
    ALL.get(key, lambda: _costs(group, start, name, how))


def _costs(group: Opened, start: ObservedGroup, name: str, how: Restart) -> Costs:
    assignor = asked_of(group, name)
    static, in_rate = all_static(start), _in_rate(group, start)
    both = [cost(each, rolling_restart(each, how.order, how.at_once), assignor, how.times, in_rate) for each in (start, static)]
    return Costs(*both)


def _in_rate(group: Opened, start: ObservedGroup) -> np.ndarray | None:
    """Return records/s into each partition, None where no history that can be read tells them."""
    with suppress(SnapshotError):
        found = speeds(group)
        return found and in_rate_of(start.snapshot, begun(group).own.observed.snapshot, found.series)
