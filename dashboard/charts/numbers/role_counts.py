"""How many tasks have which role in each round."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.assignment import TaskAssignment


@dataclass(frozen=True, eq=False)
class RoleCounts:
    """Of the stateful tasks, int64 (R,) each: active where they stay, active and still to move, standby, warm-up."""

    in_place: np.ndarray
    moving: np.ndarray
    standby: np.ndarray
    warmup: np.ndarray
    task_count: int


def role_counts(answers: Sequence[TaskAssignment], is_stateful: np.ndarray) -> RoleCounts:
    """Count by role in each round; a task is in place where it runs after the last one. `is_stateful` bool (K,)."""
    last, total = answers[-1].active, int(is_stateful.sum())
    in_place = np.array([np.count_nonzero((answer.active == last) & is_stateful) for answer in answers], dtype=np.int64)
    copies = np.array([len(answer.standby) for answer in answers], dtype=np.int64)
    warmup = np.array([len(answer.warmup) for answer in answers], dtype=np.int64)
    return RoleCounts(in_place, total - in_place, copies - warmup, warmup, total)
