"""Readiness in words: why a group can or cannot move, the remedy, and short labels of reasons."""

from collections.abc import Mapping

from evenkeel.assignors.clients import CLIENTS
from evenkeel.assignors.readiness.facts import LIBRDKAFKA, STREAMS_PROTOCOL, Reason, Verdict
from evenkeel.data.scenarios.client_words import named
from evenkeel.data.text.formats import counted, listed, with_more

VERDICTS = {
    Verdict.BLOCKED: "Blocked",
    Verdict.UNKNOWN: "Unknown",
    Verdict.NOTE: "Note",
    Verdict.READY: "Ready",
    Verdict.DONE: "Already consumer",
    Verdict.OTHER: "Other type",
}

Names = Mapping[str, str]
"""Displayed names of members, by id."""

_MOST_NAMES = 3
_STOP_ALL = (
    "Stop all members, then start them with the consumer protocol. The broker accepts an empty"
    " group, and its offsets remain."
)
_ASK_BROKERS = (
    "Or read the settings with `kafka-features.sh --bootstrap-server BROKER describe` and"
    " `kafka-configs.sh --bootstrap-server BROKER --describe --entity-type brokers --entity-name ID"
    " --all`, and pass them with --broker-config KEY=VALUE."
)


_PLAIN = {
    "protocol-off": (
        "The brokers do not offer the consumer protocol.",
        (
            "The protocol needs Kafka 4.0 or later, the feature group.version at 1, and consumer in"
            " group.coordinator.rebalance.protocols."
        ),
    ),
    "policy": (
        "The brokers allow no online upgrade: group.consumer.migration.policy is {policy}.",
        f"Set the policy to bidirectional on every broker and restart the brokers. {_STOP_ALL}",
    ),
    "size": (
        "The group has {members:,} members, but group.consumer.max.size is {most:,}.",
        "Raise this limit on the brokers, or run fewer members.",
    ),
    "malformed": (
        "{who}: metadata or assignment does not follow the consumer protocol.",
        "The broker refuses to convert such a group.",
    ),
    "first-rebalance": (
        (
            "The group's first rebalance is not over, so a consumer member that joins now fails"
            " with UNKNOWN_SERVER_ERROR."
        ),
        (
            "Check again when the group is Stable. Do not start classic and consumer members of an"
            " empty group together."
        ),
    ),
    "rebalancing": (
        "The group is in state {state}, so its clients are not visible.",
        "Check again when the group is Stable.",
    ),
    "user-data-soon": (
        "The broker refuses a plain restart, so start an extra member first.",
        (
            "At its next rebalance librdkafka's cooperative-sticky writes user data, which the"
            " broker refuses. Start one extra member with the consumer protocol first; the group"
            " then has type consumer. Stop the extra member last."
        ),
    ),
    "full": (
        "The group already has {most:,} members, the limit of group.consumer.max.size.",
        "Do not start an extra member. Stop a member before you start one.",
    ),
    "no-way-back": (
        "There is no way back, because group.consumer.migration.policy is upgrade.",
        (
            "If the last consumer member leaves while classic members remain, its partitions have"
            " no owner until a member joins."
        ),
    ),
    "regex": (
        "{who}: the broker (RE2), not the client, matches the expression of a consumer member.",
        "Check the expression for look-aheads and back-references, which RE2 does not support.",
    ),
    "mixed": (
        "{count} of {of} members are still classic: {who}.",
        ("The group works so far, but restart the classic members with the consumer protocol."),
    ),
    "two-bounces": (
        "Two rolling restarts: first with both assignors, then with the new one.",
        (
            "Members of Kafka 3.0 or later without the setting partition.assignment.strategy list"
            " both assignors already, so they need only the second restart."
        ),
    ),
}
"""Claim and remedy of each code, formatted with the reason's facts. `who`: names of its members.
`count`: their number.
"""


def sentences(reason: Reason, names: Names) -> tuple[str, str]:
    """Return two sentences: the claim, and its consequence or remedy."""
    if reason.code in _SENTENCES:
        return _SENTENCES[reason.code](reason, names)
    facts = {
        **reason.facts,
        "who": reason.members and _who(reason, names),
        "count": len(reason.members),
    }
    claim, then = _PLAIN[reason.code]
    return claim.format_map(facts), then.format_map(facts)


def text(reason: Reason, names: Names) -> str:
    """Return the two sentences of a reason as one text."""
    return " ".join(part for part in sentences(reason, names) if part)


def _who(reason: Reason, names: Names) -> str:
    """Return the names of the first members, and the number of further members."""
    names_shown = [names.get(member, member) for member in reason.members]
    if len(names_shown) <= _MOST_NAMES:
        return listed(names_shown)
    most = _MOST_NAMES - 1
    return with_more(", ".join(names_shown[:most]), len(names_shown) - most)


def _protocol_type(reason: Reason, names: Names) -> tuple[str, str]:
    protocol_type = str(reason.facts["found"])
    whose = {"connect": "Kafka Connect", "sr": "Schema Registry"}.get(
        protocol_type, "another program"
    )
    return (
        f"The group's protocol type is {protocol_type}, so it belongs to {whose}.",
        "Only groups of consumers can move. This group stays classic.",
    )


def _user_data(reason: Reason, names: Names) -> tuple[str, str]:
    protocol, leader = reason.facts["protocol"], reason.facts["leader"]
    if protocol == STREAMS_PROTOCOL:
        return (
            "Kafka Streams cannot move online, because its assignor writes user data.",
            (
                "Stop all instances, then start them with group.protocol=streams (KIP-1071), if"
                " your release supports it."
            ),
        )
    who = f"librdkafka's {protocol}" if leader == LIBRDKAFKA else f"Its assignor {protocol}"
    claim = f"{who} sends user data, which the broker refuses."
    why = (
        " librdkafka sends user data from its second rebalance on. The refused client reports only"
        " that the group id does not exist."
    )
    return (
        claim,
        f"Senders: {_who(reason, names)}. {_STOP_ALL}{why if leader == LIBRDKAFKA else ''}",
    )


_POLICY_AND_SIZE = "group.consumer.migration.policy and group.consumer.max.size"


def _settings_unknown(reason: Reason, names: Names) -> tuple[str, str]:
    decide = (
        "group.version and group.coordinator.rebalance.protocols"
        if reason.facts.get("is_empty")
        else _POLICY_AND_SIZE
    )
    return (
        f"The brokers' settings cannot be read, but the verdict needs {decide}.",
        f"Evenkeel needs the right DESCRIBE_CONFIGS on the cluster. {_ASK_BROKERS}",
    )


def _bytes_unknown(reason: Reason, names: Names) -> tuple[str, str]:
    if reason.facts.get("likely"):
        return (
            (
                "Likely refused, because librdkafka's cooperative-sticky writes user data from its"
                " second rebalance on."
            ),
            "This input has no assignments. Read the live cluster to be sure.",
        )
    return (
        "The assignments' bytes or the protocol type are not known.",
        "Listings show neither. Read the live cluster, or a group document that this version of"
        " Evenkeel wrote.",
    )


def _client(reason: Reason, names: Names) -> tuple[str, str]:
    name, version = str(reason.facts["family"]), reason.facts["version"]
    joins = CLIENTS[name].consumer_protocol
    who = _who(reason, names)
    if joins is None:
        return (
            f"{named(name)} speaks the classic protocol only.",
            f"{who}: change to another client, or stay classic.",
        )
    return (
        (
            f"{named(name)} supports the protocol since {joins.since}, so first update"
            f" {counted(len(reason.members), 'member')}."
        ),
        f"{who}: {version}.",
    )


def _ask_version(reason: Reason, names: Names) -> tuple[str, str]:
    name, version = reason.facts["family"], reason.facts["version"]
    if reason.facts["preview"]:
        return (
            f"{named(name)} {version} has only a preview of the protocol, so update first.",
            f"{_who(reason, names)}.",
        )
    if name is None:
        who = (
            f"{_who(reason, names)}: ask the owner whether this client speaks the consumer"
            " protocol."
        )
        return "The client is unknown.", who
    joins = CLIENTS[name].consumer_protocol
    needs = f"needs {joins.since} or later" if joins.since else "has no release with this protocol"
    return (
        f"Ask for the version of the {named(name)} client: it {needs}.",
        (
            f"Brokers do not report versions. {_who(reason, names)}: pass the version with --client"
            f" {name}=VERSION."
        ),
    )


def _static(reason: Reason, names: Names) -> tuple[str, str]:
    every = len(reason.members) == reason.facts["of"]
    who = (
        "All members are static"
        if every
        else f"{_who(reason, names)} {'is' if len(reason.members) == 1 else 'are'} static"
    )
    return (
        f"{who}, so a restart moves nothing.",
        (
            "All moves happen at the next change of members or partitions. Never run a classic and"
            " a consumer member with the same instance id: each removes the other from the group,"
            " until one of them fails."
        ),
    )


def _co_partitioned(reason: Reason, names: Names) -> tuple[str, str]:
    count, after, assignor = (
        reason.facts["partitions"],
        reason.facts["after"],
        reason.facts["assignor"],
    )
    first, second = reason.topics[:2]
    more = reason.facts["pairs"] - 1
    others = f", with {counted(more, 'other pair')}" if more else ""
    parts = after is not None and after < count
    then = (
        f"lose pairs with {assignor}: {after} of {count} pairs keep a common owner"
        if parts
        else f"may lose pairs with {assignor}, which does not preserve common owners"
    )
    return (
        f"{first} and {second} {then}{others}.",
        (
            "If your code joins these topics, equal partition numbers need the same owner. Then set"
            " group.remote.assignor=range on the first member that restarts."
        ),
    )


def _racks(reason: Reason, names: Names) -> tuple[str, str]:
    before, after = reason.facts["before"], reason.facts["after"]
    return (
        "The broker's assignors ignore racks (KAFKA-19387).",
        (
            f"Partitions read in their own rack: {before}"
            f" now{'' if after is None else f', {after} after the move'}."
        ),
    )


def _timeouts(reason: Reason, names: Names) -> tuple[str, str]:
    session, heartbeat = (_seconds(reason.facts[key]) for key in ("session_ms", "heartbeat_ms"))
    return (
        (
            f"After the move, the brokers set the timeouts: a dead member is detected after"
            f" {session}, and members heartbeat every {heartbeat}."
        ),
        (
            "For other values, set consumer.session.timeout.ms and"
            " consumer.heartbeat.interval.ms of the group with kafka-configs.sh."
        ),
    )


def _seconds(milliseconds: object) -> str:
    return "an unknown time" if milliseconds is None else f"{milliseconds / 1000:g} s"


def _no_cooperative(reason: Reason, names: Names) -> tuple[str, str]:
    name = reason.facts["family"]
    return (
        f"{named(name)} has no cooperative assignor." if name else "The clients are unknown.",
        "The group stays eager, or its members change to another client.",
    )


def _assignor_unknown(reason: Reason, names: Names) -> tuple[str, str]:
    name = reason.facts["named"]
    return (
        f"It is not known whether {name} is eager." if name else "The assignor is not known.",
        "Add the output of `--describe --state` or `--describe --members --verbose`.",
    )


def _stop_all_reason(reason: Reason, names: Names) -> tuple[str, str]:
    families = reason.facts["families"]
    who = " and ".join(named(name) for name in families)
    against = (
        "Do not use this as a step to the consumer protocol, because librdkafka's"
        " cooperative-sticky writes user data, which the broker refuses."
    )
    return (
        f"{who} cannot list eager and cooperative assignors together, so stop all members, then"
        " start all.",
        f"{against} Move from range directly to consumer."
        if LIBRDKAFKA in families
        else "A rolling restart cannot change from one kind to the other.",
    )


_SENTENCES = {
    "protocol-type": _protocol_type,
    "user-data": _user_data,
    "settings-unknown": _settings_unknown,
    "bytes-unknown": _bytes_unknown,
    "client": _client,
    "ask-version": _ask_version,
    "static": _static,
    "co-partitioned": _co_partitioned,
    "racks": _racks,
    "timeouts": _timeouts,
    "assignor-unknown": _assignor_unknown,
    "no-cooperative": _no_cooperative,
    "stop-all": _stop_all_reason,
}

CODES = (*_PLAIN, *_SENTENCES)

KINDS = {
    "client": "client",
    "user-data": "assignor",
    "protocol-type": "not consumers",
    "protocol-off": "brokers",
    "policy": "brokers",
    "size": "size",
    "malformed": "bytes",
    "co-partitioned": "lose pairs",
    "racks": "lose racks",
    "ask-version": "ask the version",
    "static": "static",
    "timeouts": "other timeouts",
    "mixed": "half way",
    "user-data-soon": "extra member first",
    "no-way-back": "no way back",
    "full": "full",
    "regex": "expressions",
    "settings-unknown": "brokers' settings",
    "bytes-unknown": "without bytes",
    "first-rebalance": "first rebalance",
    "rebalancing": "rebalancing",
    "assignor-unknown": "without assignor",
    "no-cooperative": "client",
    "stop-all": "stop all",
    "two-bounces": "two restarts",
}
"""Short labels of reasons, for totals."""
