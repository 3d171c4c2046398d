"""Copies: what the standbys of an application tell of its settings and its state."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from evenkeel.data.document import task_number
from evenkeel.data.live.reading.applications.topology import Topology, task_ids


def with_state(topology: Topology, standby: Iterable[str], reported: Iterable[str]) -> Topology:
    """Say which subtopologies keep state: those with a standby or with an offset sum that a thread reported.

    Where each task of one of them has a standby, every stateful task should, and a subtopology without any keeps none.
    """
    copies = Counter(standby)
    seen = {task_number(task)[0] for task in (*copies, *reported)}
    is_complete = any(copies and all(copies[task] for task in task_ids({number: one})) for number, one in topology.items())
    return {
        number: replace(one, is_stateful=True if number in seen else False if is_complete else None) for number, one in topology.items()
    }


def standby_count(standby: Mapping[str, int], stateful: Iterable[str]) -> int:
    """Return num.standby.replicas: the fewest standbys that a stateful task has; warm-ups are more than that.

    `standby`: how many copies each task has. Fewer than the setting where there are not as many processes.
    """
    return min((standby.get(task, 0) for task in stateful), default=0)
