"""`remove_processes`: KafkaStreams instances stop or die; their state remains on their disks."""

from typing import ClassVar

import msgspec

from evenkeel.data.group.document import Application
from evenkeel.data.group.document.application import Process, StreamsConsumer
from evenkeel.data.scenarios.application_edits.application_edit import (
    ApplicationEdit,
    ApplicationState,
    refuse_repeats,
    require_process,
    with_processes,
)
from evenkeel.data.scenarios.edits.edit import FIRST, EditPlace, Field, Form, Names, said
from evenkeel.data.scenarios.size import SizeOfApplication

RUNNING = -2


class RemoveProcesses(ApplicationEdit, frozen=True, kw_only=True, tag="remove_processes"):
    """Tasks of removed processes do not run until the next rebalance.

    At least one process must remain, because a group needs a leader.
    """

    form: ClassVar = Form(
        1, "An instance dies", "power_off", (Field("process_ids", "Instances", "processes", FIRST),)
    )

    process_ids: list[str]

    def in_words(self, names: Names) -> str:
        who, ending = said(self.process_ids, names, 3, "no instance")
        return f"{who} die{ending}"

    def apply(self, state: ApplicationState, at: EditPlace) -> ApplicationState:
        processes = state.document.processes or []
        leaving = [
            require_process(processes, each, at, f"process_ids[{number}]")
            for number, each in enumerate(self.process_ids)
        ]
        refuse_repeats(self.process_ids, at)
        if len(leaving) == len(processes):
            raise at.refusal(
                "process_ids",
                f"all {len(processes)} processes, expected at least one process"
                " that stays and leads",
            )
        stay = [process for process in processes if process.process_id not in self.process_ids]
        gone = state.gone | {
            process.process_id: _stopped(process, state.document) for process in leaving
        }
        return ApplicationState(with_processes(state.document, stay), gone, None, state.assumed)

    def resize(self, size: SizeOfApplication) -> None:
        size.leave(self.process_ids)


def _stopped(process: Process, document: Application) -> Process:
    ends = {task.task_id: task.end_offset_sum for task in document.tasks or ()}
    return msgspec.structs.replace(
        process, consumers=[_on_disk(consumer, ends) for consumer in process.consumers]
    )


def _on_disk(consumer: StreamsConsumer, ends: dict[str, int | None]) -> StreamsConsumer:
    """Return a stopped consumer with the state on its disk.

    For tasks that were running, the state has all records. Tasks with an unknown end offset are
    left out.
    """
    sums = {
        task_id: ends.get(task_id) if offset_sum == RUNNING else offset_sum
        for task_id, offset_sum in (consumer.task_offset_sums or {}).items()
    }
    return msgspec.structs.replace(
        consumer,
        owned=None,
        standby=None,
        task_offset_sums={task: each for task, each in sums.items() if each is not None},
    )
