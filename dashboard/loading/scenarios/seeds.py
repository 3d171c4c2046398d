"""How much the new ids of a step matter: its figures over many seeds, computed behind the page."""

import threading
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from dashboard.loading.cache import later
from dashboard.loading.cache.cache import ALL
from dashboard.loading.plugins import plugin_settings
from dashboard.loading.scenarios.asked_assignor import asked_of
from dashboard.loading.scenarios.digests import digests
from dashboard.loading.scenarios.walks import walked
from dashboard.view import Opened
from data.scenarios.run.result import remembering
from data.scenarios.run.seeds import SEEDS, Drawn, drawn
from data.scenarios.scenario.scenario import Step

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
    made = asked_of(group, name)
    for done in drawn(start, steps[-1], len(steps) - 1, remembering(made, start), SEEDS):
        ALL.put((key, "drawn"), done)
        if not is_wanted():
            return
