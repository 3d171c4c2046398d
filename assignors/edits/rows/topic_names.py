"""Topics that the group has no row for yet."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from evenkeel.assignors.edits.rows.edit_result import EditResult
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.java.hashing import sort_key


def with_topic_names(group: GroupSnapshot, names: Iterable[str]) -> EditResult:
    """Return the group with a row for each of these names; a new one is an unknown topic of no partitions."""
    topic_name = tuple(sorted({*group.topic_name, *names}, key=sort_key))
    row = {name: number for number, name in enumerate(topic_name)}
    topic_row = np.array([row[name] for name in group.topic_name], dtype=np.int32)
    members = np.arange(group.member_count, dtype=np.int32)
    if len(topic_name) == group.topic_count:
        return EditResult(group, members, topic_row)
    after = replace(
        group,
        topic_name=topic_name,
        topic_known=_spread(group.topic_known, topic_row, len(topic_name)),
        partition_count=_spread(group.partition_count, topic_row, len(topic_name)),
        topic_id=_spread(group.topic_id, topic_row, len(topic_name)),
        topic_id_known=_spread(group.topic_id_known, topic_row, len(topic_name)),
        topic_lists=tuple(topic_row[topics] for topics in group.topic_lists),
        claim_topic=topic_row[group.claim_topic],
        owned_empty=np.column_stack((group.owned_empty[:, 0], topic_row[group.owned_empty[:, 1]], group.owned_empty[:, 2])).astype(
            np.int32
        ),
    )
    return EditResult(after, members, topic_row)


def _spread(column: np.ndarray, topic_row: np.ndarray, count: int) -> np.ndarray:
    after = np.zeros((count, *column.shape[1:]), dtype=column.dtype)
    after[topic_row] = column
    return after
