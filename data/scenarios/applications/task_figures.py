"""The figures of an application by one task assignor; null where unknown."""

import math
from typing import Any

import numpy as np

from evenkeel.assignors.figures.tasks import is_left_unknown, role_counts, tasks_without_caught_up_copy
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.application import RUNNING, ApplicationSnapshot
from evenkeel.data.columns import application_from_document
from evenkeel.data.document import Application
from evenkeel.data.scenarios.applications.task_step import TaskStep

TASK_FIGURES = (
    "max_active_tasks",
    "min_active_tasks",
    "standby_tasks",
    "warmup_tasks",
    "moved_tasks",
    "records_to_restore",
    "seconds_to_restore",
    "tasks_without_caught_up_copy",
    "rebalances",
    "rounds",
    "seconds_to_balance",
)
"""Numbers of one row, in the order of `--json`. To restore: what the moved tasks need until they run again."""

_BROKERS = "streams"
NO_FIGURES: dict[str, Any] = {**dict.fromkeys(TASK_FIGURES), "probing_rebalance": None, "never_ends": None}


def figures_of_step(step: TaskStep) -> dict[str, Any]:
    """Return the figures after a step; all null where Kafka's class throws."""
    if step.answer is None:
        return dict(NO_FIGURES)
    application, answer, found = step.applications[-1], step.answer, step.rounds
    counts, knows_rates = role_counts(application, answer), not any(each.is_assumed for each in found.rounds)
    is_restored = _ends_are_known(application, step.moves.task, step.moves.to_process)
    return {
        "max_active_tasks": int(counts.active.max(initial=0)),
        "min_active_tasks": int(counts.active.min()) if counts.active.size else 0,
        "standby_tasks": int(counts.standby.sum()),
        "warmup_tasks": int(counts.warmup.sum()),
        "moved_tasks": int(step.moves.task.size),
        "records_to_restore": step.moves.record_count if is_restored else None,
        "seconds_to_restore": _finite(step.moves.longest_seconds) if is_restored else None,
        "tasks_without_caught_up_copy": _without_copy(step.applications[0], step.assignor.acceptable_recovery_lag),
        "rebalances": len(step.answers),
        "rounds": len(found.rounds) if found.is_balanced and knows_rates else None,
        "seconds_to_balance": found.seconds_to_balance,
        "probing_rebalance": answer.is_probing_rebalance_needed,
        "never_ends": True if found.is_endless else False if found.is_balanced else None,
    }


def figures_as_listed(document: Application, acceptable_recovery_lag: int) -> dict[str, Any]:
    """Return the figures of what runs now; which copies are warmups is not in a streams document."""
    owned = [sum(len(one.owned or ()) for one in process.consumers) for process in document.processes or ()]
    consumers = [consumer for process in document.processes or () for consumer in process.consumers]
    is_known = any(consumer.owned is not None for consumer in consumers)
    copies = sum(len(consumer.standby or ()) for consumer in consumers) if document.type == _BROKERS else None
    return NO_FIGURES | {
        "max_active_tasks": max(owned) if is_known else None,
        "min_active_tasks": min(owned) if is_known else None,
        "standby_tasks": copies,
        "moved_tasks": 0,
        "records_to_restore": 0,
        "seconds_to_restore": 0.0,
        "tasks_without_caught_up_copy": _without_copy(application_from_document(document), acceptable_recovery_lag),
    }


def _ends_are_known(application: ApplicationSnapshot, task: np.ndarray, process: np.ndarray) -> bool:
    """Tell whether it is known what each task has to restore on its process; one that runs there has nothing."""
    return not is_left_unknown(application)[process, task].any()


def _without_copy(application: ApplicationSnapshot, acceptable_recovery_lag: int) -> int | None:
    is_unknown = application.is_stateful & (application.end_offset_sum == UNKNOWN) & ~(application.offset_sum == RUNNING).any(axis=0)
    return None if is_unknown.any() else int(tasks_without_caught_up_copy(application, acceptable_recovery_lag).size)


def _finite(seconds: float | None) -> float | None:
    return None if seconds is None or math.isinf(seconds) else seconds
