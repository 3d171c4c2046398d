"""The steps by which a group switches to another assignor.

Steps are settings of the members, for each client, and the order of restarts. Facts about a client
are in `CLIENTS`. Sources: KIP-429 (eager to cooperative), KIP-848 (consumer protocol),
ConsumerConfig of Kafka 4.3.1.
"""

from typing import NamedTuple

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.clients.client import PACKAGE
from evenkeel.assignors.protocol import CLASSIC, CONSUMER, SHARE, STREAMS, Assignor
from evenkeel.data.scenarios.client_words import named

AnyAssignor = type[Assignor] | Assignor
"""An assignor or its class: the texts need only attributes of the class."""

OLD = "OLD"
"""Placeholder for the present setting, if it is unknown."""

_CLASSIC_ONLY = "partition.assignment.strategy, session.timeout.ms and heartbeat.interval.ms"
_ONE_BY_ONE = "restart one member after another"
_FROM_THEN_ON = "After the last restart, only moving partitions pause."
_WITHOUT_IT = "Without this restart the group could return to the old assignor."


class Step(NamedTuple):
    """A sentence, and a setting to copy; the setting is empty if the sentence has none."""

    text: str
    setting: str = ""


def clients() -> list[str]:
    """Return the clients whose settings are known."""
    return [name for name, client in CLIENTS.items() if client.settings]


def language(client: str) -> str:
    """Return the language in which a client's settings are written, such as `properties` or
    `python`.
    """
    return CLIENTS[client].settings.language


def steps(
    client: str,
    assignor: AnyAssignor,
    in_use: AnyAssignor | None,
    group_type: str | None,
    protocol: str | None = None,
) -> list[Step]:
    """Return the steps for members that use the client `client`, one of `clients()`.

    `in_use`, `group_type`: None if unknown. `protocol`: protocol name of the group; needed if the
    client has an eager and a cooperative form of the assignor.
    """
    if in_use:
        group_type = group_type or in_use.group_type
    if group_type == STREAMS:
        return [Step("Kafka Streams assigns its tasks itself, so its members ignore this setting.")]
    if assignor.group_type == SHARE:
        text = (
            "Share groups have no client setting for this: the brokers set one assignor for all of"
            " them."
        )
        return [Step(text, f"group.share.assignors={assignor.protocol}")]
    if assignor.group_type == CONSUMER:
        return _to_brokers(client, assignor, group_type)
    words = _words(client, assignor)
    if not words:
        return [
            Step(
                f"{named(client)} has no assignor {assignor.name}: the group cannot use it while it"
                " has members of this client."
            )
        ]
    kind = None if group_type == CONSUMER else _kind_of_both(client, assignor, in_use, protocol)
    first = next(iter(words.values()))
    word = first if kind is None else words.get(kind, first)
    before = _before(client, assignor, word)
    if group_type == CONSUMER:
        return [*before, *_to_clients(client, word)]
    if kind is None:
        return [*before, *_at_once(client, word)]
    olds = _words(client, in_use, protocol) if in_use else {}
    old = olds.get(kind, next(iter(olds.values()), None))
    back = _back(client, word, old) if client_package(client, assignor) else []
    return [*before, *_rolling(client, word, old, assignor, in_use), *back]


def rolling_restarts(
    client: str, assignor: AnyAssignor, in_use: AnyAssignor | None, group_type: str | None
) -> int | None:
    """Return the number of rolling restarts that a switch of assignors needs.

    None if all members must stop at the same time.
    """
    if assignor is in_use or assignor.group_type == SHARE:
        return 0
    if assignor.group_type == CONSUMER or group_type == CONSUMER:
        return 1
    return None if _kind_of_both(client, assignor, in_use) is None else 2


def client_package(client: str, assignor: type[Assignor] | Assignor) -> bool:
    """Return whether Evenkeel's package has the assignor for members of a client."""
    return any(packaged.answers.name == assignor.name for packaged in CLIENTS[client].packaged)


def where_it_comes_from(assignor: type[Assignor] | Assignor) -> str:
    """Return where to get an assignor that Kafka does not contain.

    Examples: `a jar of your own`, followed by the package for other clients; `a jar on every
    broker`.
    """
    if assignor.group_type == CONSUMER:
        return "a jar on every broker"
    others = [named(client) for client in CLIENTS if client_package(client, assignor)]
    return (
        f"a jar of your own for Java, the package {PACKAGE} for {' and '.join(others)}"
        if others
        else "a jar of your own"
    )


def _to_brokers(client: str, assignor: AnyAssignor, group_type: str | None) -> list[Step]:
    joins = CLIENTS[client].consumer_protocol
    if joins is None:
        whose = CLIENTS[client].settings.release or named(client)
        return [
            Step(
                f"{whose} does not support the consumer protocol (KIP-848), so its members cannot"
                " use an assignor of the brokers."
            )
        ]
    if not assignor.is_in_kafka:
        return _broker_jar(joins.releases, assignor, group_type)
    setting = f"group.remote.assignor={assignor.protocol}"
    if group_type == CONSUMER:
        return [
            Step(
                f"Set this and {_ONE_BY_ONE}. The broker uses the assignor that most members"
                " request.",
                setting,
            )
        ]
    return [
        Step(
            "Check that the brokers run Kafka 4.0 or later with"
            " group.consumer.migration.policy=bidirectional (their default) or upgrade, and that"
            f" members use {joins.releases}."
        ),
        Step(
            f"Set this, remove {_CLASSIC_ONLY}, and {_ONE_BY_ONE}. The first restart turns the"
            " group into a consumer group.",
            f"group.protocol=consumer\n{setting}",
        ),
    ]


def _broker_jar(releases: str, assignor: AnyAssignor, group_type: str | None) -> list[Step]:
    """Return the steps for an assignor in a jar on the brokers.

    Members must not request the assignor by name: a broker without the jar would refuse them.
    """
    settings = (
        f"group.consumer.assignors={assignor.java_class},uniform,range\n"
        "evenkeel.weights.file=/etc/kafka/evenkeel-weights.json"
    )
    weights = "evenkeel weights --cluster NAME --out /etc/kafka/evenkeel-weights.json --every 60s"
    protocol = (
        []
        if group_type == CONSUMER
        else [
            Step(
                f"Use {releases} in all members, set this, remove {_CLASSIC_ONLY}, and"
                f" {_ONE_BY_ONE}.",
                "group.protocol=consumer",
            )
        ]
    )
    return [
        Step(
            "Run this command on every broker. It measures the weights and writes the file every"
            " minute.",
            weights,
        ),
        Step(
            "On every broker, put the jar into libs/ and set this. Then restart one broker after"
            " another. The first assignor serves every group whose members name no assignor.",
            settings,
        ),
        *protocol,
        Step(
            "Do not set group.remote.assignor; remove it if it is set. Members that name"
            f" {assignor.name} end with UNSUPPORTED_ASSIGNOR when a broker without the jar takes"
            " over; members that name no assignor continue."
        ),
        Step(
            "To go back: keep only these assignors, and restart one broker after another. The"
            " members continue with uniform and keep their partitions.",
            "group.consumer.assignors=uniform,range",
        ),
    ]


def _to_clients(client: str, word: str) -> list[Step]:
    if CLIENTS[client].consumer_protocol is None:
        whose = CLIENTS[client].settings.release or named(client)
        none = (
            f"{whose} does not support the consumer protocol (KIP-848), so this group has no"
            " members of this client."
        )
        return [Step(f"{none} A new member joins with this setting.", _setting(client, word))]
    return [
        Step(
            "Check that group.consumer.migration.policy of the brokers is bidirectional (their"
            " default) or downgrade."
        ),
        Step(
            f"Set this, remove group.remote.assignor, and {_ONE_BY_ONE}. The last restart makes"
            " it a classic group.",
            f"group.protocol=classic\n{_setting(client, word)}",
        ),
    ]


def _before(client: str, assignor: AnyAssignor, word: str) -> list[Step]:
    """Return the steps before the restarts; `word`: the assignor's name in the members' setting."""
    if assignor.is_in_kafka:
        return []
    if not client_package(client, assignor):
        return [Step("Put the jar of this assignor on the class path of every member.")]
    packaged = next(packaged for packaged in CLIENTS[client].packaged if packaged.word == word)
    return [
        Step(
            f"Install Evenkeel's package beside {named(client)} in every member. It installs no"
            " other package.",
            f"pip install {PACKAGE}",
        ),
        Step(
            "Before the restart, check the group's next assignment and the access rights. The"
            " command only reads.",
            f"python -m {packaged.module.partition('.')[0]} check --bootstrap-server HOST:PORT"
            " --group GROUP",
        ),
        Step(
            "Import the assignor. Make one instance for each consumer, with the consumer's"
            " settings, because it reads lags with them.",
            f"from {packaged.module} import {word.partition('(')[0]}",
        ),
    ]


def _back(client: str, word: str, old: str | None) -> list[Step]:
    text = (
        "To go back: list both assignors again, the old assignor first, in one rolling restart;"
        " keep only the old assignor in a second restart."
    )
    return [Step(text, _setting(client, old or OLD, word))]


def _kind_of_both(
    client: str, assignor: AnyAssignor, in_use: AnyAssignor | None, protocol: str | None = None
) -> bool | None:
    """Return the kind (True: cooperative) in which members may list both assignors.

    None if members may not list both. In Java members always may. In other clients both assignors
    must be of the same kind; aiokafka has only one kind.
    """
    new = _words(client, assignor)
    if CLIENTS[client].settings.lists_both_kinds:
        return next(iter(new), None)
    kinds = {
        bool(assignor.is_cooperative)
        for assignor in (*CLIENTS[client].assignors.values(), *CLIENTS[client].packaged)
    }
    if in_use is None and len(kinds) == 1:
        return next((kind for kind in new if kind in kinds), None)
    old = _words(client, in_use, protocol) if in_use is not None else {}
    return next((kind for kind in new if kind in old), None)


def _rolling(
    client: str, word: str, old: str | None, assignor: AnyAssignor, in_use: AnyAssignor | None
) -> list[Step]:
    stands = "" if old else f" {OLD} is the present setting."
    has_both = (
        in_use is not None and (in_use.name, assignor.name) == CLIENTS[client].settings.default
    )
    stands += (
        " Members of Kafka 3.0 or later without this setting already list both assignors, so they"
        " need only the second restart." * has_both
    )
    first = Step(
        f"First rolling restart: list both assignors, the new assignor first, and"
        f" {_ONE_BY_ONE}.{stands}",
        _setting(client, word, old or OLD),
    )
    turns = _FROM_THEN_ON if assignor.is_cooperative else _WITHOUT_IT
    second = Step(
        f"Second rolling restart: keep only the new assignor and {_ONE_BY_ONE}. {turns}",
        _setting(client, word),
    )
    return [first, second]


def _at_once(client: str, word: str) -> list[Step]:
    stop = (
        f"Stop all members. {named(client)} refuses eager and cooperative assignors in one list, so"
        " no rolling restart can change from one kind to the other. Wait until the group is empty,"
        " because the broker refuses the new setting while the group has an old member. A static"
        " member stays in the group until its session.timeout.ms has passed."
    )
    return [Step(stop), Step("Set this and start all members.", _setting(client, word))]


def _words(client: str, assignor: AnyAssignor, protocol: str | None = None) -> dict[bool, str]:
    """Return the names of the assignor in the members' setting, by kind (True: cooperative).

    The default kind is first. Empty if the client does not have the assignor, or if the assignor is
    not classic. `protocol`: protocol name of the group.
    """
    if assignor.group_type != CLASSIC:
        return {}
    if packaged := [
        packaged for packaged in CLIENTS[client].packaged if packaged.answers.name == assignor.name
    ]:
        used = [entry for entry in packaged if entry.protocol == protocol]
        return {entry.is_cooperative: entry.word for entry in used or packaged}
    words = CLIENTS[client].settings.names
    if words is None:
        word = assignor.java_class
    else:
        word = words.get(assignor.name) if assignor.is_in_kafka else None
    return {} if word is None else {bool(assignor.is_cooperative): word}


def _setting(client: str, *words: str) -> str:
    settings = CLIENTS[client].settings
    return settings.strategy.format(settings.between.join(words))
