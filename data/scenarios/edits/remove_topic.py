"""`remove_topic`: a topic is deleted."""

from dataclasses import replace
from typing import ClassVar

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.edits.partitions import with_partition_counts
from evenkeel.assignors.group.edits.result import EditResult, same_rows
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import (
    EditPlace,
    Field,
    Form,
    GroupEdit,
    Names,
    require_topic,
)
from evenkeel.data.scenarios.edits.group_after import observed_after, with_matches_again
from evenkeel.data.scenarios.size import SizeOfGroup


class RemoveTopic(GroupEdit, frozen=True, kw_only=True, tag="remove_topic"):
    """Members still subscribe to the deleted topic and still own its partitions, as in Kafka."""

    form: ClassVar = Form(9, "Topic is deleted", "delete", (Field("name", "Topic", "topic"),))

    name: str

    def in_words(self, names: Names) -> str:
        return f"{self.name} is deleted"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        row = require_topic(group, self.name, at, "name")
        return with_matches_again(observed_after(group, _without_topic(group.snapshot, row)), at)

    def resize(self, size: SizeOfGroup) -> None:
        size.set_topic(self.name, 0)
        size.match_again()


def _without_topic(group: GroupSnapshot, row: int) -> EditResult:
    counts, known, has_id, ids = (
        column.copy()
        for column in (
            group.partition_count,
            group.topic_known,
            group.topic_id_known,
            group.topic_id,
        )
    )
    counts[row], known[row], has_id[row], ids[row] = 0, False, False, 0
    named = replace(group, topic_known=known, topic_id_known=has_id, topic_id=ids)
    return same_rows(group, with_partition_counts(named, counts, {}))
