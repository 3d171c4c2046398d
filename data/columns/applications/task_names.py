"""What a task assignor answers, with the names of the streams document."""

import re
from collections.abc import Iterable

import numpy as np

from evenkeel.assignors.assignment import Assumed, TaskAssignment
from evenkeel.data.columns.applications.application_from_document import task_order
from evenkeel.data.document import Application

Roles = dict[str, list[str]]
"""`active`, `standby` and `warmup` to task ids, ascending as Kafka compares them."""

_NEVER_MATTERS = re.compile(
    r"(application_id|taken_at|type|restore_rates|end_offset_rates).*|processes(\[[^\]]*\])?\.(client_id|host)"
    r"|processes.*\.standby|tasks(\[[^\]]*\])?\.input_partitions.*"
)
"""What no answer of `evenkeel assign` depends on."""


class TaskNames:
    """The names behind the rows of one snapshot."""

    def __init__(self, document: Application):
        self._place = task_order(document)
        self._task = [document.tasks[place].task_id for place in self._place.tolist()]
        self._process = [process.process_id for process in document.processes or ()]
        self._member = [consumer.member_id for process in document.processes or () for consumer in process.consumers]
        self._assumed = document.assumed or ()

    def by_process(self, answer: TaskAssignment) -> dict[str, Roles]:
        """Return what each process has; warmups are also standbys, as in Kafka."""
        found = {process: {"active": [], "standby": [], "warmup": []} for process in self._process}
        self._fill(found, "active", self._process, _pairs(answer.active))
        self._fill(found, "standby", self._process, answer.standby.tolist())
        self._fill(found, "warmup", self._process, answer.warmup.tolist())
        return found

    def by_owner(self, answer: TaskAssignment, group_type: str) -> dict[str, Roles]:
        """Return what each process has; of a `streams` group, whose broker assigns to members, what each member has."""
        if group_type != "streams":
            return self.by_process(answer)
        return {member: {**roles, "warmup": []} for member, roles in self.by_member(answer).items()}

    def by_member(self, answer: TaskAssignment) -> dict[str, Roles]:
        """Return what each consumer has before the revocation step."""
        found = {member: {"active": [], "standby": []} for member in self._member}
        self._fill(found, "active", self._member, _pairs(answer.active_member))
        self._fill(found, "standby", self._member, zip(answer.standby_member.tolist(), answer.standby[:, 1].tolist(), strict=True))
        return found

    def withheld(self, answer: TaskAssignment) -> dict[str, list[str]]:
        """Return what consumers have to wait for; those without such are no keys."""
        found: dict[str, list[str]] = {}
        for member, task in answer.withheld.tolist():
            found.setdefault(self._member[member], []).append(self._task[task])
        return found

    def assumed_paths(self, answer: TaskAssignment) -> list[str]:
        """Return, sorted, what the document assumes and this answer may depend on, and what the answer assumes itself."""
        paths = {path for path in self._assumed if not _NEVER_MATTERS.fullmatch(path)}
        return sorted(paths.union(*(self._paths(assumed) for assumed in answer.assumed)))

    def _paths(self, assumed: Assumed) -> list[str]:
        if not assumed.rows.size:
            return [assumed.column]
        if assumed.column == "rack":
            return [f"processes[{process}].rack" for process in assumed.rows.tolist()]
        return [f"tasks[{place}].{assumed.column}" for place in self._place[assumed.rows].tolist()]

    def _fill(self, found: dict[str, Roles], role: str, names: list[str], pairs: Iterable[tuple[int, int]]):
        for owner, task in sorted(pairs):
            found[names[owner]][role].append(self._task[task])


def _pairs(owner: np.ndarray) -> Iterable[tuple[int, int]]:
    return zip(owner.tolist(), range(owner.size), strict=True)
