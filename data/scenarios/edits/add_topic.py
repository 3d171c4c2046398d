"""`add_topic`: a topic appears."""

from evenkeel.assignors.edits.add_topic import add_topic
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.columns.rows import uuid_halves
from evenkeel.data.document.decoding import TOPIC_ID
from evenkeel.data.document.shape import PartitionCount
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, Seed
from evenkeel.data.scenarios.edits.parts.new_ids import new_uuid, printed
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after
from evenkeel.data.scenarios.edits.parts.subscription import with_matches_again
from evenkeel.data.scenarios.size import SizeOfGroup


class AddTopic(Edit, frozen=True, kw_only=True, tag="add_topic"):
    """Its partitions are empty. Members that name it, or whose expression matches it, subscribe to it.

    `racks` of each partition; without them its replicas have no rack. `topic_id`: else made from the seed, marked as assumed.
    """

    name: str
    partitions: PartitionCount
    racks: list[list[str | None]] | None = None
    topic_id: str | None = None
    seed: Seed = 0

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        snapshot = group.snapshot
        if self.name in snapshot.topic_name and snapshot.topic_known[snapshot.topic_name.index(self.name)]:
            raise at.refusal("name", f'topic "{self.name}" is there already, expected a new name')
        if self.racks is not None and len(self.racks) != self.partitions:
            raise at.refusal("racks", f"{len(self.racks):,} lists, expected {self.partitions:,}, one for each partition")
        if self.topic_id is not None and not TOPIC_ID.fullmatch(self.topic_id):
            raise at.refusal("topic_id", f'found "{self.topic_id}", expected the 22 characters of base64url that Kafka prints')
        topic_id = self.topic_id or printed(new_uuid(self.seed, at, "topic"))
        edited = add_topic(snapshot, self.name, self.partitions, self.racks or [], uuid_halves(topic_id))
        after = observed_after(group, edited)
        if self.topic_id is None:
            place = after.topic_order[after.snapshot.topic_name.index(self.name)]
            after = observed_after(group, edited, assumed=[f"topics[{place}].topic_id"])
        return with_matches_again(after, at)

    def resize(self, size: SizeOfGroup) -> str:
        size.set_topic(self.name, self.partitions)
        return "partitions"
