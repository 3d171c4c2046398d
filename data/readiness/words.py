"""Readiness in words: why a group may or may not move to the consumer protocol, the remedy, and the
settings of its clients.
"""

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
"""What to call a member, by its id."""

_MOST_NAMES = 3
_STOP_ALL = (
    "Stop all members and start them with the consumer protocol: an empty group is accepted, and"
    " its offsets stay."
)
_ASK_BROKERS = (
    "Read them with `kafka-features.sh --bootstrap-server BROKER describe` and `kafka-configs.sh"
    " --bootstrap-server BROKER --describe --entity-type brokers --entity-name ID --all`, and give"
    " them with --broker-config KEY=VALUE."
)


_PLAIN = {
    "protocol-off": (
        "The brokers do not offer the consumer protocol.",
        (
            "It needs Kafka 4.0 or later, the feature group.version at 1, and consumer in"
            " group.coordinator.rebalance.protocols."
        ),
    ),
    "policy": (
        "The brokers allow no online upgrade: group.consumer.migration.policy is {policy}.",
        f"Set it to bidirectional on every broker and restart the brokers. {_STOP_ALL}",
    ),
    "size": (
        "Its {members:,} members are more than group.consumer.max.size allows, {most:,}.",
        "Raise this limit on the brokers, or run fewer members.",
    ),
    "malformed": (
        "{who}: metadata or assignment does not follow the consumer protocol.",
        "The broker refuses to convert such a group.",
    ),
    "first-rebalance": (
        (
            "Its first rebalance is not over: a consumer member that joins now dies of"
            " UNKNOWN_SERVER_ERROR."
        ),
        (
            "Ask again when it is Stable. Do not start classic and consumer members of an empty"
            " group together."
        ),
    ),
    "rebalancing": (
        "The group is in state {state}: its clients cannot be seen.",
        "Ask again when it is Stable.",
    ),
    "user-data-soon": (
        "A plain restart is refused: start an extra member first.",
        (
            "The next rebalance of librdkafka's cooperative-sticky writes user data, which the"
            " broker refuses. Start one extra member with the consumer protocol first and stop it"
            " last; the group is of type consumer from then on."
        ),
    ),
    "full": (
        "The group is as large as group.consumer.max.size allows, {most:,}.",
        "No extra member: stop one before you start one.",
    ),
    "no-way-back": (
        "There is no way back: group.consumer.migration.policy is upgrade.",
        (
            "When the last consumer member leaves and classic ones stay, its partitions have no"
            " owner until any member joins."
        ),
    ),
    "regex": (
        "{who}: the broker matches the expression itself (RE2) for consumer members.",
        "Check it for look-aheads and back-references, which RE2 does not have.",
    ),
    "mixed": (
        "{count} of {of} members are still classic: {who}.",
        ("The group works so far, but restart the classic members with the consumer protocol."),
    ),
    "two-bounces": (
        "Two rolling restarts: first with both assignors, then with the new one.",
        (
            "Members of Kafka 3.0 or later without the setting list both assignors already: they"
            " need only the second restart."
        ),
    ),
}
"""Sentences with facts of a reason, `who`: its members, and `count`: how many they are."""


def sentences(reason: Reason, names: Names) -> tuple[str, str]:
    """Return the finding, and its consequence or remedy."""
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
    """Return both in one text."""
    return " ".join(part for part in sentences(reason, names) if part)


def _who(reason: Reason, names: Names) -> str:
    """Name some of the members, and count the others."""
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
        f"Its protocol type is {protocol_type}: it belongs to {whose}.",
        "Only groups of consumers can move; it stays classic.",
    )


def _user_data(reason: Reason, names: Names) -> tuple[str, str]:
    protocol, leader = reason.facts["protocol"], reason.facts["leader"]
    if protocol == STREAMS_PROTOCOL:
        return (
            "Kafka Streams cannot convert online: its assignor writes user data.",
            (
                "Stop all instances and start them with group.protocol=streams (KIP-1071), where"
                " your release has it."
            ),
        )
    who = f"librdkafka's {protocol}" if leader == LIBRDKAFKA else f"Its assignor {protocol}"
    claim = f"{who} sends user data: refused."
    why = (
        " librdkafka does so from its second rebalance on, and its client sees only that the"
        " group id does not exist."
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
        f"The brokers' settings cannot be read: the verdict needs {decide}.",
        f"Reading them needs the right DESCRIBE_CONFIGS on the cluster. {_ASK_BROKERS}",
    )


def _bytes_unknown(reason: Reason, names: Names) -> tuple[str, str]:
    if reason.facts.get("likely"):
        return (
            (
                "Likely refused: librdkafka's cooperative-sticky writes user data from its second"
                " rebalance on."
            ),
            "The assignments are not in this input; read the live cluster to be sure.",
        )
    return (
        "The assignments' bytes or the protocol type are not known.",
        "A listing does not show them: read the live cluster, or a group document of this version.",
    )


def _client(reason: Reason, names: Names) -> tuple[str, str]:
    name, version = str(reason.facts["family"]), reason.facts["version"]
    joins = CLIENTS[name].consumer_protocol
    who = _who(reason, names)
    if joins is None:
        return (
            f"{named(name)} speaks the classic protocol only.",
            f"{who}: move to another client, or stay.",
        )
    return (
        (
            f"{named(name)} knows the protocol from {joins.since} on: update"
            f" {counted(len(reason.members), 'member')} first."
        ),
        f"{who}: {version}.",
    )


def _ask_version(reason: Reason, names: Names) -> tuple[str, str]:
    name, version = reason.facts["family"], reason.facts["version"]
    if reason.facts["preview"]:
        return (
            f"{named(name)} {version} has the protocol as a preview: update first.",
            f"{_who(reason, names)}.",
        )
    if name is None:
        who = (
            f"{_who(reason, names)}: ask the owner whether this client speaks the consumer"
            " protocol."
        )
        return "Its client is unknown.", who
    joins = CLIENTS[name].consumer_protocol
    needs = f"needs {joins.since} or later" if joins.since else "has no release with this protocol"
    return (
        f"Ask for the version of the {named(name)} client: it {needs}.",
        (
            f"Brokers do not report versions. {_who(reason, names)}: give the version with --client"
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
        f"{who}: nothing moves at their restart.",
        (
            "All moves come at the next change of members or partitions. Never let two"
            " live members have the same instance id across protocols: they throw each other out"
            " until one dies."
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
        f"lose pairs with {assignor}: {after} of {count} pairs stay"
        if parts
        else f"may lose pairs with {assignor}, which keeps no pairs"
    )
    return (
        f"{first} and {second} {then}{others}.",
        (
            "Joins in code need these pairs: set group.remote.assignor=range on the first member"
            " that restarts."
        ),
    )


def _racks(reason: Reason, names: Names) -> tuple[str, str]:
    before, after = reason.facts["before"], reason.facts["after"]
    return (
        "The broker's assignors ignore racks (KAFKA-19387).",
        (
            f"Partitions read in their own rack: {before}"
            f" now{'' if after is None else f', {after} then'}."
        ),
    )


def _timeouts(reason: Reason, names: Names) -> tuple[str, str]:
    session, heartbeat = (_seconds(reason.facts[key]) for key in ("session_ms", "heartbeat_ms"))
    return (
        (
            f"From then on the brokers set the timeouts: a dead member is noticed after"
            f" {session}, heartbeats"
            f" come every {heartbeat}."
        ),
        (
            "Set consumer.session.timeout.ms and consumer.heartbeat.interval.ms"
            " of the group with kafka-configs.sh for other values."
        ),
    )


def _seconds(milliseconds: object) -> str:
    return "an unknown time" if milliseconds is None else f"{milliseconds / 1000:g} s"


def _no_cooperative(reason: Reason, names: Names) -> tuple[str, str]:
    name = reason.facts["family"]
    return (
        f"{named(name)} has no cooperative assignor." if name else "Its clients are unknown.",
        "It stays eager, or moves to another client.",
    )


def _assignor_unknown(reason: Reason, names: Names) -> tuple[str, str]:
    name = reason.facts["named"]
    return (
        f"Whether {name} is eager is not known." if name else "Its assignor is not known.",
        "Add what `--describe --state` or `--describe --members --verbose` prints.",
    )


def _stop_all_reason(reason: Reason, names: Names) -> tuple[str, str]:
    families = reason.facts["families"]
    who = " and ".join(named(name) for name in families)
    against = (
        "Not as a step to the consumer protocol: its cooperative-sticky writes user data, which"
        " the broker refuses."
    )
    return (
        f"{who} cannot list both kinds of assignors: stop all members, then start all.",
        f"{against} Go from range straight to consumer."
        if LIBRDKAFKA in families
        else "No rolling restart can change from one kind to the other.",
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
"""Reasons in two words, for sums."""
