"""Applications among the groups of a cluster."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from evenkeel.data.document import STABLE
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.applications.application import LiveApplication
from evenkeel.data.live.reading.applications.broker_application import broker_application, changelogs_of
from evenkeel.data.live.reading.applications.changelogs import changelog_names
from evenkeel.data.live.reading.applications.classic_application import classic_application
from evenkeel.data.live.reading.applications.thread import PROTOCOL, thread_of
from evenkeel.data.live.reading.offsets import ends
from evenkeel.data.live.reading.topics import LiveTopic, topic_names, topics


class Found(NamedTuple):
    """One application, null where it cannot be had, and why."""

    application: LiveApplication | None
    problem: str | None = None


def is_application(answer: Any) -> bool:
    """Tell whether the coordinator's answer about a group is that of a Kafka Streams application whose members can be read."""
    if hasattr(answer, "topology"):
        return bool(answer.members)
    return getattr(answer, "protocol_data", None) == PROTOCOL and answer.group_state == STABLE and bool(answer.members)


def applications(
    connection: Connection, answers: Mapping[str, Any], sources: Mapping[str, LiveTopic], taken_at: datetime
) -> dict[str, Found]:
    """Read the applications whose coordinators gave these answers; `sources`: the topics that they read.

    Raises
    ------
    SnapshotError
        When the cluster does not answer.
    """
    if not answers:
        return {}
    changelogs = _changelogs(connection, answers)
    seen, _ = topics(connection, {name for names in changelogs.values() for name in names})
    places = {(name, number) for name, one in seen.items() for number in range(len(one.racks))}
    found = ends(connection, places, seen).end
    return {
        group_id: _found(
            group_id,
            answer,
            {**sources, **seen},
            {place: end for place, end in found.items() if place[0] in changelogs[group_id]},
            taken_at,
        )
        for group_id, answer in answers.items()
    }


def _changelogs(connection: Connection, answers: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the names of each application's changelogs; the cluster's topics are asked for only where no answer names them."""
    is_classic = any(not hasattr(answer, "topology") for answer in answers.values())
    names, groups = (topic_names(connection), [one.group_id for one in connection.ask(connection.raw.listed)]) if is_classic else ([], [])
    return {
        group_id: changelogs_of(answer) if hasattr(answer, "topology") else changelog_names(group_id, names, groups)
        for group_id, answer in answers.items()
    }


def _found(group_id: str, answer: Any, seen: Mapping[str, LiveTopic], ends: Mapping[tuple[str, int], int], taken_at: datetime) -> Found:
    try:
        if hasattr(answer, "topology"):
            return Found(broker_application(group_id, answer, seen, ends, taken_at))
        return Found(classic_application(group_id, [thread_of(one) for one in answer.members], seen, ends, taken_at))
    except SnapshotError as error:
        return Found(None, f"Kafka Streams: {error}")
