"""`remove_topic`: a topic is deleted."""

from evenkeel.assignors.edits.remove_topic import remove_topic
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, require_topic
from evenkeel.data.scenarios.edits.parts.observed_edit import observed_after
from evenkeel.data.scenarios.edits.parts.subscription import with_matches_again
from evenkeel.data.scenarios.size import SizeOfGroup


class RemoveTopic(Edit, frozen=True, kw_only=True, tag="remove_topic"):
    """Members go on naming it in what they subscribe to and own, as in Kafka."""

    name: str

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_topic(group, self.name, at, "name")
        return with_matches_again(observed_after(group, remove_topic(group.snapshot, self.name)), at)

    def resize(self, size: SizeOfGroup) -> None:
        size.set_topic(self.name, 0)
