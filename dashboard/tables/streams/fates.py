"""What becomes of each task in the rounds after the one that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenkeel.dashboard.view import TaskRound

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Fates:
    """Of one round.

    Parameters
    ----------
    before : int32 (K,)
        Process that ran each task before, `NOWHERE` where none did; one row more for a process that is gone.
    now : int32 (K,)
        Process that runs it.
    to, at : int64 (K,)
        Process that runs it next, and the round in which it does; `NOWHERE` where it stays.
    waiting : int64 (N, 3)
        (member, task, round): warmups that start in a later round for tasks that still have to move.
    """

    before: np.ndarray
    now: np.ndarray
    to: np.ndarray
    at: np.ndarray
    waiting: np.ndarray


def fates(owners: np.ndarray, rounds: Sequence[TaskRound], number: int) -> Fates:
    """Look from one round back to the one before it, `owners` before the first, and on to the last."""
    shown = rounds[number]
    now, task_count = shown.answer.active, shown.application.task_count
    to, at = np.full((2, task_count), NOWHERE, dtype=np.int64)
    for later in range(len(rounds) - 1, number, -1):
        differs = rounds[later].answer.active != now
        to, at = np.where(differs, rounds[later].answer.active, to), np.where(differs, later, at)
    return Fates(rounds[number - 1].answer.active if number else owners, now, to, at, _waiting(rounds, number, at))


def _waiting(rounds: Sequence[TaskRound], number: int, at: np.ndarray) -> np.ndarray:
    """Return for each task that moves the first warmup after this round; none where it is filled now or needs none."""
    filled = set(rounds[number].answer.standby[:, 1].tolist()) & set(rounds[number].answer.warmup[:, 1].tolist())
    found: dict[int, tuple[int, int, int]] = {}
    for later in range(number + 1, len(rounds)):
        answer = rounds[later].answer
        member = dict(zip(map(tuple, answer.standby.tolist()), answer.standby_member.tolist(), strict=True))
        for process, task in answer.warmup.tolist():
            if at[task] >= later and task not in filled:
                found.setdefault(task, (member[process, task], task, later))
    return np.array(sorted(found.values()), dtype=np.int64).reshape(-1, 3)
