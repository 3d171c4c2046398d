"""Readiness: whether a group may move to the consumer protocol (KIP-848), and the broker's answer
to the first member with this protocol.

The rules are in the order in which the broker of Kafka 4.3 checks them:
`GroupMetadataManager.getOrMaybeCreateConsumerGroup`, `validateOnlineUpgrade`,
`convertToConsumerGroup`, `ConsumerGroup.fromClassicGroup`. An unknown fact is None. The verdict is
then `unknown` or a note, never a guess.

    judge(facts, broker).verdict
"""

from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType

from evenkeel.assignors.clients.client import COOPERATIVE_STICKY
from evenkeel.assignors.protocol import CLASSIC, CONSUMER, SHARE, STREAMS
from evenkeel.assignors.readiness.clients import reasons_of_clients
from evenkeel.assignors.readiness.facts import (
    DEAD,
    LIBRDKAFKA,
    PREPARING,
    PROTOCOL_TYPE,
    RANK,
    STREAMS_PROTOCOL,
    Answer,
    Broker,
    Facts,
    GroupVerdict,
    Reason,
    Verdict,
    Versions,
    of_members,
)
from evenkeel.assignors.readiness.notes import notes_of


def judge(
    facts: Facts,
    broker: Broker,
    versions: Versions = MappingProxyType({}),
    lost: Sequence[Reason] = (),
) -> GroupVerdict:
    """Return the verdict, the broker's answer and the reasons.

    `lost`: reasons that name a loss after the move, such as pairs of topics without common owners.
    """
    if facts.group_type in (SHARE, STREAMS):
        return GroupVerdict(Verdict.OTHER, None, None, ())
    if facts.group_type == CONSUMER:
        return _of_broker(facts, broker, versions, lost)
    refused, unsure = _refusals(facts, broker)
    answer = Answer.ACCEPTS
    if refused:
        answer = Answer.REFUSES
    elif unsure:
        answer = Answer.UNKNOWN
    notes: list[Reason] = []
    if not _is_empty(facts):
        notes = [*notes_of(facts, broker), *lost, *reasons_of_clients(facts, versions)]
    reasons = tuple(sorted([*refused, *unsure, *notes], key=lambda reason: RANK[reason.kind]))
    return GroupVerdict(_worst(reasons), answer, refused[0].code if refused else None, reasons)


def _of_broker(
    facts: Facts, broker: Broker, versions: Versions, lost: Sequence[Reason]
) -> GroupVerdict:
    """Judge a group that is already a consumer group. Only its classic members still have to
    move.
    """
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
            [mixed, *notes_of(facts, broker), *lost, *reasons_of_clients(facts, versions, left)],
            key=lambda reason: RANK[reason.kind],
        )
    )
    return GroupVerdict(_worst(reasons), Answer.ACCEPTS, None, reasons)


def _worst(reasons: Iterable[Reason]) -> Verdict:
    return min((reason.kind for reason in reasons), key=RANK.__getitem__, default=Verdict.READY)


def _is_empty(facts: Facts) -> bool:
    return facts.members_known and not facts.members


# The broker's refusals, in the broker's order. A rule returns a reason if the broker refuses the
# group because of this rule, else None. Unknown facts are returned separately.


def _refusals(facts: Facts, broker: Broker) -> tuple[list[Reason], list[Reason]]:
    """Return the broker's reasons to refuse the group, and the facts that are unknown.

    The reasons are in the broker's order. The broker accepts the group if both lists are empty.
    """
    if broker.is_on is False:
        return [Reason("protocol-off", Verdict.BLOCKED)], []
    if _is_empty(facts):
        return [], [] if broker.is_on else [
            Reason("settings-unknown", Verdict.UNKNOWN, facts={"is_empty": True})
        ]
    if facts.group_type is None or not facts.members_known or facts.state == DEAD:
        return [], [Reason("bytes-unknown", Verdict.UNKNOWN)]
    refused = [reason for rule in _RULES if (reason := rule(facts, broker)) is not None]
    unsure = []
    if not broker.is_known:
        unsure.append(Reason("settings-unknown", Verdict.UNKNOWN))
    if missing := _without_bytes(facts):
        unsure.append(missing)
    return refused, unsure


def _without_bytes(facts: Facts) -> Reason | None:
    """Return a reason if it is unknown whether assignments have user data.

    If librdkafka assigns the group with cooperative-sticky, the broker likely refuses the group.
    The reason is then a note.
    """
    unknown = tuple(
        member.member_id
        for member in facts.members
        if member.user_data is None and not member.is_malformed
    )
    if (
        facts.protocol == STREAMS_PROTOCOL
        or facts.protocol_type not in (None, PROTOCOL_TYPE)
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
    is_other = facts.protocol_type is not None and facts.protocol_type != PROTOCOL_TYPE
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
    if facts.protocol_type not in (None, PROTOCOL_TYPE):
        return None
    return of_members(
        "malformed", Verdict.BLOCKED, (member for member in facts.members if member.is_malformed)
    )


def _user_data(facts: Facts, broker: Broker) -> Reason | None:
    # The assignor of Kafka Streams always writes user data.
    always = facts.protocol == STREAMS_PROTOCOL
    senders = [
        member
        for member in facts.members
        if member.user_data or (always and member.user_data is None)
    ]
    return of_members(
        "user-data",
        Verdict.BLOCKED,
        senders,
        protocol=facts.protocol,
        leader=facts.leader,
        of=len(facts.members),
    )


def _first_rebalance(facts: Facts, broker: Broker) -> Reason | None:
    # The broker needs the group's protocol, which exists only after the first assignment.
    is_first = (
        facts.state == PREPARING
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
