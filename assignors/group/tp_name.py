"""The name of a topic-partition, as Kafka prints it."""

from evenkeel.assignors.group.snapshot import GroupSnapshot


def tp_name(group: GroupSnapshot, tp: int) -> str:
    """Return topic and partition number, such as `orders-7`."""
    return f"{group.topic_name[group.tp_topic[tp]]}-{group.tp_partition[tp]}"
