"""`return_processes`: departed KafkaStreams instances join again, with or without their disks."""

from typing import ClassVar

import msgspec

from evenkeel.data.group.document import Application
from evenkeel.data.group.document.application import Process
from evenkeel.data.scenarios.application_edits.application_edit import (
    ApplicationEdit,
    ApplicationState,
    new_consumers,
    new_process_id,
    refuse_repeats,
    with_processes,
)
from evenkeel.data.scenarios.edits.edit import EditPlace, Field, Form, Names, Seed, said
from evenkeel.data.scenarios.size import SizeOfApplication


class ReturnProcesses(ApplicationEdit, frozen=True, kw_only=True, tag="return_processes"):
    """With its disk, a process returns with its former id and state, and with new member ids.

    Without its disk, the process has a new id and no state.
    """

    form: ClassVar = Form(
        2,
        "An instance comes back",
        "restart_alt",
        (Field("process_ids", "Instances", "gone"), Field("disk", "with their disks", "yes", True)),
    )

    process_ids: list[str]
    disk: bool = True
    seed: Seed = 0

    def in_words(self, names: Names) -> str:
        who, ending = said(self.process_ids, names, 3, "no instance")
        disk = "its disk" if ending else "their disks"
        return f"{who} come{ending} back {'with' if self.disk else 'without'} {disk}"

    def apply(self, state: ApplicationState, at: EditPlace) -> ApplicationState:
        refuse_repeats(self.process_ids, at)
        document, gone = state.document, dict(state.gone)
        for number, process_id in enumerate(self.process_ids):
            if process_id not in gone:
                raise at.refusal(
                    f"process_ids[{number}]",
                    f'no process "{process_id}" has left, expected one that an earlier edit'
                    " removes",
                )
            document = self._with(document, gone.pop(process_id), at, number)
        return ApplicationState(document, gone, None, state.assumed)

    def resize(self, size: SizeOfApplication) -> str:
        size.come_back(self.process_ids)
        return "process_ids"

    def _with(
        self, document: Application, process: Process, at: EditPlace, number: int
    ) -> Application:
        consumers = new_consumers(
            document, process.consumers, self.seed, at, number, disk=self.disk
        )
        process_id = process.process_id if self.disk else new_process_id(self.seed, at, number)
        back = msgspec.structs.replace(process, process_id=process_id, consumers=consumers)
        rates = document.restore_rates or {}
        if process.process_id in rates:
            rates = rates | {process_id: rates[process.process_id]}
        after = with_processes(document, [*(document.processes or ()), back])
        return msgspec.structs.replace(after, restore_rates=rates or document.restore_rates)
