"""A picture of CSS boxes, 76 pixels high: a column for each instance, a box for each task that it runs, keeps or warms up."""

import numpy as np

from evenkeel.dashboard.loading.applications import answered
from evenkeel.dashboard.view import ApplicationView

_HIGH_AVAILABILITY = "high-availability"
_MOST = 9
"""Boxes of a column."""


def task_picture(view: ApplicationView) -> str:
    """Return the HTML of the picture and of the line below it: what Kafka's default assignor gives each instance now."""
    answer = answered(view, _HIGH_AVAILABILITY).found.rounds[0].answer
    stateful = view.snapshot.is_stateful
    count = view.snapshot.process_count
    active, copies, warmup = (
        np.bincount(rows, minlength=count) for rows in (answer.active[stateful], answer.standby[:, 0], answer.warmup[:, 0])
    )
    order = sorted(range(count), key=view.processes.__getitem__)
    columns = "".join(_column(int(active[each]), int(copies[each] - warmup[each]), int(warmup[each])) for each in order)
    line = 'tasks per instance: <b class="run">active</b>, <b class="keep">standby</b>, <b class="warm">warm-up</b>'
    return f'<div class="mini tasks" aria-hidden="true">{columns}</div><p class="note mini-line">{line}</p>'


def _column(active: int, standby: int, warmup: int) -> str:
    kinds = [*["run"] * active, *["keep"] * standby]
    boxes = [*kinds[: _MOST - min(warmup, _MOST)], *["warm"] * warmup][:_MOST]
    inside = "".join(f'<i class="{kind}"></i>' for kind in boxes)
    return f"<span>{inside}</span>"
