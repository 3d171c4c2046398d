"""Replay of a Kafka Streams application: run Evenkeel's task assignors on the user data that the
threads sent, and compare the result with Kafka's assignment.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import msgspec
import numpy as np

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.assignment import AssignorError, TaskAssignment
from evenkeel.assignors.group import NO_RACK
from evenkeel.assignors.group.application import NO_TAG, ApplicationSnapshot
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.data.group.columns import TaskNames, application_from_document
from evenkeel.data.group.columns.application_document import task_settings
from evenkeel.data.group.document import Application
from evenkeel.data.group.document.application import Task
from evenkeel.data.live.reading.application import LiveApplication

_SETTINGS = "the leader's settings are unknown, and none of the tried settings gives these tasks"
_CLASS = "the application may use its own task assignor (task.assignor.class)"

_SEARCH_SECONDS = 1.5


class Roles(NamedTuple):
    """The active and standby tasks of one thread."""

    active: frozenset[str]
    standby: frozenset[str]


@dataclass(frozen=True)
class ApplicationReplay:
    """The result of a replay.

    `replayed`: tasks of each thread in the replay, by member id. `sent_roles`: the same in Kafka's
    assignment. Threads without a difference are left out. `reasons`: possible reasons of the
    difference, likeliest first. If no thread differs, `reasons` is empty too. `settings`: settings
    of the replay under Kafka's dotted names; a missing setting has Kafka's default.
    """

    replayed: dict[str, Roles]
    sent_roles: dict[str, Roles]
    reasons: tuple[str, ...]
    settings: dict[str, Any]

    @property
    def agrees(self) -> bool:
        """Whether the replay gives Kafka's assignment."""
        return not self.sent_roles


def replay_application(
    live: LiveApplication, assignor: str = "high-availability"
) -> ApplicationReplay | None:
    """Run a task assignor on the last subscriptions of the threads. None for a streams group,
    because the broker does not store its subscriptions.

    The end offsets at the time of Kafka's assignment are unknown: they are between the offsets that
    the threads reported and the end offsets now. The leader's settings are unknown too. So the
    replay tries both offsets with each of `possible_settings`, until the result is Kafka's
    assignment.

    The search takes a second or two. If no try gives Kafka's assignment, the first try is returned:
    the end offsets now, with the likeliest settings.
    """
    if live.joined is None:
        return None
    roles, documents = roles_of(live.document), list(_at_either_end(live.joined))
    first, deadline = None, time.monotonic() + _SEARCH_SECONDS
    for chosen in possible_settings(
        application_from_document(live.joined), live.joined.settings or {}
    ):
        for document in documents:
            replay = _replay(document, assignor, chosen, roles)
            if replay is not None and replay.agrees:
                return replay
            first = first or replay
        if time.monotonic() > deadline:
            break
    return first


def with_found_settings(live: LiveApplication) -> LiveApplication:
    """Return the application with the settings that give Kafka's assignment, in `document` and in
    `joined`. If no settings give Kafka's assignment: return the application unchanged.
    """
    replay = replay_application(live)
    if replay is None or not replay.agrees or live.joined is None:
        return live
    document, joined = (
        msgspec.structs.replace(document, settings=replay.settings)
        for document in (live.document, live.joined)
    )
    return live._replace(document=document, joined=joined)


def roles_of(document: Application) -> dict[str, Roles]:
    """Return the tasks of each thread."""
    consumers = [consumer for process in document.processes or () for consumer in process.consumers]
    return {
        consumer.member_id: Roles(
            frozenset(consumer.owned or ()), frozenset(consumer.standby or ())
        )
        for consumer in consumers
    }


def given_roles(document: Application, answer: TaskAssignment) -> dict[str, Roles]:
    """Return the tasks that the leader sends to each thread.

    An active task that is withheld is left out. If the thread reported state of the withheld task,
    the task is a standby task of the thread.
    """
    names = TaskNames(document)
    withheld, stateful = (
        names.withheld(answer),
        {task.task_id for task in document.tasks or () if task.stateful},
    )
    reported = {
        consumer.member_id: {
            task for each in process.consumers for task in each.task_offset_sums or ()
        }
        for process in document.processes or ()
        for consumer in process.consumers
    }
    roles_by_member = {}
    for member, roles in names.by_member(answer).items():
        waits = frozenset(withheld.get(member, ()))
        roles_by_member[member] = Roles(
            frozenset(roles["active"]) - waits,
            frozenset(roles["standby"]) | (waits & stateful & reported[member]),
        )
    return roles_by_member


def _replay(
    document: Application, name: str, settings: Mapping[str, Any], sent_roles: dict[str, Roles]
) -> ApplicationReplay | None:
    try:
        assignor = TASK_ASSIGNORS[name](
            **task_settings(TASK_ASSIGNORS[name], dict(settings), "settings")
        )
        replayed = given_roles(document, assignor.assign(application_from_document(document)))
    except AssignorError:
        return None
    differing = [member for member in sent_roles if sent_roles[member] != replayed[member]]
    ours, theirs = (
        {member: roles[member] for member in differing} for roles in (replayed, sent_roles)
    )
    return ApplicationReplay(ours, theirs, (_SETTINGS, _CLASS) if differing else (), dict(settings))


def _at_either_end(joined: Application) -> Iterator[Application]:
    yield joined
    reported: dict[str, int] = {}
    for process in joined.processes or ():
        for consumer in process.consumers:
            for task, offset_sum in (consumer.task_offset_sums or {}).items():
                reported[task] = max(offset_sum, reported.get(task, 0))
    if any(reported.values()):
        yield msgspec.structs.replace(
            joined,
            tasks=[_ends_at(task, reported.get(task.task_id)) for task in joined.tasks or ()],
        )


def _ends_at(task: Task, reported: int | None) -> Task:
    return task if not reported else msgspec.structs.replace(task, end_offset_sum=reported)


# Possible settings of an application, which only its leader knows.


_ACCEPTABLE_LAG, _MAX_WARMUPS = "acceptable.recovery.lag", "max.warmup.replicas"
_RACK_STRATEGY, _RACK_TAGS = "rack.aware.assignment.strategy", "rack.aware.assignment.tags"
_DEFAULT_LAG = StreamsSettings.acceptable_recovery_lag
_WARMUPS = (2, 1, 3, 4, 5, 8, 10, 100)
_STRATEGIES = ("none", "min_traffic", "balance_subtopology")
_NO_TAGS: tuple[str, ...] = ()
_DEFAULTS = {
    _ACCEPTABLE_LAG: _DEFAULT_LAG,
    _MAX_WARMUPS: _WARMUPS[0],
    _RACK_STRATEGY: _STRATEGIES[0],
    _RACK_TAGS: _NO_TAGS,
}
_MOST_LAGS = 12


def possible_settings(
    joined: ApplicationSnapshot, known: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield possible settings. Each contains the `known` settings. The first has Kafka's defaults
    for the other settings except tags; the next have few differences from the defaults.

    If several acceptable lags make the same copies caught up, only the lag nearest to Kafka's
    default is tried. Rack strategies other than none are tried only if all processes have a rack.
    Rack-aware tags: the keys that all processes have; after that, no tags.
    """
    has_racks = joined.process_count and (joined.process_rack != NO_RACK).all()
    keys = tuple(
        key
        for key, values in zip(joined.tag_key, joined.tag_value.T, strict=True)
        if (values != NO_TAG).all()
    )
    choices = {
        _ACCEPTABLE_LAG: _lags(joined),
        _MAX_WARMUPS: _WARMUPS,
        _RACK_STRATEGY: _STRATEGIES if has_racks else _STRATEGIES[:1],
        _RACK_TAGS: (sorted(keys), _NO_TAGS) if keys else (_NO_TAGS,),
    }
    open_choices = {name: values for name, values in choices.items() if name not in known}
    ways = sorted(
        product(*(range(len(values)) for values in open_choices.values())),
        key=lambda way: (sum(map(bool, way)), sum(way)),
    )
    for way in ways:
        chosen = {
            name: values[place]
            for (name, values), place in zip(open_choices.items(), way, strict=True)
        }
        yield dict(known) | {
            name: value for name, value in chosen.items() if value != _DEFAULTS[name]
        }


def _lags(joined: ApplicationSnapshot) -> tuple[int, ...]:
    lags = np.unique(joined.lag[:, joined.is_stateful])
    below, above = lags[(lags > 0) & (lags <= _DEFAULT_LAG)], lags[lags > _DEFAULT_LAG]
    others = [*(below[::-1] - 1).tolist(), *above.tolist()]
    spread = (
        np.unique(
            np.linspace(0, len(others) - 1, min(len(others), _MOST_LAGS)).astype(int)
        ).tolist()
        if others
        else []
    )
    return (_DEFAULT_LAG, *(others[place] for place in spread))
