"""The client whose code assigns a group, the assignors of that client, and their answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from evenkeel.assignors import ASSIGNORS, CLIENTS, JAVA
from evenkeel.assignors.compare.comparison import Comparison, Row, compare
from evenkeel.assignors.compare.facts import Facts, facts_of
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.kafka.release import NEWEST, Release, of_release
from evenkeel.assignors.kafka.streams.task_steps import explain_task
from evenkeel.assignors.protocol import (
    CLASSIC,
    Assignor,
    TaskAssignor,
    no_function,
    not_offered,
    serving,
)
from evenkeel.assignors.trace import explain
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Leader
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.text.names import short_labels
from evenkeel.data.text.steps import why
from evenkeel.data.text.task_steps import why_task

Made = Callable[[], Assignor]


def other_leader(observed: ObservedGroup) -> str | None:
    """Return the client of the group's leader, if the client is not Java.

    None if the leader's client is Java or unknown, or if the brokers assign the group.
    """
    leader = observed.leader
    return (
        leader.client
        if leader and leader.client != JAVA and observed.group_type in (None, CLASSIC)
        else None
    )


def client_of(leader: Leader | None, chosen: object = None) -> str:
    """Return the client whose code answers: the chosen client, else the leader's client, else Java.

    Raises
    ------
    SnapshotError
        If the client is unknown.
    """
    client: object = leader.client if leader else JAVA
    if chosen is not None:
        client = chosen
    if not isinstance(client, str) or client not in CLIENTS:
        raise SnapshotError(
            f'settings.client: found "{client}", expected one of {", ".join(CLIENTS)}'
        )
    return client


def led_by(client: str, assignors: Mapping[str, Made] = ASSIGNORS) -> dict[str, Made]:
    """Return the assignors of a group whose leader runs `client`.

    For assignors that client libraries reimplement, the code of `client` is used. Other assignors
    stay as they are.
    """
    return {
        name: _of_client(client, name) if is_clients(name, made) else made
        for name, made in assignors.items()
    }


def is_clients(name: str, made: Made) -> bool:
    """Return whether client libraries have their own code for the assignor `name`."""
    return name in CLIENTS[JAVA].assignors and made is ASSIGNORS[name]


def _of_client(client: str, name: str) -> Made:
    own, protocol = CLIENTS[client].assignors, ASSIGNORS[name].protocol
    if name in own:
        return own[name]
    why = CLIENTS[client].no_function.get(name)
    return (
        no_function(client, name, protocol, why)
        if why
        else not_offered(client, name, protocol, list(own))
    )


# The clients of the group's members, if recognisable.


def families(observed: ObservedGroup) -> tuple[str | None, ...]:
    """Return the client of each member; None if unknown.

    The signs of a client are its default client id, which few members keep, and for librdkafka an
    empty rack.
    """
    rack_of = observed.snapshot.rack_of
    return tuple(
        _family(client_id or "", rack_of(row)) for row, client_id in enumerate(observed.client_id)
    )


def possible_leaders(observed: ObservedGroup) -> list[str]:
    """Return the clients that members are known to use, the client of the present leader first."""
    leader = [observed.leader.client] if observed.leader else []
    return list(dict.fromkeys([*leader, *filter(None, families(observed))]))


def _family(client_id: str, rack: str | None) -> str | None:
    by_rack = (
        (name for name, client in CLIENTS.items() if client.sends_empty_rack) if rack == "" else ()
    )
    by_id = (name for name, client in CLIENTS.items() if client.has_default_id(client_id))
    return next(chain(by_rack, by_id), None)


# Which assignor a group uses now.


def runs_ours(observed: ObservedGroup) -> bool:
    """Return whether the group runs an assignor of Evenkeel's package.

    This follows from the leader's client and the assignor's name.
    """
    client = other_leader(observed)
    return client is not None and CLIENTS[client].package_of(observed.assignor) is not None


def is_in_use(observed: ObservedGroup, assignor: type[Assignor]) -> bool | None:
    """Return whether the group uses an assignor.

    None if unknown, or if an assignor of clients and an assignor of brokers have the same name,
    such as `range`.
    """
    if observed.assignor is None:
        return None
    if observed.assignor not in _protocols(assignor):
        return False
    if observed.group_type is None:
        return None if is_ambiguous(observed) else True
    return observed.group_type == assignor.group_type


def is_ambiguous(observed: ObservedGroup) -> bool:
    """Return whether the group may be a classic group or a group that brokers assign.

    True if the group's type is unknown, and the name of its assignor exists for both types.
    """
    return (
        observed.group_type is None
        and observed.assignor is not None
        and _serves_several_types(observed.assignor)
    )


def _serves_several_types(protocol: str) -> bool:
    return (
        len(
            {
                assignor.group_type
                for assignor in ASSIGNORS.values()
                if assignor.protocol == protocol
            }
        )
        > 1
    )


def _protocols(assignor: type[Assignor]) -> set[str]:
    """Return the names under which groups report an assignor; they differ between clients."""
    own = {
        own.protocol for client in CLIENTS.values() if (own := client.assignors.get(assignor.name))
    }
    packaged = chain.from_iterable(client.packaged for client in CLIENTS.values())
    of_package = {each.protocol for each in packaged if each.answers is assignor}
    return {assignor.protocol} | own | of_package


def in_use(observed: ObservedGroup) -> str | None:
    """Return the `ASSIGNORS` name of the assignor in use; None if unknown or not in `ASSIGNORS`."""
    return next(
        (name for name, assignor in ASSIGNORS.items() if is_in_use(observed, assignor)), None
    )


def with_settings(made: Made, settings: Settings) -> Assignor:
    """Return an assignor with a scenario's settings.

    Raises
    ------
    SnapshotError
        If a setting is invalid.
    """
    try:
        assignor = of_release(made, settings.kafka_version or NEWEST)
        ours = {"jdk": settings.jdk, "max_generation": settings.max_generation}
        given = {key: value for key, value in ours.items() if value is not None}
        return replace(assignor, **given) if given and isinstance(assignor, Release) else assignor
    except ValueError as error:
        raise SnapshotError(f"settings: {error}") from None


# One group with the answers of Evenkeel's own assignors, and why an answer gives a partition to a
# member, or a task to a process.


class Answers(NamedTuple):
    """A group, each assignor's answer, and the facts about each answer, by name."""

    observed: ObservedGroup
    comparison: Comparison
    facts: dict[str, Facts]


def answers(observed: ObservedGroup, settings: Settings) -> Answers:
    """Return the answers under the settings: chosen client, Kafka release and so on."""
    comparison = comparison_of(observed, settings)
    return Answers(observed, comparison, facts_by_row(observed, comparison.rows, settings))


def comparison_of(observed: ObservedGroup, settings: Settings = Settings()) -> Comparison:
    """Return the answers of all assignors that can serve the group."""
    made = own_assignors(observed, settings)
    return compare(
        observed.snapshot,
        observed.current,
        [made[name] for name in serving(observed.group_type, ASSIGNORS)],
    )


def facts_by_row(
    observed: ObservedGroup, rows: Sequence[Row], settings: Settings = Settings()
) -> dict[str, Facts]:
    """Return facts by answer. An answer has facts only if the assignor is Evenkeel's own."""
    group, is_order_known, made = (
        observed.snapshot,
        "members" not in observed.assumed,
        own_assignors(observed, settings),
    )
    own = [row for row in rows if row.name in made]
    return {
        row.name: facts_of(group, observed.current, made[row.name], row, is_order_known)
        for row in own
    }


def own_assignors(observed: ObservedGroup, settings: Settings) -> dict[str, Assignor]:
    """Return Evenkeel's own assignors by name.

    The code is that of the chosen client; if no client is chosen, of the leader's client.
    """
    led = led_by(client_of(observed.leader, settings.client))
    return {name: with_settings(made, settings) for name, made in led.items()}


def why_there(
    observed: ObservedGroup, assignor: Assignor, topic: str, partition: int
) -> tuple[str, ...]:
    """Return sentences that explain why an assignor gives a partition to the partition's owner.

    The assignor runs again and records each of its decisions.

    Raises
    ------
    SnapshotError
        If the group has no such partition.
    AssignorError
        If the assignor raises it.
    """
    group, tp = observed.snapshot, tp_of(observed, topic, partition)
    steps = explain(assignor, group, group.topic_name.index(topic), partition)
    return why(steps, group, tp, short_labels(group.member_id, observed.client_id))


def tp_of(observed: ObservedGroup, topic: str, partition: int) -> int:
    """Return the row number of a partition.

    Raises
    ------
    SnapshotError
        If the group has no such partition.
    """
    group = observed.snapshot
    if topic not in group.topic_name:
        raise SnapshotError(
            f'no topic "{topic}" in this group, expected one of {", ".join(group.topic_name)}'
        )
    row = group.topic_name.index(topic)
    if not 0 <= partition < group.partition_count[row]:
        problem = f"no partition {partition_name(topic, partition)} in this group"
        raise SnapshotError(
            f"{problem}, expected a number from 0 to {int(group.partition_count[row]) - 1}"
        )
    return int(group.first_tp[row]) + partition


def why_task_there(
    application: ApplicationSnapshot,
    assignor: TaskAssignor,
    task: int,
    processes: Sequence[str],
    consumers: Sequence[str],
) -> tuple[str, ...]:
    """Return sentences that explain why a task and its copies are on their processes.

    `task`: number of the task. The sentences are about the rebalance that starts from
    `application`.

    Raises
    ------
    AssignorError
        If the assignor raises it.
    """
    return why_task(explain_task(assignor, application, task), processes, consumers)
