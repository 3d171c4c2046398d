"""Unknown inputs that an answer depends on, as paths of the group document."""

import re
from collections.abc import Iterator

import numpy as np

from evenkeel.assignors.assignment import Assignment, Assumed
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.data.columns.observed import ObservedGroup

_MATTERS_TO_ALL = re.compile(r"members(\[[^\]]*\])?(\.(member_id|subscribed|subscribed_regex))?|topics(\[[^\]]*\])?(\.(name|partitions))?")
"""The members, their subscriptions and the sizes of topics decide every answer."""

_OWNED = re.compile(r"members\[[^\]]*\]\.owned")


def assumed_paths(observed: ObservedGroup, assignment: Assignment | None) -> list[str]:
    """Return, sorted, the assumptions that matter to every assignor and those that this answer depends on.

    None is the current assignment: what members own.
    """
    paths = {path for path in observed.assumed if _MATTERS_TO_ALL.fullmatch(path)}
    if assignment is None:
        return sorted(paths.union(filter(_OWNED.fullmatch, observed.assumed)))
    for assumed in assignment.assumed:
        paths.update(_paths(observed, assumed))
    return sorted(paths)


def _paths(observed: ObservedGroup, assumed: Assumed) -> Iterator[str]:
    """`lag` is by topic-partition, `topic_id` by topic; a condition in words has no rows and stands for itself."""
    place = observed.topic_order
    if assumed.column == "lag":
        yield from _partition_paths(observed.snapshot, place, assumed)
    elif assumed.rows.size:
        described = assumed.rows[observed.snapshot.topic_known[assumed.rows]]
        yield from (f"topics[{place[topic]}].{assumed.column}" for topic in described)
    else:
        yield assumed.column


def _partition_paths(group: GroupSnapshot, place: np.ndarray, assumed: Assumed) -> Iterator[str]:
    rows = np.sort(assumed.rows)
    topics, starts = np.unique(group.tp_topic[rows], return_index=True)
    for topic, tps in zip(topics, np.split(rows, starts[1:]), strict=True):
        path = f"topics[{place[topic]}].partitions"
        if tps.size == group.partition_count[topic]:
            yield f"{path}[*].{assumed.column}"
        else:
            yield from (f"{path}[{partition}].{assumed.column}" for partition in group.tp_partition[tps])
