"""`add_topic`: a topic appears."""

from dataclasses import replace
from typing import ClassVar

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.edits.partitions import Racks, with_partition_counts
from evenkeel.assignors.group.edits.result import EditResult
from evenkeel.assignors.group.edits.subscriptions import with_topic_names
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import uuid_halves
from evenkeel.data.group.document.shape import TOPIC_ID, PartitionCount
from evenkeel.data.scenarios.edits.edit import (
    EditPlace,
    Field,
    Form,
    GroupEdit,
    Names,
    Seed,
    new_uuid,
    printed,
)
from evenkeel.data.scenarios.edits.group_after import observed_after, with_matches_again
from evenkeel.data.scenarios.size import SizeOfGroup
from evenkeel.data.text.formats import count


class AddTopic(GroupEdit, frozen=True, kw_only=True, tag="add_topic"):
    """The topic's partitions are empty. A member subscribes to the topic if its subscription
    contains the topic's name, or an expression that matches the name.

    `racks`: for each partition, the racks of its replicas; if missing, replicas have no rack.
    `topic_id`: if missing, it is made from the seed and marked as assumed.
    """

    form: ClassVar = Form(
        8,
        "Topic appears",
        "add_box",
        (Field("name", "Name", "text"), Field("partitions", "Partitions", "whole", 6, least=1)),
    )

    name: str
    partitions: PartitionCount
    racks: list[list[str | None]] | None = None
    topic_id: str | None = None
    seed: Seed = 0

    def in_words(self, names: Names) -> str:
        return f"{self.name} appears with {count(self.partitions, 'partition')}"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        snapshot = group.snapshot
        if (
            self.name in snapshot.topic_name
            and snapshot.topic_known[snapshot.topic_name.index(self.name)]
        ):
            raise at.refusal("name", f'topic "{self.name}" exists already, expected a new name')
        if self.racks is not None and len(self.racks) != self.partitions:
            raise at.refusal(
                "racks",
                f"{len(self.racks):,} lists, expected {self.partitions:,}, one for each partition",
            )
        if self.topic_id is not None and not TOPIC_ID.fullmatch(self.topic_id):
            raise at.refusal(
                "topic_id",
                f'found "{self.topic_id}", expected the 22 characters of base64url that Kafka'
                " prints",
            )
        topic_id = self.topic_id or printed(new_uuid(self.seed, at, "topic"))
        edited = _with_topic(
            snapshot, self.name, self.partitions, self.racks or [], uuid_halves(topic_id)
        )
        after = observed_after(group, edited)
        if self.topic_id is None:
            place = after.topic_order[after.snapshot.topic_name.index(self.name)]
            after = observed_after(group, edited, assumed=[f"topics[{place}].topic_id"])
        return with_matches_again(after, at)

    def resize(self, size: SizeOfGroup) -> str:
        size.set_topic(self.name, self.partitions, self.racks)
        size.match_again()
        return "partitions"


def _with_topic(
    group: GroupSnapshot, name: str, partitions: int, racks: Racks, topic_id: tuple[int, int]
) -> EditResult:
    """Return the group with a new topic.

    `racks`: for each partition, the racks of its replicas; empty if replicas have no racks.
    `topic_id`: the two 64-bit halves of the topic's UUID.
    """
    edited = with_topic_names(group, [name])
    row = edited.group.topic_name.index(name)
    counts, known, ids, has_id = (
        column.copy()
        for column in (
            edited.group.partition_count,
            edited.group.topic_known,
            edited.group.topic_id,
            edited.group.topic_id_known,
        )
    )
    counts[row], known[row], ids[row], has_id[row] = partitions, True, topic_id, True
    named = replace(edited.group, topic_known=known, topic_id=ids, topic_id_known=has_id)
    return edited._replace(
        group=with_partition_counts(named, counts, {row: racks} if racks else {})
    )
