"""Surprising behaviours of Kafka that have an influence on a task assignment."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import IDENTITY_HASHES, TaskAssignment
from evenkeel.assignors.group.application import NO_TAG, RUNNING, UNKNOWN_SUM, ApplicationSnapshot
from evenkeel.assignors.protocol import TaskAssignor

SENTENCES: Mapping[str, str] = {
    "Q-13": (
        "Only the leader's settings have an effect. During a rollout, the answer does not show that"
        " other instances have other settings."
    ),
    "Q-14": (
        "A copy with unknown offsets counts as the copy with the least lag. So its process takes"
        " over tasks that it has to restore."
    ),
    "Q-15": (
        "If two copies of a task must both wait, their places in a heap decide which copy moves"
        " first, not their process ids."
    ),
    "Q-16": "Stateless tasks are dealt again in each rebalance, also in probing rebalances.",
    "Q-17": (
        "Standbys move only between processes with equal tags, including tags that are not"
        " configured. So one different tag is enough to keep standbys uneven."
    ),
    "Q-18": (
        "`balance_subtopology` ignores where tasks ran. So tasks move although they then read as"
        " many partitions from other racks as before."
    ),
    "Q-19": "Kafka ignores racks without a warning, because not both costs are configured.",
    "Q-20": (
        "Process ids compare as signed numbers: ids that start with 8 to f are before ids that"
        " start with 0 to 7."
    ),
    "Q-21": (
        "Kafka places standbys in the order of hash codes that are random in each run. These"
        " standbys are one of many valid outcomes."
    ),
    "Q-22": (
        "The check that copies have different tags compares a process with itself. So an exchange"
        " because of racks may undo the placement by tags."
    ),
    "Q-30": (
        "A copy was placed by load although a process with the state was free, because the first"
        " process with the state now runs the task."
    ),
}


class TaskQuirk(NamedTuple):
    """A surprising behaviour. `name`: number as in `docs/assignors.md`.

    `process`, `task`: affected numbers, int32, ascending. Both are empty if the whole application
    is affected.
    """

    name: str
    process: np.ndarray
    task: np.ndarray


Rows = tuple[np.ndarray, np.ndarray] | None
Detector = Callable[[ApplicationSnapshot, Any, TaskAssignment], Rows]


def task_quirks(
    application: ApplicationSnapshot, assignor: TaskAssignor, answer: TaskAssignment
) -> tuple[TaskQuirk, ...]:
    """Return the behaviours of `assignor.quirks` that affect this assignment.

    Q-13 and Q-15 are left out, because the input does not show whether they have an effect.
    """
    strikes = (
        (name, DETECTORS[name](application, assignor, answer))
        for name in assignor.quirks
        if name in DETECTORS
    )
    return tuple(
        TaskQuirk(name, *(np.unique(rows).astype(np.int32) for rows in rows_of))
        for name, rows_of in strikes
        if rows_of is not None
    )


def _some(process: np.ndarray, task: np.ndarray) -> Rows:
    return (process, task) if process.size or task.size else None


def _whole(strikes: bool) -> Rows:
    return (np.empty(0), np.empty(0)) if strikes else None


def _ran(application: ApplicationSnapshot) -> np.ndarray:
    """Return the process that ran each task, int32 (K,); -1 if none."""
    ran = np.full(application.task_count, -1, dtype=np.int32)
    process, task = np.nonzero(application.offset_sum == RUNNING)
    ran[task] = process
    ran[application.owned_task] = application.member_process[application.owned_member]
    return ran


def _unknown_offsets(
    application: ApplicationSnapshot, _assignor: Any, answer: TaskAssignment
) -> Rows:
    tasks = np.flatnonzero(application.is_stateful & (_ran(application) != answer.active))
    tasks = tasks[application.lag[answer.active[tasks], tasks] == UNKNOWN_SUM]
    return _some(answer.active[tasks], tasks)


def _stateless_moved(
    application: ApplicationSnapshot, _assignor: Any, answer: TaskAssignment
) -> Rows:
    ran = _ran(application)
    tasks = np.flatnonzero(~application.is_stateful & (ran >= 0) & (ran != answer.active))
    return _some(answer.active[tasks], tasks)


def _odd_tags(application: ApplicationSnapshot, assignor: Any, _answer: TaskAssignment) -> Rows:
    """Return the processes with a tag that is not configured and that not all processes have."""
    if not assignor.rack_aware_assignment_tags or assignor.num_standby_replicas <= 0:
        return None
    odd = application.tag_value[
        :, ~np.isin(application.tag_key, assignor.rack_aware_assignment_tags)
    ]
    differs = np.array(
        [((row != NO_TAG) & (odd != row).any(axis=0)).any() for row in odd], dtype=bool
    )
    return _some(np.flatnonzero(differs), np.empty(0))


def _needlessly_moved(
    application: ApplicationSnapshot, assignor: Any, answer: TaskAssignment
) -> Rows:
    if (
        assignor.rack_aware_assignment_strategy != "balance_subtopology"
        or answer.assumed
        or not application.rack_name
    ):
        return None
    ran, misses = (
        _ran(application),
        application.source.misses(application.process_rack, len(application.rack_name)),
    )
    tasks = np.flatnonzero((ran >= 0) & (ran != answer.active) & application.is_stateful)
    tasks = tasks[misses[ran[tasks], tasks] == misses[answer.active[tasks], tasks]]
    return _some(answer.active[tasks], tasks)


def _costs_missing(
    _application: ApplicationSnapshot, assignor: Any, _answer: TaskAssignment
) -> Rows:
    costs = (
        assignor.rack_aware_assignment_traffic_cost,
        assignor.rack_aware_assignment_non_overlap_cost,
    )
    return _whole(assignor.rack_aware_assignment_strategy != "none" and None in costs)


def _signed_ids(application: ApplicationSnapshot, _assignor: Any, _answer: TaskAssignment) -> Rows:
    is_negative = application.process_id[:, 0] < 0
    return (
        _some(np.flatnonzero(is_negative), np.empty(0))
        if is_negative.any() and not is_negative.all()
        else None
    )


def _by_lot(_application: ApplicationSnapshot, _assignor: Any, answer: TaskAssignment) -> Rows:
    return _whole(IDENTITY_HASHES in answer.assumed)


def _no_veto(_application: ApplicationSnapshot, assignor: Any, answer: TaskAssignment) -> Rows:
    has_racks = (
        assignor.rack_aware_assignment_strategy != "none"
        and _costs_missing(_application, assignor, answer) is None
    )
    return _whole(
        has_racks and bool(assignor.rack_aware_assignment_tags) and bool(answer.standby.size)
    )


def _passed_over(application: ApplicationSnapshot, assignor: Any, answer: TaskAssignment) -> Rows:
    """Return the processes that lose a task's state because of Q-30.

    The first process with the state has the task, and a process without the state got a standby.
    """
    if assignor.num_standby_replicas <= 0:
        return None
    holds = np.zeros((application.process_count, application.task_count), dtype=bool)
    holds[answer.active, np.arange(application.task_count)] = True
    holds[answer.standby[:, 0], answer.standby[:, 1]] = True
    order = np.argsort(
        application.member_map_order.places[application.standby_member], kind="stable"
    )
    process, task = (
        application.member_process[application.standby_member[order]],
        application.standby_task[order],
    )
    tasks, first = np.unique(task, return_index=True)
    is_first_busy = np.zeros(application.task_count, dtype=bool)
    is_first_busy[tasks] = holds[process[first], tasks]
    retained = np.zeros_like(holds)
    retained[process, task] = True
    # If a process neither ran the task nor had its state, its copy was placed by load.
    by_load = np.zeros(application.task_count, dtype=bool)
    is_new = ~retained[answer.standby[:, 0], answer.standby[:, 1]] & (
        _ran(application)[answer.standby[:, 1]] != answer.standby[:, 0]
    )
    by_load[answer.standby[is_new, 1]] = True
    passed, over = np.nonzero(retained & ~holds & (is_first_busy & by_load))
    return _some(passed, over)


DETECTORS: Mapping[str, Detector] = {
    "Q-14": _unknown_offsets,
    "Q-16": _stateless_moved,
    "Q-17": _odd_tags,
    "Q-18": _needlessly_moved,
    "Q-19": _costs_missing,
    "Q-20": _signed_ids,
    "Q-21": _by_lot,
    "Q-22": _no_veto,
    "Q-30": _passed_over,
}
