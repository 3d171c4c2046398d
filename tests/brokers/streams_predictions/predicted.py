"""What the edits and the task assignors say of an application, with the ids that a new
process got.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.rounds.streams import StreamsRounds, probing_rebalances
from evenkeel.data.group.columns import application_from_document
from evenkeel.data.group.columns.application_document import task_settings
from evenkeel.data.group.document import Application
from evenkeel.data.group.document.application import Process, StreamsConsumer
from evenkeel.data.live.application_replay import Roles, given_roles
from tests.assignors.processes import add_process, remove_processes, state_on_disk


class Edited(NamedTuple):
    """An application after an edit: its columns, and a document with the names behind their
    rows.
    """

    snapshot: ApplicationSnapshot
    document: Application


def rounds_of(edited: Edited, assignor: str, settings: Mapping[str, Any]) -> StreamsRounds:
    """Return the rebalances from now on; `settings`: the leader's."""
    made = TASK_ASSIGNORS[assignor]
    chosen = (edited.document.settings or {}) | dict(settings)
    return probing_rebalances(edited.snapshot, made(**task_settings(made, chosen, "settings")))


def roles_by_round(edited: Edited, rounds: StreamsRounds) -> list[dict[str, Roles]]:
    """Return what each thread has after each round."""
    return [given_roles(edited.document, one.answer) for one in rounds.rounds]


def process_named(document: Application, client_id: str) -> Process:
    """Return the process with this client id."""
    (found,) = [process for process in document.processes or () if process.client_id == client_id]
    return found


def dies(document: Application, client_id: str) -> Edited:
    """A process dies."""
    snapshot = application_from_document(document)
    gone = process_named(document, client_id)
    left = [process for process in document.processes if process is not gone]
    return Edited(
        remove_processes(snapshot, [_halves(gone)]).application,
        msgspec.structs.replace(document, processes=left),
    )


def threads_end(
    document: Application,
    client_id: str,
    assignor: str,
    settings: Mapping[str, Any],
    order: Sequence[int],
) -> Edited:
    """A process of a streams group dies: the broker misses one thread after the other, in some
    order, and assigns after each.
    """
    gone = process_named(document, client_id).consumers
    for place in order[:-1]:
        edited = _without(document, gone[place].member_id)
        rounds = rounds_of(edited, assignor, settings)
        document = _with_target(edited.document, roles_by_round(edited, rounds)[-1])
    return _without(document, gone[order[-1]].member_id)


def _without(document: Application, member_id: str) -> Edited:
    left = [
        msgspec.structs.replace(process, consumers=consumers)
        for process in document.processes or ()
        if (
            consumers := [
                consumer for consumer in process.consumers if consumer.member_id != member_id
            ]
        )
    ]
    after = msgspec.structs.replace(document, processes=left)
    return Edited(application_from_document(after), after)


def _with_target(document: Application, roles: Mapping[str, Roles]) -> Application:
    def given(consumer: StreamsConsumer) -> StreamsConsumer:
        mine = roles[consumer.member_id]
        return msgspec.structs.replace(
            consumer, owned=sorted(mine.active), standby=sorted(mine.standby)
        )

    processes = [
        msgspec.structs.replace(
            process, consumers=[given(consumer) for consumer in process.consumers]
        )
        for process in document.processes or ()
    ]
    return msgspec.structs.replace(document, processes=processes)


def comes(
    document: Application, process: Process, disk_of: tuple[Application, Process] | None = None
) -> Edited:
    """A process comes, with the ids that it got. `disk_of`: a document in which it ran before, and
    what it was there.
    """
    members = [consumer.member_id for consumer in process.consumers]
    state = None
    if disk_of:
        before, was = disk_of
        state = state_on_disk(application_from_document(before), _halves(was))
    snapshot = add_process(
        application_from_document(document), _halves(process), members, state=state
    ).application
    empty = [
        msgspec.structs.replace(one, owned=None, standby=None, task_offset_sums=None)
        for one in process.consumers
    ]
    return Edited(
        snapshot,
        msgspec.structs.replace(
            document,
            processes=[*document.processes, msgspec.structs.replace(process, consumers=empty)],
        ),
    )


def _halves(process: Process) -> tuple[int, int]:
    octets = UUID(process.process_id).bytes
    return int.from_bytes(octets[:8], signed=True), int.from_bytes(octets[8:], signed=True)
