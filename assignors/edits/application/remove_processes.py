"""Processes die: their tasks have no owner until the next rebalance."""

from collections.abc import Sequence

import numpy as np

from evenkeel.assignors.edits.application.process_rows import EditedApplication, process_rows_of, with_processes
from evenkeel.assignors.group.application import ApplicationSnapshot


def remove_processes(application: ApplicationSnapshot, process_ids: Sequence[tuple[int, int]]) -> EditedApplication:
    """Return the application without these processes; the others keep their order.

    Raises
    ------
    KeyError
        With the id, when the application has no such process.
    """
    stays = np.ones(application.process_count, dtype=bool)
    stays[process_rows_of(application, process_ids)] = False
    return with_processes(application, stays)
