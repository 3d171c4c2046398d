"""Replay of a Kafka Streams application: do our task assignors, given what the threads sent, answer what the application has?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from assignors import TASK_ASSIGNORS
from assignors.assignment import TaskAssignment
from assignors.errors import AssignorError
from data.columns import TaskNames, application_from_document
from data.columns.task_settings import task_settings
from data.document import Application
from data.document.application import Task
from data.live.reading.applications.application import LiveApplication

_SETTINGS = "the settings of the application's leader are unknown, and others may hold than {} and Kafka's defaults"
_CLASS = "the application may have a task assignor of its own (task.assignor.class)"


class Roles(NamedTuple):
    """The tasks of one thread."""

    active: frozenset[str]
    standby: frozenset[str]


@dataclass(frozen=True)
class ApplicationReplay:
    """`replayed`, `found`: roles by member id where they differ. `reasons`: likely ones, the likeliest first.

    All are empty where Kafka agrees.
    """

    replayed: dict[str, Roles]
    found: dict[str, Roles]
    reasons: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether the application has what we answer."""
        return not self.found


def replay_application(
    live: LiveApplication, assignor: str = "high-availability", settings: Mapping[str, Any] | None = None
) -> ApplicationReplay | None:
    """Run a task assignor on what the threads sent when they last joined; None for a streams group, whose broker keeps no such input.

    The end offsets of that moment are unknown: they lie between what threads reported and those of now. Kafka agrees if either end gives
    what the application has.

    Parameters
    ----------
    settings : mapping, optional
        The leader's, by Kafka's dotted names; beside them those that the documents tell, and Kafka's defaults.
    """
    if live.joined is None:
        return None
    chosen = (live.joined.settings or {}) | dict(settings or {})
    found = roles_of(live.document)
    replays = [_replay(document, assignor, chosen, found) for document in _at_either_end(live.joined)]
    return next((one for one in replays if one is not None and one.agrees), replays[0])


def roles_of(document: Application) -> dict[str, Roles]:
    """Return what each thread has."""
    consumers = [consumer for process in document.processes or () for consumer in process.consumers]
    return {one.member_id: Roles(frozenset(one.owned or ()), frozenset(one.standby or ())) for one in consumers}


def given_roles(document: Application, answer: TaskAssignment) -> dict[str, Roles]:
    """Return what the leader sends each thread.

    Tasks that it withholds are left out; a thread that has state of one keeps it as a standby until it gets it.
    """
    names = TaskNames(document)
    withheld, stateful = names.withheld(answer), {task.task_id for task in document.tasks or () if task.stateful}
    reported = {
        consumer.member_id: {task for each in process.consumers for task in each.task_offset_sums or ()}
        for process in document.processes or ()
        for consumer in process.consumers
    }
    found = {}
    for member, roles in names.by_member(answer).items():
        waits = frozenset(withheld.get(member, ()))
        found[member] = Roles(frozenset(roles["active"]) - waits, frozenset(roles["standby"]) | (waits & stateful & reported[member]))
    return found


def _replay(document: Application, name: str, settings: Mapping[str, Any], found: dict[str, Roles]) -> ApplicationReplay | None:
    try:
        assignor = TASK_ASSIGNORS[name](**task_settings(TASK_ASSIGNORS[name], dict(settings), "settings"))
        replayed = given_roles(document, assignor.assign(application_from_document(document)))
    except AssignorError:
        return None
    differing = [member for member in found if found[member] != replayed[member]]
    reasons = (_SETTINGS.format(" ".join(f"{key}={value}" for key, value in settings.items())), _CLASS)
    return ApplicationReplay(
        {member: replayed[member] for member in differing}, {member: found[member] for member in differing}, reasons if differing else ()
    )


def _at_either_end(joined: Application) -> Iterator[Application]:
    yield joined
    reported: dict[str, int] = {}
    for process in joined.processes or ():
        for consumer in process.consumers:
            for task, offset_sum in (consumer.task_offset_sums or {}).items():
                reported[task] = max(offset_sum, reported.get(task, 0))
    if any(reported.values()):
        yield msgspec.structs.replace(joined, tasks=[_ends_at(task, reported.get(task.task_id)) for task in joined.tasks or ()])


def _ends_at(task: Task, reported: int | None) -> Task:
    return task if not reported else msgspec.structs.replace(task, end_offset_sum=reported)
