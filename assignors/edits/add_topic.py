"""A topic appears: its partitions are empty; members that name it subscribe to it already."""

from dataclasses import replace

from evenkeel.assignors.edits.rows.edit_result import EditResult
from evenkeel.assignors.edits.rows.partition_columns import Racks, with_partition_counts
from evenkeel.assignors.edits.rows.topic_names import with_topic_names
from evenkeel.assignors.group import GroupSnapshot


def add_topic(group: GroupSnapshot, name: str, partitions: int, racks: Racks, topic_id: tuple[int, int]) -> EditResult:
    """Return the group with a topic; `racks` of each partition, none where empty; `topic_id`: both halves of its UUID."""
    edited = with_topic_names(group, [name])
    row = edited.group.topic_name.index(name)
    counts, known, ids, has_id = (
        column.copy()
        for column in (edited.group.partition_count, edited.group.topic_known, edited.group.topic_id, edited.group.topic_id_known)
    )
    counts[row], known[row], ids[row], has_id[row] = partitions, True, topic_id, True
    named = replace(edited.group, topic_known=known, topic_id=ids, topic_id_known=has_id)
    return edited._replace(group=with_partition_counts(named, counts, {row: racks} if racks else {}))
