"""Outcome: what processes were given becomes a TaskAssignment, with threads and what has to wait."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from evenkeel.assignors.assignment import HASH_COLLISIONS, Assumed, TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.kafka.streams.clients import Clients
from evenkeel.assignors.kafka.streams.threads.revocation import withheld
from evenkeel.assignors.kafka.streams.threads.threads_of_processes import on_threads


def outcome(
    application: ApplicationSnapshot,
    clients: Clients,
    processes: Sequence[int],
    warmup: Iterable[tuple[int, int]],
    *,
    is_probing_rebalance_needed: bool,
    tree_bin: bool,
) -> TaskAssignment:
    """Translate clients to rows of processes: `processes` has the row of each client."""
    active, standby = _by_process(clients.active, processes), _by_process(clients.standby, processes)
    threads = on_threads(application, active, standby, _by_process(clients.maps, processes))
    return TaskAssignment(
        active=application.member_process[threads.active],
        standby=threads.standby,
        warmup=_pairs((processes[client], task) for client, task in warmup),
        active_member=threads.active,
        standby_member=threads.standby_member,
        withheld=withheld(application, threads.active),
        is_probing_rebalance_needed=is_probing_rebalance_needed,
        assumed=_assumed(application, tree_bin or threads.tree_bin or any(tasks.tree_bin for tasks in clients.maps)),
    )


def _by_process(held: Sequence[Any], processes: Sequence[int]) -> list[Any]:
    found = list(held)
    for client, tasks in enumerate(held):
        found[processes[client]] = tasks
    return found


def _pairs(found: Iterable[tuple[int, int]]) -> np.ndarray:
    return np.array(sorted(found), dtype=np.int32).reshape(-1, 2)


def _assumed(application: ApplicationSnapshot, tree_bin: bool) -> tuple[Assumed, ...]:
    unknown = np.flatnonzero(application.is_stateful & (application.end_offset_sum == UNKNOWN))
    assumed = (Assumed("end_offset_sum", unknown),) if unknown.size else ()
    # The map of consumers decides only where several of one process report or own one task: always named, as rarely as it happens.
    return (*assumed, HASH_COLLISIONS) if tree_bin or application.member_map_order.assumed else assumed
