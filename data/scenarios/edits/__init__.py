"""Edits of a scenario, by their `op`: which arguments each has, what Kafka does, and what the edit therefore does."""

from evenkeel.data.scenarios.edits.add_members import AddMembers
from evenkeel.data.scenarios.edits.add_topic import AddTopic
from evenkeel.data.scenarios.edits.advance import Advance
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.edits.remove_topic import RemoveTopic
from evenkeel.data.scenarios.edits.restart_members import RestartMembers
from evenkeel.data.scenarios.edits.scale_lag import ScaleLag
from evenkeel.data.scenarios.edits.set_instance_id import SetInstanceId
from evenkeel.data.scenarios.edits.set_lag import SetLag
from evenkeel.data.scenarios.edits.set_partition_count import SetPartitionCount
from evenkeel.data.scenarios.edits.set_rack import SetRack
from evenkeel.data.scenarios.edits.set_subscription import SetSubscription

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
