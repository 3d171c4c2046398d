"""What each assignor would stop at once: the tasks that move to an instance without their state, and how long they restore."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.figures.tasks import MovedTasks, is_left_unknown, moved_tasks, seconds_to_run
from evenkeel.dashboard.view import ApplicationView, TaskRounds


class Downtime(NamedTuple):
    """One assignor. `stopped`: moved tasks that restore before they run, `seconds`: the longest of them; None where unknown."""

    name: str
    moved: int
    stopped: int | None
    seconds: float | None
    records: int | None
    to_balance: float | None
    is_balanced: bool
    is_endless: bool
    is_whole: bool


def downtime(view: ApplicationView, name: str, found: TaskRounds) -> Downtime:
    """Return what the first rebalance of an assignor stops."""
    moved = _moved(view, found)
    ends = found.seconds, found.is_balanced, found.is_endless, found.is_whole
    if is_left_unknown(found.rounds[0].application)[moved.to_process, moved.task].any():
        return Downtime(name, moved.task.size, None, None, None, *ends)
    stopped = int(np.count_nonzero(moved.records))
    return Downtime(name, moved.task.size, stopped, moved.longest_seconds, moved.record_count, *ends)


def restoring(view: ApplicationView, found: TaskRounds) -> tuple[int, float | None]:
    """Return how many tasks restore before they run after the first rebalance, and how long; None where unknown."""
    left = found.rounds[0].active_left
    seconds = seconds_to_run(left, found.rounds[0].answer.active, view.restoring.restore_rate)
    return int(np.count_nonzero(left)), None if np.isnan(seconds).any() else float(seconds.max(initial=0.0))


def _moved(view: ApplicationView, found: TaskRounds) -> MovedTasks:
    first = found.rounds[0]
    before = np.where(first.application.is_stateful, view.owners, -1)
    return moved_tasks(first.application, before, first.answer, view.restoring.restore_rate)
