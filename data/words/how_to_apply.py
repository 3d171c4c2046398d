"""How a group switches to an assignor: the settings of its members for each client, and the order of restarts.

Sources: KIP-429 (eager to cooperative), KIP-848 (consumer protocol), ConsumerConfig of Kafka 4.3.1.
librdkafka 2.16.1 and kafka-python 3.0.12 refuse a list of eager and cooperative assignors.
"""

from typing import NamedTuple

from evenkeel.assignors.protocol import Assignor

JAVA, LIBRDKAFKA, KAFKA_PYTHON = "Java", "librdkafka", "kafka-python"
CLIENTS = (JAVA, LIBRDKAFKA, KAFKA_PYTHON)

_JAVA_DEFAULT = ("range", "cooperative-sticky")
"""Members of Kafka 3.0 or later list both if the setting is missing."""

OLD = "OLD"
"""Stands for the present setting where that is unknown."""

_NAMED_IN = {JAVA: "java_class", LIBRDKAFKA: "librdkafka_name", KAFKA_PYTHON: "kafka_python_class"}
_CONSUMER, _SHARE, STREAMS = "consumer", "share", "streams"
_CLASSIC_ONLY = "partition.assignment.strategy, session.timeout.ms and heartbeat.interval.ms"
_ONE_BY_ONE = "restart one member after another"
_FROM_THEN_ON = "From the last restart on only partitions that move pause."
_WITHOUT_IT = "Without this restart the group could return to the old one."


class Step(NamedTuple):
    """What to do, and the setting to copy; empty if there is none."""

    text: str
    setting: str = ""


def steps(client: str, assignor: Assignor, in_use: Assignor | None, group_type: str | None) -> list[Step]:
    """Return the steps for members that use one client; `in_use` and `group_type` are None where they are unknown."""
    group_type = group_type or (in_use and in_use.group_type)
    if group_type == STREAMS:
        return [Step("Kafka Streams assigns its tasks itself: its members ignore this setting.")]
    if assignor.group_type == _SHARE:
        text = "Share groups have no client setting for this: the brokers set one assignor for all of them."
        return [Step(text, f"group.share.assignors={assignor.protocol}")]
    if assignor.group_type == _CONSUMER:
        return _to_brokers(client, assignor, group_type)
    named = _named(client, assignor)
    if named is None:
        return [Step(f"{client} has no assignor {assignor.name}: the group cannot use it while it has members of this client.")]
    if group_type == _CONSUMER:
        return _to_clients(client, named)
    old = in_use and _named(client, in_use)
    restarts = _rolling(client, named, old, assignor, in_use) if _lists_both(client, assignor, in_use) else _at_once(client, named)
    return [*_jar(assignor), *restarts]


def rolling_restarts(client: str, assignor: Assignor, in_use: Assignor | None, group_type: str | None) -> int | None:
    """Return how many rolling restarts of all members the switch takes; None where all members have to stop at the same time."""
    if assignor is in_use or assignor.group_type == _SHARE:
        return 0
    if assignor.group_type == _CONSUMER or group_type == _CONSUMER:
        return 1
    return 2 if _lists_both(client, assignor, in_use) else None


def _to_brokers(client: str, assignor: Assignor, group_type: str | None) -> list[Step]:
    if client == KAFKA_PYTHON:
        return [Step("kafka-python 3.0 does not speak the consumer protocol (KIP-848): its members cannot use an assignor of the brokers.")]
    setting = f"group.remote.assignor={assignor.protocol}"
    if group_type == _CONSUMER:
        return [Step(f"Set this and {_ONE_BY_ONE}. The broker takes the assignor that most members ask for.", setting)]
    release = "clients of Kafka 4.0 or later" if client == JAVA else "librdkafka 2.12 or later"
    return [
        Step(
            "Check that the brokers run Kafka 4.0 or later with group.consumer.migration.policy=bidirectional (their default) or upgrade, "
            f"and that members use {release}."
        ),
        Step(
            f"Set this, remove {_CLASSIC_ONLY}, and {_ONE_BY_ONE}. The first one turns the group into a consumer group.",
            f"group.protocol=consumer\n{setting}",
        ),
    ]


def _to_clients(client: str, named: str) -> list[Step]:
    if client == KAFKA_PYTHON:
        text = (
            "kafka-python 3.0 does not speak the consumer protocol (KIP-848): this group has no members of it. "
            "A new one joins with this setting."
        )
        return [Step(text, _setting(client, named))]
    return [
        Step("Check that group.consumer.migration.policy of the brokers is bidirectional (their default) or downgrade."),
        Step(
            f"Set this, remove group.remote.assignor, and {_ONE_BY_ONE}. With the last one the group becomes a classic group.",
            f"group.protocol=classic\n{_setting(client, named)}",
        ),
    ]


def _jar(assignor: Assignor) -> list[Step]:
    return [] if assignor.is_in_kafka else [Step("Put the jar of this assignor on the class path of every member.")]


def _lists_both(client: str, assignor: Assignor, in_use: Assignor | None) -> bool:
    """Tell whether members may list both assignors: in Java always, in other clients if both are eager or both cooperative."""
    if client == JAVA:
        return True
    return in_use is not None and bool(assignor.is_cooperative) == bool(in_use.is_cooperative) and _named(client, in_use) is not None


def _rolling(client: str, named: str, old: str | None, assignor: Assignor, in_use: Assignor | None) -> list[Step]:
    stands = "" if old else f" {OLD} stands for what is set now."
    has_both = client == JAVA and in_use is not None and (in_use.name, assignor.name) == _JAVA_DEFAULT
    stands += " Members of Kafka 3.0 or later without this setting list both already: they need only the second restart." * has_both
    first = Step(f"First rolling restart: list both, the new one first, and {_ONE_BY_ONE}.{stands}", _setting(client, named, old or OLD))
    turns = _FROM_THEN_ON if assignor.is_cooperative else _WITHOUT_IT
    second = Step(f"Second rolling restart: leave only the new one and {_ONE_BY_ONE}. {turns}", _setting(client, named))
    return [first, second]


def _at_once(client: str, named: str) -> list[Step]:
    why = f"{client} refuses eager and cooperative assignors in one list, so no rolling restart can change from one kind to the other"
    stop = (
        f"Stop all members: {why}. Wait until the group is empty: the broker refuses the new setting while it still counts an old member, "
        "a static one until its session.timeout.ms has passed."
    )
    return [Step(stop), Step("Set this and start all members.", _setting(client, named))]


def _named(client: str, assignor: Assignor) -> str | None:
    """Return the name of a classic assignor in the settings of a client, None if the client does not have it."""
    return getattr(assignor, _NAMED_IN[client]) if assignor.group_type == "classic" else None


def _setting(client: str, *named: str) -> str:
    if client == KAFKA_PYTHON:
        return f"partition_assignment_strategy=[{', '.join(named)}]"
    return f"partition.assignment.strategy={','.join(named)}"
