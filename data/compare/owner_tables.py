"""Arrow tables of owners and moves, with names of members, topics and tasks.

Unknown values are null.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.compare.balance import Balance, lag_at
from evenkeel.assignors.compare.moves import owner_pairs
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.assignors.group.tasks import is_left_unknown, role_counts
from evenkeel.assignors.rounds.streams import StreamsRound
from evenkeel.data.group.columns.application_document import ordered_tasks
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.run.application_step import TaskStep


def owners_table(group: GroupSnapshot, assigned: Assignment | None, lag: np.ndarray) -> pa.Table:
    """Return topic, partition, member_id and lag, sorted by topic and partition.

    A partition with several owners has a row for each owner. If `assigned` is None, the owners are
    unknown, and member_id is null.
    """
    owner = group.unowned() if assigned is None else assigned.owner
    member, topic, partition = owner, group.tp_topic, group.tp_partition
    if assigned is not None and assigned.extra.size:
        further, extra_topic, extra_partition = assigned.extra.T
        member, topic = np.append(member, further), np.append(topic, extra_topic)
        partition = np.append(partition, extra_partition)
        order = np.lexsort((member, partition, topic))
        member, topic, partition = member[order], topic[order], partition[order]
    return pa.table(
        _places(group, topic, partition)
        | {"member_id": _members(group, member)}
        | _lags(lag_at(group, lag, topic, partition))
    )


def moves_table(
    group: GroupSnapshot, owned: Assignment, assigned: Assignment, lag: np.ndarray
) -> pa.Table:
    """Return the partitions whose owner changes, most lag first, unknown lag last.

    Columns: topic, partition, from_member, to_member and lag. `from_member` is null if the
    partition had no owner, `to_member` if the partition gets no owner.
    """
    pairs = owner_pairs(group, owned, assigned)
    lags = lag_at(group, lag, pairs.topic, pairs.partition)
    moved = np.flatnonzero(pairs.from_member != pairs.to_member)
    rows = moved[np.argsort(-lags[moved], kind="stable")]
    members = {
        "from_member": _members(group, pairs.from_member[rows]),
        "to_member": _members(group, pairs.to_member[rows]),
    }
    return pa.table(
        _places(group, pairs.topic[rows], pairs.partition[rows]) | members | _lags(lags[rows])
    )


def members_table(group: ObservedGroup, load: Balance | None) -> pa.Table:
    """Return a row for each member.

    Columns: member_id, client_id, host, instance_id, partitions, lag and unknown_lag_partitions. If
    `load` is None, partitions, lag and unknown_lag_partitions are null.
    """
    snapshot, nothing = group.snapshot, np.zeros(group.snapshot.member_count, dtype=np.int64)
    count, lag, unknown = (
        (nothing,) * 3 if load is None else (load.partition_count, load.lag, load.unknown_lag_count)
    )
    is_unknown = np.full(len(count), load is None)
    return pa.table(
        {
            "member_id": pa.array(snapshot.member_id, "string"),
            "client_id": pa.array(group.client_id, "string"),
            "host": pa.array(group.host, "string"),
            "instance_id": pa.array(snapshot.instance_id, "string"),
            "partitions": pa.array(count, "int64", mask=is_unknown),
            "lag": pa.array(lag, "int64", mask=is_unknown | (unknown >= np.maximum(count, 1))),
            "unknown_lag_partitions": pa.array(unknown, "int64", mask=is_unknown),
        }
    )


def partitions_table(group: ObservedGroup) -> pa.Table:
    """Return the rows of `owners_table` with the offsets of each partition."""
    snapshot = group.snapshot
    table = owners_table(snapshot, group.current, page_lag(snapshot))
    name = {topic: row for row, topic in enumerate(snapshot.topic_name)}
    topic = np.array([name[each] for each in table["topic"].to_pylist()], dtype=np.int64)
    partition = table["partition"].to_numpy()
    exists = partition < snapshot.partition_count[topic]
    tps = np.where(exists, snapshot.first_tp[topic] + partition, 0)
    for place, column in enumerate(("begin_offset", "end_offset", "committed_offset"), 3):
        values = getattr(snapshot, column)[tps] if snapshot.tp_count else np.full(len(tps), UNKNOWN)
        table = table.add_column(
            place, column, pa.array(values, "int64", mask=~exists | (values == UNKNOWN))
        )
    return table


def _places(group: GroupSnapshot, topic: np.ndarray, partition: np.ndarray) -> dict[str, pa.Array]:
    names = pa.array(group.topic_name, "string")
    return {
        "topic": names.take(pa.array(topic, "int32")),
        "partition": pa.array(partition, "int32"),
    }


def _members(group: GroupSnapshot, member: np.ndarray) -> pa.Array:
    return pa.array(group.member_id, "string").take(
        pa.array(member, "int32", mask=member == UNASSIGNED)
    )


def _lags(lag: np.ndarray) -> dict[str, pa.Array]:
    return {"lag": pa.array(lag, "int64", mask=lag == UNKNOWN_LAG)}


# Tables of a task assignor's answer: roles, moves, and rounds until the application is balanced.


_ROLES = pa.schema([("owner", "string"), ("task_id", "string"), ("role", "string")])
_MOVES = pa.schema(
    [
        ("task_id", "string"),
        ("from_process", "string"),
        ("to_process", "string"),
        ("records", "int64"),
        ("seconds", "float64"),
    ]
)
_ROUNDS = pa.schema(
    [
        ("assignor", "string"),
        ("round", "int64"),
        ("seconds", "float64"),
        ("rebalances", "int64"),
        ("tasks_in_place", "int64"),
        ("warmup_tasks", "int64"),
        ("records_to_restore", "int64"),
        ("is_balanced", "bool"),
    ]
)


def roles_table(step: TaskStep) -> pa.Table:
    """Return owner, task_id and role: active, standby or warmup.

    The owner is a process. If the broker assigns the tasks, the owner is a member.
    """
    rows = []
    for owner, roles in step.assigned().items():
        for role, tasks in roles.items():
            for task_id in tasks:
                if role != "standby" or task_id not in roles["warmup"]:
                    rows.append({"owner": owner, "task_id": task_id, "role": role})
    return pa.Table.from_pylist(rows, _ROLES)


def moved_tasks_table(step: TaskStep) -> pa.Table:
    """Return the active tasks that move to another process. Columns include the records to restore
    and the seconds for restoring them.

    Unknown values are null.
    """
    document, moves = step.joined, step.moves
    assert document
    names = [process.process_id for process in document.processes or ()]
    tasks = [task.task_id for task in ordered_tasks(document)]
    is_unknown = is_left_unknown(step.applications[-1])[moves.to_process, moves.task]
    columns = {
        "task_id": [tasks[task] for task in moves.task.tolist()],
        # A departed process has no row.
        "from_process": [
            names[process] if process < len(names) else None
            for process in moves.from_process.tolist()
        ],
        "to_process": [names[process] for process in moves.to_process.tolist()],
        "records": pa.array(moves.records, "int64", mask=is_unknown),
        "seconds": pa.array(
            moves.seconds, "float64", mask=is_unknown | ~np.isfinite(moves.seconds)
        ),
    }
    return pa.table(columns, schema=_MOVES)


def rounds_table(step: TaskStep) -> pa.Table:
    """Return a row for each round of probing rebalances (KIP-441).

    `seconds`: time since the first round, null if a rate is unknown.
    """
    rounds = step.rounds
    assert rounds
    last, count = rounds.rounds[-1].answer.active, len(rounds.rounds)
    rows = [
        _round(each, last)
        | {
            "assignor": step.name,
            "round": number,
            "is_balanced": rounds.is_balanced and number == count,
        }
        for number, each in enumerate(rounds.rounds, 1)
    ]
    return pa.Table.from_pylist(rows, _ROUNDS)


def no_rounds() -> pa.Table:
    """Return a table with the columns of `rounds_table` and without rows."""
    return _ROUNDS.empty_table()


def _round(each: StreamsRound, last: np.ndarray) -> dict[str, Any]:
    application, answer = each.application, each.answer
    is_unknown = is_left_unknown(application)[
        answer.active, np.arange(application.task_count)
    ].any()
    return {
        "seconds": None if each.is_assumed else each.seconds,
        "rebalances": len(each.answers),
        "tasks_in_place": int(np.count_nonzero((answer.active == last) & application.is_stateful)),
        "warmup_tasks": int(role_counts(application, answer).warmup.sum()),
        "records_to_restore": None if is_unknown else sum(each.active_left.tolist()),
    }
