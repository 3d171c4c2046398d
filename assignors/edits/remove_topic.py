"""A topic is deleted: members go on naming it in what they subscribe to and own."""

from dataclasses import replace

from evenkeel.assignors.edits.rows.edit_result import EditResult, same_rows
from evenkeel.assignors.edits.rows.partition_columns import with_partition_counts
from evenkeel.assignors.group import GroupSnapshot


def remove_topic(group: GroupSnapshot, name: str) -> EditResult:
    """Return the group where a topic is an unknown name without partitions or id; ValueError when it has no such name."""
    row = group.topic_name.index(name)
    counts, known, has_id, ids = (
        column.copy() for column in (group.partition_count, group.topic_known, group.topic_id_known, group.topic_id)
    )
    counts[row], known[row], has_id[row], ids[row] = 0, False, False, 0
    named = replace(group, topic_known=known, topic_id_known=has_id, topic_id=ids)
    return same_rows(group, with_partition_counts(named, counts, {}))
