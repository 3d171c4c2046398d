"""`add_processes`: new KafkaStreams instances join, without state."""

from typing import Annotated

import msgspec

from evenkeel.data.document.application import Process
from evenkeel.data.scenarios.applications.edits.application_edit import ApplicationEdit, ApplicationState, require_process, with_processes
from evenkeel.data.scenarios.applications.edits.new_process_ids import new_consumers, new_process_id
from evenkeel.data.scenarios.edits.edit import EditPlace, Seed
from evenkeel.data.scenarios.size import SizeOfApplication

MOST_PROCESSES = 1_000


class AddProcesses(ApplicationEdit, frozen=True, kw_only=True, tag="add_processes"):
    """Each has as many threads, the rack, the tags and the restore rate of the process that it is like; ids come from the seed."""

    like: str
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_PROCESSES)] = 1
    seed: Seed = 0

    def apply(self, state: ApplicationState, at: EditPlace) -> ApplicationState:
        document = state.document
        like = require_process(document.processes or [], self.like, at, "like")
        added = [self._process(document, like, at, number) for number in range(self.count)]
        rates = document.restore_rates or {}
        if self.like in rates:
            rates = rates | {process.process_id: rates[self.like] for process in added}
        after = with_processes(document, [*(document.processes or ()), *added])
        return state._replace(document=msgspec.structs.replace(after, restore_rates=rates or document.restore_rates), last=None)

    def resize(self, size: SizeOfApplication) -> str:
        size.add(self.like, self.count)
        return "count"

    def _process(self, document, like: Process, at: EditPlace, number: int) -> Process:
        consumers = new_consumers(document, like.consumers, self.seed, at, number)
        return Process(new_process_id(self.seed, at, number), consumers, like.client_id, None, like.rack, like.client_tags)
