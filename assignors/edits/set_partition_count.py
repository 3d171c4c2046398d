"""A topic grows: its new partitions are empty."""

from evenkeel.assignors.edits.rows.edit_result import EditResult, same_rows
from evenkeel.assignors.edits.rows.partition_columns import Racks, with_partition_counts
from evenkeel.assignors.group import GroupSnapshot


def set_partition_count(group: GroupSnapshot, topic: str, count: int, racks: Racks) -> EditResult:
    """Return the group where a topic has `count` partitions; `racks` of each new one, none where empty.

    Raises
    ------
    ValueError
        When the topic is unknown or has more partitions already: Kafka cannot shrink a topic.
    """
    row = group.topic_name.index(topic)
    if count < group.partition_count[row]:
        raise ValueError(
            f'count of topic "{topic}" is {count:,}, expected at least {group.partition_count[row]:,}: Kafka cannot shrink a topic'
        )
    counts = group.partition_count.copy()
    counts[row] = count
    return same_rows(group, with_partition_counts(group, counts, {row: racks} if racks else {}))
