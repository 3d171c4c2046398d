"""The orders in which a broker walks a streams group: members, processes, the members of a process, and tasks by name."""

from typing import NamedTuple
from uuid import UUID

import numpy as np

from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.java.collections import put_order
from evenkeel.assignors.java.hashing import rounded_capacity, string_hashes


class GroupOrder(NamedTuple):
    """Rows of the snapshot: all members, all processes, the members of each process.

    `name_place`: place of each task's subtopology among the names as strings. `tree_bin` as in IterationOrder.
    """

    members: list[int]
    processes: list[int]
    members_of: list[list[int]]
    name_place: list[int]
    tree_bin: bool


def group_order(application: ApplicationSnapshot) -> GroupOrder:
    """Return the orders of Java's maps."""
    walked = application.member_map_order
    members = walked.rows.tolist()
    met = list(dict.fromkeys(application.member_process[walked.rows].tolist()))
    hashes = string_hashes([_text(*application.process_id[process].tolist()) for process in met])
    processes = put_order(hashes, rounded_capacity(application.member_count))
    members_of: list[list[int]] = [[] for _ in range(application.process_count)]
    for member in members:
        members_of[application.member_process[member]].append(member)
    tree_bin = processes.tree_bin or bool(walked.assumed)
    for process, own in enumerate(members_of):
        order = put_order(string_hashes([application.member_id[member] for member in own]))
        members_of[process] = [own[row] for row in order.rows.tolist()]
        tree_bin |= order.tree_bin
    names = np.unique(application.task_subtopology.astype(str), return_inverse=True)[1]
    return GroupOrder(members, [met[row] for row in processes.rows.tolist()], members_of, names.tolist(), tree_bin)


def _text(most: int, least: int) -> str:
    return str(UUID(int=(most % 2**64 << 64) | least % 2**64))
