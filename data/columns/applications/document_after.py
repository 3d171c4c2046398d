"""A snapshot of an application some time after a rebalance, as the streams document of that moment."""

from collections.abc import Iterable, Sequence

import msgspec

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.data.columns.applications.application_from_document import task_order
from evenkeel.data.document import Application
from evenkeel.data.document.application import StreamsConsumer

_BROKERS = "streams"


def document_after(document: Application, application: ApplicationSnapshot, answer: TaskAssignment) -> Application:
    """Return the document with what consumers own and report now, and where the changelogs end.

    `application` has the processes and consumers of the document, in its order; `answer`: that of the last rebalance.
    """
    place = task_order(document).tolist()
    names = [document.tasks[number].task_id for number in place]
    owned = _by_member(application, zip(application.owned_member.tolist(), application.owned_task.tolist(), strict=True), names)
    standby = _by_member(application, zip(answer.standby_member.tolist(), answer.standby[:, 1].tolist(), strict=True), names)
    sums: list[dict[str, int]] = [{} for _ in application.member_id]
    for member, task, offset_sum in zip(
        application.reported_member.tolist(), application.reported_task.tolist(), application.reported_sum.tolist(), strict=True
    ):
        sums[member][names[task]] = offset_sum
    tasks = list(document.tasks or ())
    for row, number in enumerate(place):
        end = int(application.end_offset_sum[row])
        tasks[number] = msgspec.structs.replace(tasks[number], end_offset_sum=None if end == UNKNOWN else end)
    rows = iter(range(application.member_count))
    keeps_standby = document.type == _BROKERS

    def consumers_of(consumers: Sequence[StreamsConsumer]) -> list[StreamsConsumer]:
        return [
            msgspec.structs.replace(
                consumer, owned=owned[row], standby=standby[row] if keeps_standby else consumer.standby, task_offset_sums=sums[row]
            )
            for consumer, row in zip(consumers, rows, strict=False)
        ]

    processes = [msgspec.structs.replace(process, consumers=consumers_of(process.consumers)) for process in document.processes or ()]
    return msgspec.structs.replace(document, tasks=tasks, processes=processes)


def _by_member(application: ApplicationSnapshot, pairs: Iterable[tuple[int, int]], names: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in application.member_id]
    for member, task in sorted(pairs):
        found[member].append(names[task])
    return found
