"""How many tasks have which role in each round."""

from dataclasses import dataclass

import numpy as np

from dashboard.view import TaskRounds


@dataclass(frozen=True, eq=False)
class RoleCounts:
    """Of the stateful tasks, int64 (R,) each: active where they stay, active and still to move, standby, warm-up."""

    in_place: np.ndarray
    moving: np.ndarray
    standby: np.ndarray
    warmup: np.ndarray
    task_count: int


def role_counts(found: TaskRounds) -> RoleCounts:
    """Count by role; a task is in place where it runs after the last round."""
    stateful = found.rounds[0].application.is_stateful
    last, total = found.rounds[-1].answer.active, int(stateful.sum())
    in_place = np.array([np.count_nonzero((each.answer.active == last) & stateful) for each in found.rounds], dtype=np.int64)
    copies, warmup = (np.array([len(rows) for rows in column], dtype=np.int64) for column in _copies(found))
    return RoleCounts(in_place, total - in_place, copies - warmup, warmup, total)


def _copies(found: TaskRounds) -> tuple[list[np.ndarray], list[np.ndarray]]:
    return [each.answer.standby for each in found.rounds], [each.answer.warmup for each in found.rounds]
