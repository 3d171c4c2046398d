"""`add_processes`: new KafkaStreams instances join; they have no state."""

from typing import Annotated, ClassVar

import msgspec

from evenkeel.data.group.document.application import Process
from evenkeel.data.scenarios.application_edits.application_edit import (
    ApplicationEdit,
    ApplicationState,
    new_consumers,
    new_process_id,
    require_process,
    with_processes,
)
from evenkeel.data.scenarios.edits.edit import FIRST, WIDTH, EditPlace, Field, Form, Names, Seed
from evenkeel.data.scenarios.size import SizeOfApplication
from evenkeel.data.text.formats import count
from evenkeel.data.text.names import elided

MOST_PROCESSES = 1_000


class AddProcesses(ApplicationEdit, frozen=True, kw_only=True, tag="add_processes"):
    """Each new process has the threads, rack, tags and restore rate of the process `like`.

    The ids of new processes are made from the seed.
    """

    form: ClassVar = Form(
        3,
        "An instance is added",
        "add_box",
        (
            Field("count", "How many", "whole", 1, least=1, most=MOST_PROCESSES),
            Field("like", "Like", "process", FIRST),
        ),
    )

    like: str
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_PROCESSES)] = 1
    seed: Seed = 0

    def in_words(self, names: Names) -> str:
        return (
            f"{count(self.count, 'instance')} like {elided(names.get(self.like, self.like), WIDTH)}"
            f" join{'s' * (self.count == 1)}"
        )

    def apply(self, state: ApplicationState, at: EditPlace) -> ApplicationState:
        document = state.document
        like = require_process(document.processes or [], self.like, at, "like")
        added = [self._process(document, like, at, number) for number in range(self.count)]
        rates = document.restore_rates or {}
        if self.like in rates:
            rates = rates | {process.process_id: rates[self.like] for process in added}
        after = with_processes(document, [*(document.processes or ()), *added])
        return state._replace(
            document=msgspec.structs.replace(after, restore_rates=rates or document.restore_rates),
            last=None,
        )

    def resize(self, size: SizeOfApplication) -> str:
        size.add(self.like, self.count)
        return "count"

    def _process(self, document, like: Process, at: EditPlace, number: int) -> Process:
        consumers = new_consumers(document, like.consumers, self.seed, at, number)
        return Process(
            new_process_id(self.seed, at, number),
            consumers,
            like.client_id,
            None,
            like.rack,
            like.client_tags,
        )
