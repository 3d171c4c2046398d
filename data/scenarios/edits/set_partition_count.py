"""`set_partition_count`: a topic grows."""

from evenkeel.assignors.edits.rows.partition_columns import racks_in_turn
from evenkeel.assignors.edits.set_partition_count import set_partition_count
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.document.shape import PartitionCount
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, require_topic
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after
from evenkeel.data.scenarios.size import SizeOfGroup


class SetPartitionCount(Edit, frozen=True, kw_only=True, tag="set_partition_count"):
    """New partitions are empty.

    `racks` of each new partition; without them those of the topic's partitions in turn, marked as assumed: the brokers decide it.
    """

    topic: str
    count: PartitionCount
    racks: list[list[str | None]] | None = None

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        row = require_topic(group, self.topic, at)
        now = int(group.snapshot.partition_count[row])
        if self.count < now:
            raise at.refusal("count", f'found {self.count:,}, expected at least {now:,}: Kafka cannot shrink topic "{self.topic}"')
        if self.racks is not None and len(self.racks) != self.count - now:
            raise at.refusal("racks", f"{len(self.racks):,} lists, expected {self.count - now:,}, one for each new partition")
        racks = racks_in_turn(group.snapshot, row, self.count - now) if self.racks is None else self.racks
        place = int(group.topic_order[row])
        assumed = (
            [f"topics[{place}].partitions[{number}].racks" for number in range(now, self.count)] if self.racks is None and racks else []
        )
        return observed_after(group, set_partition_count(group.snapshot, self.topic, self.count, racks), assumed=assumed)

    def resize(self, size: SizeOfGroup) -> str | None:
        return "count" if size.set_topic(self.topic, self.count) else None
