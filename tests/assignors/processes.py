"""Processes of an application that die, come back with what is on their disks, or are added: edits
of the columns, for expected rounds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import NO_RACK
from evenkeel.assignors.group.application import NO_TAG, NOT_REPORTED, RUNNING, ApplicationSnapshot
from evenkeel.assignors.group.edits.result import GONE


class EditedApplication(NamedTuple):
    """An application after an edit. `process_row` int32 (C,): the row that each former process has
    now, or `GONE`; tasks keep theirs.
    """

    application: ApplicationSnapshot
    process_row: np.ndarray


def add_process(
    application: ApplicationSnapshot,
    process_id: tuple[int, int],
    member_ids: Sequence[str],
    like: int | None = None,
    state: Mapping[int, int] | None = None,
) -> EditedApplication:
    """Return the application with one process more, in the last row; its consumers own nothing yet.

    Parameters
    ----------
    member_ids : sequence of str
        One for each thread; they stand last in the coordinator's order.
    like : int, optional
        Process whose rack and tags it has; none of either without it.
    state : mapping, optional
        Offset sum by task of what is on its disk; the first consumer reports it.

    Raises
    ------
    ValueError
        Where the application has the process or one of the consumers, or where there are no
        consumers.
    """
    _check(application, process_id, member_ids)
    state = dict(state or {})
    tags = (
        np.full(len(application.tag_key), NO_TAG, dtype=np.int32)
        if like is None
        else application.tag_value[like]
    )
    rack = NO_RACK if like is None else application.process_rack[like]
    after = replace(
        application,
        process_id=np.vstack((application.process_id, np.array([process_id], dtype=np.int64))),
        member_id=(*application.member_id, *member_ids),
        member_process=np.append(
            application.member_process,
            np.full(len(member_ids), application.process_count, dtype=np.int32),
        ),
        tag_value=np.vstack((application.tag_value, tags[None, :])),
        process_rack=np.append(application.process_rack, np.int32(rack)),
        owns_unknown=np.append(application.owns_unknown, False),
        list_place=None
        if application.list_place is None
        else _listed_last(application.list_place, len(member_ids)),
        reported_member=np.append(
            application.reported_member,
            np.full(len(state), application.member_count, dtype=np.int32),
        ),
        reported_task=np.append(application.reported_task, np.array(list(state), dtype=np.int32)),
        reported_sum=np.append(
            application.reported_sum, np.array(list(state.values()), dtype=np.int64)
        ),
    )
    return EditedApplication(after, np.arange(application.process_count, dtype=np.int32))


def state_on_disk(application: ApplicationSnapshot, process_id: tuple[int, int]) -> dict[int, int]:
    """Return what a process finds on its disk if it stops now: an offset sum by task, with all
    records of the tasks that it runs.

    A process that crashes under exactly-once processing deletes the state of the tasks that it ran;
    leave those out.

    Raises
    ------
    KeyError
        With the id, when the application has no such process.
    """
    sums = application.offset_sum[process_rows_of(application, [process_id])[0]]
    tasks = np.flatnonzero((sums != NOT_REPORTED) & application.is_stateful)
    return {
        task: int(application.known_end[task] if sums[task] == RUNNING else sums[task])
        for task in tasks.tolist()
    }


def _listed_last(places: np.ndarray, count: int) -> np.ndarray:
    return np.append(places, places.max(initial=-1) + 1 + np.arange(count))


def _check(
    application: ApplicationSnapshot, process_id: tuple[int, int], member_ids: Sequence[str]
):
    if list(process_id) in application.process_id.tolist():
        raise ValueError(f"process {process_id}: the application has it already")
    if not member_ids:
        raise ValueError(f"process {process_id}: member_ids is empty, expected one for each thread")
    if taken := {*member_ids} & {*application.member_id}:
        raise ValueError(f"process {process_id}: the application has consumer {min(taken)} already")


def remove_processes(
    application: ApplicationSnapshot, process_ids: Sequence[tuple[int, int]]
) -> EditedApplication:
    """Return the application without these processes; the others keep their order.

    Raises
    ------
    KeyError
        With the id, when the application has no such process.
    """
    stays = np.ones(application.process_count, dtype=bool)
    stays[process_rows_of(application, process_ids)] = False
    return with_processes(application, stays)


def process_rows_of(
    application: ApplicationSnapshot, process_ids: Sequence[tuple[int, int]]
) -> np.ndarray:
    """Return int32: the row of each process.

    Raises
    ------
    KeyError
        With the id, when the application has no such process.
    """
    row = {
        tuple(process_id): number
        for number, process_id in enumerate(application.process_id.tolist())
    }
    return np.array([row[tuple(process_id)] for process_id in process_ids], dtype=np.int32)


def with_processes(application: ApplicationSnapshot, stays: np.ndarray) -> EditedApplication:
    """Return the application with the processes that stay, bool (C,), and their consumers."""
    process_row = np.where(stays, np.cumsum(stays) - 1, GONE).astype(np.int32)
    member_stays = stays[application.member_process]
    member_row = np.where(member_stays, np.cumsum(member_stays) - 1, GONE).astype(np.int32)
    after = replace(
        application,
        process_id=application.process_id[stays],
        member_id=tuple(application.member_id[member] for member in np.flatnonzero(member_stays)),
        member_process=process_row[application.member_process[member_stays]],
        tag_value=application.tag_value[stays],
        process_rack=application.process_rack[stays],
        owns_unknown=application.owns_unknown[stays],
        list_place=None if application.list_place is None else application.list_place[member_stays],
        **_said(application, member_row),
    )
    return EditedApplication(after, process_row)


def _said(application: ApplicationSnapshot, member_row: np.ndarray) -> dict[str, np.ndarray]:
    found = {}
    for member, *others in (
        ("owned_member", "owned_task"),
        ("reported_member", "reported_task", "reported_sum"),
        ("standby_member", "standby_task"),
    ):
        rows = member_row[getattr(application, member)]
        found[member] = rows[rows != GONE]
        found |= {other: getattr(application, other)[rows != GONE] for other in others}
    return found
