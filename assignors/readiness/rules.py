"""Readiness: may a group move to the consumer protocol (KIP-848), the broker's answer to its first
member, and the notes.

The rules have the order in which the broker of Kafka 4.3 applies them:
`GroupMetadataManager.getOrMaybeCreateConsumerGroup`, `validateOnlineUpgrade`,
`convertToConsumerGroup`, `ConsumerGroup.fromClassicGroup`. A fact that is not known is None, and
then the answer is `unknown` or a note, never a guess.

    judge(facts, broker).verdict
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from evenkeel.assignors.clients import CLIENTS, JAVA
from evenkeel.assignors.clients.client import COOPERATIVE_STICKY
from evenkeel.assignors.protocol import CLASSIC, CONSUMER, SHARE, STREAMS

_PROTOCOL_TYPE = "consumer"
_STABLE, _EMPTY, _DEAD, _PREPARING = "Stable", "Empty", "Dead", "PreparingRebalance"
STREAMS_PROTOCOL = "stream"
"""What the members of a classic Kafka Streams application call their protocol."""

LIBRDKAFKA = "librdkafka"
_UPGRADES, _DOWNGRADES = ("bidirectional", "upgrade"), ("bidirectional", "downgrade")
_DEFAULT_SESSION_MS, _DEFAULT_HEARTBEAT_MS = 45_000, 5_000


SETTINGS = (
    "group.version",
    "group.coordinator.rebalance.protocols",
    "group.consumer.migration.policy",
    "group.consumer.max.size",
    "group.consumer.assignors",
    "group.consumer.session.timeout.ms",
    "group.consumer.heartbeat.interval.ms",
)
"""Settings and features of the brokers that decide; `--broker-config` takes them."""


class Verdict(StrEnum):
    """From the worst, in the order of a list."""

    BLOCKED = "blocked"
    UNKNOWN = "unknown"
    NOTE = "note"
    READY = "ready"
    DONE = "done"
    OTHER = "other"


class Can(StrEnum):
    """Whether a member's client can join with the consumer protocol; ask: no answer of a broker has
    its version.
    """

    YES = "yes"
    ASK = "ask"
    NO = "no"


class Answer(StrEnum):
    """What the broker does when the first member of the consumer protocol joins."""

    ACCEPTS = "accepts"
    REFUSES = "refuses"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Member:
    """One member.

    Parameters
    ----------
    clients : frozenset of str
        The families that it can be, keys of `CLIENTS`; none if that does not show.
    protocol : str, optional
        `classic` or `consumer`, of a member of a broker's group.
    user_data : int, optional
        Bytes that the leader's assignor put into its assignment.
    is_malformed : bool
        Its metadata or assignment is not of the consumer protocol.
    """

    member_id: str
    client_id: str | None = None
    instance_id: str | None = None
    clients: frozenset[str] = frozenset()
    protocol: str | None = None
    user_data: int | None = None
    is_malformed: bool = False
    has_expression: bool = False


@dataclass(frozen=True)
class Facts:
    """What is known of a group.

    `owns`: some member has partitions. `leader`: the client whose code assigns it. `members_known`:
    it has no other members than these. `has_bytes`: members' families were read from their bytes,
    not guessed from names.
    """

    group_id: str | None
    group_type: str | None
    state: str | None
    protocol_type: str | None
    protocol: str | None
    members: tuple[Member, ...] = ()
    leader: str | None = None
    is_leader_certain: bool = False
    members_known: bool = True
    has_bytes: bool = False
    owns: bool = False


@dataclass(frozen=True)
class Broker:
    """Settings of the group's coordinator that decide; None if they cannot be read.

    `is_on`: `consumer` is among `group.coordinator.rebalance.protocols`, and the feature
    `group.version` is 1 or higher; None also if one of the two says so and the other one is
    unknown.
    """

    is_on: bool | None = None
    policy: str | None = None
    max_size: int | None = None
    assignors: tuple[str, ...] | None = None
    session_timeout_ms: int | None = None
    heartbeat_interval_ms: int | None = None

    @property
    def is_known(self) -> bool:
        return self.policy is not None and self.max_size is not None

    @property
    def converts(self) -> bool | None:
        """Whether a classic group may become a consumer group while it has members."""
        return None if self.policy is None else self.policy.lower() in _UPGRADES

    @property
    def goes_back(self) -> bool | None:
        """Whether a group is classic again when its last consumer member leaves while classic
        members stay.
        """
        return None if self.policy is None else self.policy.lower() in _DOWNGRADES


@dataclass(frozen=True)
class Reason:
    """One finding: `code` as the documentation has it, `kind`: blocked, unknown, note or ready."""

    code: str
    kind: Verdict
    members: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupVerdict:
    """The answer about one group; the worst reason decides."""

    verdict: Verdict
    broker: Answer | None
    refusal: str | None
    reasons: tuple[Reason, ...]

    @property
    def worst(self) -> Reason | None:
        """The first of the worst reasons."""
        return min(self.reasons, key=lambda reason: _RANK[reason.kind], default=None)


_RANK = {verdict: place for place, verdict in enumerate(Verdict)}

Versions = Mapping[str, str]
"""Release of each family, as a person gave it."""


def judge(
    facts: Facts,
    broker: Broker,
    versions: Versions = MappingProxyType({}),
    lost: Sequence[Reason] = (),
) -> GroupVerdict:
    """Return verdict, the broker's answer and the reasons. `lost`: losses under the final
    assignment, such as pairs of topics.
    """
    if facts.group_type in (SHARE, STREAMS):
        return GroupVerdict(Verdict.OTHER, None, None, ())
    if facts.group_type == CONSUMER:
        return _of_broker(facts, broker, versions, lost)
    refused, unsure = _refusals(facts, broker)
    answer = Answer.REFUSES if refused else Answer.UNKNOWN if unsure else Answer.ACCEPTS
    about = [] if _is_empty(facts) else [*_notes(facts, broker), *lost, *_clients(facts, versions)]
    reasons = tuple(sorted([*refused, *unsure, *about], key=lambda reason: _RANK[reason.kind]))
    return GroupVerdict(_worst(reasons), answer, refused[0].code if refused else None, reasons)


def _of_broker(
    facts: Facts, broker: Broker, versions: Versions, lost: Sequence[Reason]
) -> GroupVerdict:
    """Judge a group that the broker assigns already: only its classic members are left to move."""
    if not facts.members_known or any(member.protocol is None for member in facts.members):
        unknown = Reason(
            "bytes-unknown",
            Verdict.UNKNOWN,
            tuple(member.member_id for member in facts.members if member.protocol is None),
        )
        return GroupVerdict(Verdict.UNKNOWN, Answer.ACCEPTS, None, (unknown,))
    left = [member for member in facts.members if member.protocol == CLASSIC]
    if not left:
        return GroupVerdict(Verdict.DONE, Answer.ACCEPTS, None, ())
    mixed = Reason(
        "mixed",
        Verdict.NOTE,
        tuple(member.member_id for member in left),
        facts={"of": len(facts.members)},
    )
    reasons = tuple(
        sorted(
            [mixed, *_notes(facts, broker), *lost, *_clients(facts, versions, left)],
            key=lambda reason: _RANK[reason.kind],
        )
    )
    return GroupVerdict(_worst(reasons), Answer.ACCEPTS, None, reasons)


def _worst(reasons: Iterable[Reason]) -> Verdict:
    return min((reason.kind for reason in reasons), key=_RANK.__getitem__, default=Verdict.READY)


def _is_empty(facts: Facts) -> bool:
    return facts.members_known and not facts.members


# What the broker refuses, in its order. A rule gives the reason if it holds, nothing if it
# does not; unknown ones are told apart.


def _refusals(facts: Facts, broker: Broker) -> tuple[list[Reason], list[Reason]]:
    """Return the broker's reasons to refuse, in its order, and the facts that are missing to
    decide; both are empty if it accepts.
    """
    if broker.is_on is False:
        return [Reason("protocol-off", Verdict.BLOCKED)], []
    if _is_empty(facts):
        return [], [] if broker.is_on else [
            Reason("settings-unknown", Verdict.UNKNOWN, facts={"is_empty": True})
        ]
    if facts.group_type is None or not facts.members_known or facts.state == _DEAD:
        return [], [Reason("bytes-unknown", Verdict.UNKNOWN)]
    refused = [reason for rule in _RULES if (reason := rule(facts, broker)) is not None]
    unsure = []
    if not broker.is_known:
        unsure.append(Reason("settings-unknown", Verdict.UNKNOWN))
    if missing := _without_bytes(facts):
        unsure.append(missing)
    return refused, unsure


def _without_bytes(facts: Facts) -> Reason | None:
    """Return whether assignments are unknown; librdkafka's cooperative-sticky is likely refused."""
    unknown = tuple(
        member.member_id
        for member in facts.members
        if member.user_data is None and not member.is_malformed
    )
    if (
        facts.protocol == STREAMS_PROTOCOL
        or facts.protocol_type not in (None, _PROTOCOL_TYPE)
        or (facts.protocol_type is not None and not unknown)
    ):
        return None
    is_likely = facts.protocol == COOPERATIVE_STICKY and facts.leader == LIBRDKAFKA
    return Reason(
        "bytes-unknown", Verdict.NOTE if is_likely else Verdict.UNKNOWN, facts={"likely": is_likely}
    )


def _policy(facts: Facts, broker: Broker) -> Reason | None:
    return (
        Reason("policy", Verdict.BLOCKED, facts={"policy": broker.policy})
        if broker.converts is False
        else None
    )


def _protocol_type(facts: Facts, broker: Broker) -> Reason | None:
    is_other = facts.protocol_type is not None and facts.protocol_type != _PROTOCOL_TYPE
    return (
        Reason("protocol-type", Verdict.BLOCKED, facts={"found": facts.protocol_type})
        if is_other
        else None
    )


def _size(facts: Facts, broker: Broker) -> Reason | None:
    is_large = broker.max_size is not None and len(facts.members) > broker.max_size
    return (
        Reason(
            "size", Verdict.BLOCKED, facts={"members": len(facts.members), "most": broker.max_size}
        )
        if is_large
        else None
    )


def _malformed(facts: Facts, broker: Broker) -> Reason | None:
    if facts.protocol_type not in (None, _PROTOCOL_TYPE):
        return None
    return _of_members(
        "malformed", Verdict.BLOCKED, (member for member in facts.members if member.is_malformed)
    )


def _user_data(facts: Facts, broker: Broker) -> Reason | None:
    # Streams' own assignor always writes some.
    always = facts.protocol == STREAMS_PROTOCOL
    senders = [
        member
        for member in facts.members
        if member.user_data or (always and member.user_data is None)
    ]
    return _of_members(
        "user-data",
        Verdict.BLOCKED,
        senders,
        protocol=facts.protocol,
        leader=facts.leader,
        of=len(facts.members),
    )


def _first_rebalance(facts: Facts, broker: Broker) -> Reason | None:
    # The broker looks for a protocol, which a group has from its first assignment on.
    is_first = (
        facts.state == _PREPARING
        and not facts.protocol
        and not facts.owns
        and not any(member.user_data for member in facts.members)
    )
    return Reason("first-rebalance", Verdict.UNKNOWN) if is_first else None


_RULES: tuple[Callable[[Facts, Broker], Reason | None], ...] = (
    _policy,
    _protocol_type,
    _size,
    _malformed,
    _user_data,
    _first_rebalance,
)


def _of_members(
    code: str, kind: Verdict, members: Iterable[Member], **facts: object
) -> Reason | None:
    ids = tuple(member.member_id for member in members)
    return Reason(code, kind, ids, facts=facts) if ids else None


# What the clients can.


def can(name: str, versions: Versions) -> Can:
    """Return whether members of a family can join with the consumer protocol."""
    joins = CLIENTS[name].consumer_protocol
    if joins is None:
        return Can.NO
    if name not in versions:
        return Can.ASK
    if not joins.since:
        return Can.ASK
    return Can.YES if _numbers(versions[name]) >= _numbers(joins.since) else Can.NO


def is_preview(name: str, versions: Versions) -> bool:
    """Return whether the given release has the protocol, and not yet for production."""
    joins = CLIENTS[name].consumer_protocol
    given = versions.get(name)
    return bool(
        joins
        and given
        and joins.preview
        and _numbers(joins.preview) <= _numbers(given) < _numbers(joins.since)
    )


def _numbers(release: str) -> tuple[int, ...]:
    """Return the numbers of a release without zeros at its end, such as (3, 9, 1), (4,) of 4.0-rc1:
    each part's leading digits.
    """
    numbers: list[int] = []
    for part in release.split("."):
        digits = re.match("[0-9]+", part)
        if digits is None:
            break
        numbers.append(int(digits[0]))
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def family(member: Member, facts: Facts) -> str | None:
    """Return the family to show for a member: the only one, or the leader's if it can be that;
    None if several are left.
    """
    if len(member.clients) == 1:
        return next(iter(member.clients))
    if facts.leader in member.clients:
        return facts.leader
    return JAVA if JAVA in member.clients else next(iter(sorted(member.clients)), None)


def member_can(member: Member, facts: Facts, versions: Versions) -> Can:
    """Return whether a member can join: of several families that its bytes fit, the likely one says
    so, and no only where all say no.
    """
    answers = {can(name, versions) for name in member.clients}
    name = family(member, facts)
    if name is None or answers == {Can.NO}:
        return Can.NO if answers else Can.ASK
    answer = can(name, versions)
    is_sure = name == facts.leader and facts.is_leader_certain
    return Can.ASK if answer == Can.NO and not is_sure else answer


def _clients(
    facts: Facts, versions: Versions, members: Sequence[Member] | None = None
) -> list[Reason]:
    members = facts.members if members is None else members
    if facts.protocol_type not in (None, _PROTOCOL_TYPE):
        return []
    if (
        facts.state != _STABLE
        and facts.group_type != CONSUMER
        and not any(member.clients for member in members)
    ):
        return (
            [Reason("rebalancing", Verdict.UNKNOWN, facts={"state": facts.state})]
            if facts.state not in (None, _EMPTY)
            else []
        )
    kinds = {member.clients: member for member in members}
    kind_of = {
        clients: (member_can(example, facts, versions), family(example, facts))
        for clients, example in kinds.items()
    }
    by_kind: dict[tuple[Can, str | None], list[Member]] = {}
    for member in members:
        by_kind.setdefault(kind_of[member.clients], []).append(member)
    reasons = []
    for code, answer, kind in (
        ("client", Can.NO, Verdict.BLOCKED),
        ("ask-version", Can.ASK, Verdict.NOTE),
    ):
        for (verdict, name), some in by_kind.items():
            if verdict != answer:
                continue
            preview = name is not None and is_preview(name, versions)
            given = {
                "family": name,
                "version": versions.get(name or ""),
                "preview": preview,
                "of": len(members),
            }
            reason = _of_members(
                "ask-version" if preview else code, Verdict.NOTE if preview else kind, some, **given
            )
            reasons += [reason] if reason else []
    return reasons


# What people must know of a group that may go.


def _notes(facts: Facts, broker: Broker) -> list[Reason]:
    """Return the notes; a group of Connect or of similar tools has none."""
    if facts.protocol_type not in (None, _PROTOCOL_TYPE):
        return []
    notes = [
        note(facts, broker)
        for note in (_full, _user_data_soon, _no_way_back, _static, _regex, _timeouts)
    ]
    return [reason for reason in notes if reason is not None]


def _full(facts: Facts, broker: Broker) -> Reason | None:
    is_full = broker.max_size is not None and len(facts.members) == broker.max_size
    return Reason("full", Verdict.NOTE, facts={"most": broker.max_size}) if is_full else None


def _user_data_soon(facts: Facts, broker: Broker) -> Reason | None:
    """A bounce of the first member makes a rebalance, and that fills the assignments of the
    others.
    """
    is_soon = (
        facts.leader == LIBRDKAFKA
        and facts.protocol == COOPERATIVE_STICKY
        and facts.group_type != CONSUMER
        and len(facts.members) > 1
    )
    return (
        Reason("user-data-soon", Verdict.NOTE)
        if is_soon and all(member.user_data == 0 for member in facts.members)
        else None
    )


def _no_way_back(facts: Facts, broker: Broker) -> Reason | None:
    return (
        Reason("no-way-back", Verdict.NOTE)
        if broker.policy is not None and broker.policy.lower() == "upgrade"
        else None
    )


def _static(facts: Facts, broker: Broker) -> Reason | None:
    return _of_members(
        "static",
        Verdict.NOTE,
        (member for member in facts.members if member.instance_id),
        of=len(facts.members),
    )


def _regex(facts: Facts, broker: Broker) -> Reason | None:
    return _of_members(
        "regex", Verdict.NOTE, (member for member in facts.members if member.has_expression)
    )


def _timeouts(facts: Facts, broker: Broker) -> Reason | None:
    session, heartbeat = broker.session_timeout_ms, broker.heartbeat_interval_ms
    if session in (None, _DEFAULT_SESSION_MS) and heartbeat in (None, _DEFAULT_HEARTBEAT_MS):
        return None
    return Reason(
        "timeouts", Verdict.NOTE, facts={"session_ms": session, "heartbeat_ms": heartbeat}
    )
