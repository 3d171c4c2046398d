"""Edits of a scenario, by their `op`: which arguments each has, what Kafka does, and what the edit therefore does."""

from data.scenarios.edits.add_members import AddMembers
from data.scenarios.edits.add_topic import AddTopic
from data.scenarios.edits.advance import Advance
from data.scenarios.edits.remove_members import RemoveMembers
from data.scenarios.edits.remove_topic import RemoveTopic
from data.scenarios.edits.restart_members import RestartMembers
from data.scenarios.edits.scale_lag import ScaleLag
from data.scenarios.edits.set_instance_id import SetInstanceId
from data.scenarios.edits.set_lag import SetLag
from data.scenarios.edits.set_partition_count import SetPartitionCount
from data.scenarios.edits.set_rack import SetRack
from data.scenarios.edits.set_subscription import SetSubscription

AnyEdit = (
    AddMembers
    | RemoveMembers
    | RestartMembers
    | SetSubscription
    | SetRack
    | SetInstanceId
    | SetPartitionCount
    | AddTopic
    | RemoveTopic
    | SetLag
    | ScaleLag
    | Advance
)

EDITS = {edit.__struct_config__.tag: edit for edit in AnyEdit.__args__}
