"""Edits of an application, by their `op`: streams document -> streams document."""

from evenkeel.data.scenarios.applications.edits.add_processes import AddProcesses
from evenkeel.data.scenarios.applications.edits.pass_time import PassTime
from evenkeel.data.scenarios.applications.edits.remove_processes import RemoveProcesses
from evenkeel.data.scenarios.applications.edits.return_processes import ReturnProcesses
from evenkeel.data.scenarios.applications.edits.set_settings import SetSettings

AnyApplicationEdit = RemoveProcesses | AddProcesses | ReturnProcesses | SetSettings | PassTime

APPLICATION_EDITS = {edit.__struct_config__.tag: edit for edit in AnyApplicationEdit.__args__}
