"""Restoring: how fast processes fill their copies, and how fast the changelogs grow."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.group.application import ApplicationSnapshot


@dataclass(frozen=True, eq=False)
class Restoring:
    """Rates in records/s, NaN where unknown.

    Parameters
    ----------
    restore_rate : float64 (C,)
        What each process reads from changelogs in all.
    end_offset_rate : float64 (K,)
        How fast the end offsets of each task's changelog grow while the task runs.
    """

    restore_rate: np.ndarray
    end_offset_rate: np.ndarray


def unknown_rates(application: ApplicationSnapshot) -> Restoring:
    """Return rates of which none is known."""
    return Restoring(np.full(application.process_count, np.nan), np.full(application.task_count, np.nan))
