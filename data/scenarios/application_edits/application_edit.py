"""An edit of a Streams application: its `op`, its effect, and how it refuses wrong values."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.protocol import STREAMS
from evenkeel.data.group.document import Application
from evenkeel.data.group.document.application import Process, StreamsConsumer
from evenkeel.data.scenarios.edits.edit import Edit, EditPlace, new_uuid, printed
from evenkeel.data.scenarios.edits.group_after import UUID_AT_END

_OF_PROCESS = re.compile(r"processes\[([0-9]{1,9})\](.*)", re.DOTALL)


class Rebalance(NamedTuple):
    """The last rebalance of an application.

    `application`: the application at the start of the rebalance; it may already have copies that
    were restored after the rebalance. `answer`: the assignor's assignment of tasks.
    """

    application: ApplicationSnapshot
    answer: TaskAssignment


class ApplicationState(NamedTuple):
    """An application between two rebalances.

    `gone`: departed processes by id, with the state on their disks. `last`: the last rebalance;
    None if there was none, or if processes joined or left after it. `assumed`: names of unknown
    rates on which the state depends.
    """

    document: Application
    gone: dict[str, Process] = {}
    last: Rebalance | None = None
    assumed: tuple[str, ...] = ()


class ApplicationEdit(Edit, frozen=True):
    """One change of an application: `apply` takes and returns an `ApplicationState`."""


def with_processes(document: Application, processes: Sequence[Process]) -> Application:
    """Return the document with the processes `processes`.

    Paths in `assumed` that name a process by its index get the new index.
    """
    place = {process.process_id: number for number, process in enumerate(processes)}
    before = [process.process_id for process in document.processes or ()]
    assumed = (
        None
        if document.assumed is None
        else [path for each in document.assumed if (path := _moved(each, before, place))]
    )
    return msgspec.structs.replace(document, processes=list(processes), assumed=assumed)


def _moved(path: str, before: Sequence[str], place: dict[str, int]) -> str | None:
    match = _OF_PROCESS.fullmatch(path)
    if match is None or int(match[1]) >= len(before):
        return path
    number = place.get(before[int(match[1])])
    return None if number is None else f"processes[{number}]{match[2]}"


def require_process(
    processes: Sequence[Process], process_id: str, at: EditPlace, key: str
) -> Process:
    """Return the process with an id.

    Raises
    ------
    SnapshotError
        If no process has the id. The message names the place in the edit.
    """
    process = next((process for process in processes if process.process_id == process_id), None)
    if process is None:
        raise at.refusal(key, f'no process "{process_id}"')
    return process


def refuse_repeats(process_ids: Sequence[str], at: EditPlace) -> None:
    """Refuse an edit that names a process twice."""
    for number, process_id in enumerate(process_ids):
        if process_id in process_ids[:number]:
            raise at.refusal(
                f"process_ids[{number}]", f'process "{process_id}" twice, expected once'
            )


def new_process_id(seed: int, at: EditPlace, number: int) -> str:
    """Return the id of a new process without a disk; `number`: index of the process in the edit."""
    return str(new_uuid(seed, at, f"process {number}"))


def new_consumers(
    document: Application,
    like: list[StreamsConsumer],
    seed: int,
    at: EditPlace,
    number: int,
    *,
    disk: bool = False,
) -> list[StreamsConsumer]:
    """Copy each consumer in `like`, with a new member id; with `disk`, copy the state too.

    In a classic group the broker makes the member id, `<client.id>-<UUID>`. In a streams group the
    member makes the id, a UUID.
    """
    return [
        StreamsConsumer(
            _member_id(document, consumer.member_id, seed, at, f"{number}, consumer {place}"),
            None,
            None,
            _kept(consumer, disk),
        )
        for place, consumer in enumerate(like)
    ]


def _kept(consumer: StreamsConsumer, disk: bool) -> dict[str, int] | None:
    return dict(consumer.task_offset_sums or {}) if disk else None


def _member_id(document: Application, like: str, seed: int, at: EditPlace, kind: str) -> str:
    made = new_uuid(seed, at, f"consumer of process {kind}")
    return printed(made) if document.type == STREAMS else f"{UUID_AT_END.sub('', like)}-{made}"
