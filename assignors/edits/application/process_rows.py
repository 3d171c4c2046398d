"""Processes in other rows: the columns that have a value for each process or consumer, and what consumers said."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.edits.rows.edit_result import GONE
from evenkeel.assignors.group.application import ApplicationSnapshot


class EditedApplication(NamedTuple):
    """An application after an edit. `process_row` int32 (C,): the row that each former process has now, or `GONE`; tasks keep theirs."""

    application: ApplicationSnapshot
    process_row: np.ndarray


def process_rows_of(application: ApplicationSnapshot, process_ids: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return int32: the row of each process.

    Raises
    ------
    KeyError
        With the id, when the application has no such process.
    """
    row = {tuple(process_id): number for number, process_id in enumerate(application.process_id.tolist())}
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
