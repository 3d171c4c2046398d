"""An answer of a task assignor as Arrow tables with names: who has what, what moves, and the rounds until all is balanced."""

from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.assignors.figures.tasks import is_left_unknown, role_counts
from evenkeel.assignors.rounds.streams import StreamsRound
from evenkeel.data.columns import TaskNames
from evenkeel.data.columns.applications.application_from_document import task_order
from evenkeel.data.columns.applications.task_names import Roles
from evenkeel.data.scenarios.applications.task_step import TaskStep

_ROLES = pa.schema([("owner", pa.string()), ("task_id", pa.string()), ("role", pa.string())])
_MOVES = pa.schema(
    [
        ("task_id", pa.string()),
        ("from_process", pa.string()),
        ("to_process", pa.string()),
        ("records", pa.int64()),
        ("seconds", pa.float64()),
    ]
)
_ROUNDS = pa.schema(
    [
        ("assignor", pa.string()),
        ("round", pa.int64()),
        ("seconds", pa.float64()),
        ("rebalances", pa.int64()),
        ("tasks_in_place", pa.int64()),
        ("warmup_tasks", pa.int64()),
        ("records_to_restore", pa.int64()),
        ("is_balanced", pa.bool_()),
    ]
)


def roles_table(step: TaskStep) -> pa.Table:
    """Return owner, task_id and role (active, standby or warmup); the owner is a process, of a broker's group a member."""
    rows = [
        {"owner": owner, "task_id": task_id, "role": role}
        for owner, roles in roles_by_owner(step).items()
        for role, tasks in roles.items()
        for task_id in tasks
        if role != "standby" or task_id not in roles["warmup"]
    ]
    return pa.Table.from_pylist(rows, _ROLES)


def roles_by_owner(step: TaskStep) -> dict[str, Roles]:
    """Return the tasks of each owner by role, as `evenkeel assign` answers: warm-ups are also standbys, as in Kafka."""
    return TaskNames(step.joined).by_owner(step.answer, step.assignor.group_type)


def moved_tasks_table(step: TaskStep) -> pa.Table:
    """Return the active tasks that change process, with the records to restore before they run and how long that takes; null is unknown."""
    document, moves = step.joined, step.moves
    names = [process.process_id for process in document.processes or ()]
    tasks = [document.tasks[place].task_id for place in task_order(document).tolist()]
    is_unknown = is_left_unknown(step.applications[-1])[moves.to_process, moves.task]
    columns = {
        "task_id": [tasks[task] for task in moves.task.tolist()],
        # A process that is gone has no row.
        "from_process": [names[process] if process < len(names) else None for process in moves.from_process.tolist()],
        "to_process": [names[process] for process in moves.to_process.tolist()],
        "records": pa.array(moves.records, pa.int64(), mask=is_unknown),
        "seconds": pa.array(moves.seconds, pa.float64(), mask=is_unknown | ~np.isfinite(moves.seconds)),
    }
    return pa.table(columns, schema=_MOVES)


def rounds_table(step: TaskStep) -> pa.Table:
    """Return the probing rebalances, KIP-441, from this one to the last; `seconds` since the first, null where a rate is unknown."""
    found = step.rounds
    last, count = found.rounds[-1].answer.active, len(found.rounds)
    rows = [
        _round(each, last) | {"assignor": step.name, "round": number, "is_balanced": found.is_balanced and number == count}
        for number, each in enumerate(found.rounds, 1)
    ]
    return pa.Table.from_pylist(rows, _ROUNDS)


def no_rounds() -> pa.Table:
    """Return the same table without rows."""
    return _ROUNDS.empty_table()


def _round(each: StreamsRound, last: np.ndarray) -> dict[str, Any]:
    application, answer = each.application, each.answer
    is_unknown = is_left_unknown(application)[answer.active, np.arange(application.task_count)].any()
    return {
        "seconds": None if each.is_assumed else each.seconds,
        "rebalances": len(each.answers),
        "tasks_in_place": int(np.count_nonzero((answer.active == last) & application.is_stateful)),
        "warmup_tasks": int(role_counts(application, answer).warmup.sum()),
        "records_to_restore": None if is_unknown else sum(each.active_left.tolist()),
    }
