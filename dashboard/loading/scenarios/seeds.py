"""How much the new ids of a step matter: its figures over many seeds, computed behind the page."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.dashboard.loading import apart
from evenkeel.dashboard.loading.cache import later
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.plugins import plugin_settings
from evenkeel.dashboard.loading.scenarios.walks import asked_of, digests, walked
from evenkeel.dashboard.view import Opened
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.configuration import configuration
from evenkeel.data.scenarios.own_process import LimitError
from evenkeel.data.scenarios.run.group_step import remembering
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
