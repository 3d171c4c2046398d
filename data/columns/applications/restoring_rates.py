"""The rates of a streams document become columns."""

import numpy as np

from evenkeel.assignors.rounds.restoring import Restoring
from evenkeel.data.columns.applications.application_from_document import task_order
from evenkeel.data.document.application import Application


def restoring_rates(document: Application) -> Restoring:
    """Return the rates of processes and tasks, NaN where the document has none."""
    of_process, of_task = document.restore_rates or {}, document.end_offset_rates or {}
    tasks = [document.tasks[place].task_id for place in task_order(document).tolist()]
    return Restoring(
        np.array([of_process.get(process.process_id, np.nan) for process in document.processes or ()], dtype=np.float64),
        np.array([of_task.get(task, np.nan) for task in tasks], dtype=np.float64),
    )
