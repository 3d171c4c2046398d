"""`set_partition_count`: a topic grows."""

from typing import ClassVar

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.edits.partitions import with_partition_counts
from evenkeel.assignors.group.edits.result import same_rows
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document.shape import PartitionCount
from evenkeel.data.scenarios.edits.edit import (
    EditPlace,
    Field,
    Form,
    GroupEdit,
    Names,
    require_topic,
)
from evenkeel.data.scenarios.edits.group_after import observed_after
from evenkeel.data.scenarios.size import SizeOfGroup
from evenkeel.data.text.formats import count


class SetPartitionCount(GroupEdit, frozen=True, kw_only=True, tag="set_partition_count"):
    """New partitions are empty.

    `racks`: for each new partition, the racks of its replicas. If missing, new partitions repeat
    the racks of the topic's present partitions; these racks are marked as assumed, because the
    brokers choose them.
    """

    form: ClassVar = Form(
        7,
        "Topic grows",
        "add_column_right",
        (Field("grown", "Topic", "grown"),),
        lambda values, names: [values["grown"]],
        lambda given: {"grown": {key: given[key] for key in ("topic", "count")}},
        is_live=True,
    )

    topic: str
    count: PartitionCount
    racks: list[list[str | None]] | None = None

    def in_words(self, names: Names) -> str:
        return f"{self.topic} grows to {count(self.count, 'partition')}"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        row = require_topic(group, self.topic, at)
        now = int(group.snapshot.partition_count[row])
        if self.count < now:
            raise at.refusal(
                "count",
                f"found {self.count:,}, expected at least {now:,}: Kafka cannot shrink topic"
                f' "{self.topic}"',
            )
        if self.racks is not None and len(self.racks) != self.count - now:
            raise at.refusal(
                "racks",
                f"{len(self.racks):,} lists, expected {self.count - now:,}, one for each new"
                " partition",
            )
        racks = (
            _racks_in_turn(group.snapshot, row, self.count - now)
            if self.racks is None
            else self.racks
        )
        place = int(group.topic_order[row])
        assumed = (
            [f"topics[{place}].partitions[{number}].racks" for number in range(now, self.count)]
            if self.racks is None and racks
            else []
        )
        counts = group.snapshot.partition_count.copy()
        counts[row] = self.count
        grown = with_partition_counts(group.snapshot, counts, {row: racks} if racks else {})
        return observed_after(group, same_rows(group.snapshot, grown), assumed=assumed)

    def resize(self, size: SizeOfGroup) -> str | None:
        return "count" if size.set_topic(self.topic, self.count, self.racks) else None


def _racks_in_turn(group: GroupSnapshot, topic: int, count: int) -> list[list[str | None]]:
    """Return the replicas' racks for `count` new partitions.

    The racks of the topic's present partitions are repeated in order. Empty if the topic has no
    racks.
    """
    tps = range(*group.tps_of(topic).indices(group.tp_count))
    known = [
        group.replica_rack[group.replica_start[tp] : group.replica_start[tp + 1]].tolist()
        for tp in tps
    ]
    names = [[None if row < 0 else group.rack_name[row] for row in rows] for rows in known]
    return [names[number % len(names)] for number in range(count)] if any(names) else []
