"""Figures of a step that take long, computed behind the page: how much new ids matter, and what a rolling restart costs."""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.dashboard.loading import apart
from evenkeel.dashboard.loading.cache import later
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.history.speeds import speeds
from evenkeel.dashboard.loading.plugins import plugin_settings
from evenkeel.dashboard.loading.scenarios.walks import asked_of, digests, walked
from evenkeel.dashboard.loading.views import begun
from evenkeel.dashboard.view import Opened
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.history.advance_rates import in_rate_of
from evenkeel.data.scenarios.own_process import LimitError
from evenkeel.data.scenarios.run.group_step import remembering
from evenkeel.data.scenarios.run.rolling_restart import Cost, Order, Times, both_costs, own_costs, unknown_cost
from evenkeel.data.scenarios.run.seeds import SEEDS, Drawn, all_drawn, drawn
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.scenarios.size import SizeOfGroup

_TURN = threading.Lock()


_NONE = Drawn(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


def seeds_of(group: Opened, steps: Sequence[Step], number: int, name: str) -> tuple[Drawn, bool]:
    """Return the figures of the seeds that are done, and whether these are all; `number` counts from 1."""
    key = (seeds_of, group, digests(steps[:number])[-1], name, plugin_settings())
    waiting = later.missing({key: partial(_draw, key, group, steps[:number], name)}, patience=0.1, turn=_TURN)
    return ALL.find((key, "drawn")) or _NONE, not waiting


def _draw(key: tuple, group: Opened, steps: Sequence[Step], name: str, is_wanted: Callable[[], bool]) -> None:
    before = walked(group, steps[:-1], name).answers[-1]
    start = before.group or before.start
    made, each = asked_of(group, name), SizeOfGroup.of_observed(start).footprint.work
    seeds = max(min(SEEDS, configuration().budget.work // max(each, 1)), 1)
    if name in ASSIGNORS and apart.is_heavy(each * seeds):
        with suppress(apart.NotWantedError):
            ALL.put((key, "drawn"), _drawn_apart(group, start, steps, name, seeds, is_wanted))
        return
    for done in drawn(start, steps[-1], len(steps) - 1, remembering(made, start), seeds):
        ALL.put((key, "drawn"), done)
        if not is_wanted():
            return


def _drawn_apart(group: Opened, start: ObservedGroup, steps: Sequence[Step], name: str, seeds: int, is_wanted: Callable[[], bool]) -> Drawn:
    """Return all figures at once; none where so many seeds take more than the limits."""
    asked = (start, steps[-1], len(steps) - 1, name, group.settings, seeds)
    try:
        return apart.run(apart.limits(), all_drawn, *asked, is_wanted=is_wanted)
    except LimitError:
        return _NONE


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


def _compute(key: tuple, group: Opened, start: ObservedGroup, name: str, how: Restart, is_wanted: Callable[[], bool]) -> None:
    with suppress(apart.NotWantedError):
        ALL.get(key, lambda: _costs(group, start, name, how, is_wanted))


def _costs(group: Opened, start: ObservedGroup, name: str, how: Restart, is_wanted: Callable[[], bool]) -> Costs:
    in_rate, work = _in_rate(group, start), 2 * how.batches(start) * SizeOfGroup.of_observed(start).footprint.work
    if name not in ASSIGNORS or not apart.is_heavy(work):
        return Costs(*both_costs(start, asked_of(group, name), *how, in_rate))
    try:
        return Costs(*apart.run(apart.limits(), own_costs, start, name, group.settings, *how, in_rate, is_wanted=is_wanted))
    except LimitError:
        return Costs(unknown_cost(name, is_static=False), unknown_cost(name, is_static=True))


def _in_rate(group: Opened, start: ObservedGroup) -> np.ndarray | None:
    """Return records/s into each partition, None where no history that can be read tells them."""
    with suppress(SnapshotError):
        found = speeds(group)
        return found and in_rate_of(start.snapshot, begun(group).own.observed.snapshot, found.series)
