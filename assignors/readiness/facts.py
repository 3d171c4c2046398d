"""Readiness: facts about a group and its broker, and the verdict with its reasons.

A fact is None if it is unknown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

PROTOCOL_TYPE = "consumer"
STABLE, EMPTY, DEAD, PREPARING = "Stable", "Empty", "Dead", "PreparingRebalance"
STREAMS_PROTOCOL = "stream"
"""The protocol name that members of a classic Kafka Streams application report."""

LIBRDKAFKA = "librdkafka"
_UPGRADES, _DOWNGRADES = ("bidirectional", "upgrade"), ("bidirectional", "downgrade")


SETTINGS = (
    "group.version",
    "group.coordinator.rebalance.protocols",
    "group.consumer.migration.policy",
    "group.consumer.max.size",
    "group.consumer.assignors",
    "group.consumer.session.timeout.ms",
    "group.consumer.heartbeat.interval.ms",
)
"""Settings and features of the brokers on which the verdict depends. `--broker-config` accepts
them.
"""


class Verdict(StrEnum):
    """Verdicts, the worst verdict first. Lists of groups are in the same order."""

    BLOCKED = "blocked"
    UNKNOWN = "unknown"
    NOTE = "note"
    READY = "ready"
    DONE = "done"
    OTHER = "other"


class Can(StrEnum):
    """Whether a member's client can join with the consumer protocol.

    `ASK`: the user must look up the version of the client, because brokers do not report versions.
    """

    YES = "yes"
    ASK = "ask"
    NO = "no"


class Answer(StrEnum):
    """What the broker does when the first member with the consumer protocol joins."""

    ACCEPTS = "accepts"
    REFUSES = "refuses"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Member:
    """One member of a group.

    Parameters
    ----------
    clients : frozenset of str
        Possible families of the client, as keys of `CLIENTS`. Empty if unknown.
    protocol : str, optional
        Protocol of a member of a KIP-848 group: `classic` or `consumer`.
    user_data : int, optional
        Number of bytes of user data that the leader's assignor wrote into the member's assignment.
    is_malformed : bool
        Whether the member's metadata or assignment does not have the format of the consumer
        protocol type.
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
    """Known facts about a group.

    `leader`: client family whose code assigns the group. `members_known`: whether `members` is
    complete. `has_bytes`: whether client families were read from the bytes that members sent, not
    guessed from names. `owns`: whether any member has partitions.
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
    """Settings of the group's coordinator on which the verdict depends. None if a setting is
    unknown.

    `is_on`: whether `consumer` is in `group.coordinator.rebalance.protocols`, and the feature
    `group.version` is at least 1. False if one of these conditions is known to be false. Otherwise
    None if a condition is unknown.
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
        """Whether the broker lets a classic group with members become a consumer group."""
        return None if self.policy is None else self.policy.lower() in _UPGRADES

    @property
    def goes_back(self) -> bool | None:
        """Whether the group becomes classic again when its last consumer member leaves.

        Classic members must still be in the group.
        """
        return None if self.policy is None else self.policy.lower() in _DOWNGRADES


@dataclass(frozen=True)
class Reason:
    """A reason for a verdict.

    `code`: name of the reason in the documentation. `kind`: blocked, unknown, note or ready.
    """

    code: str
    kind: Verdict
    members: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupVerdict:
    """The verdict about one group, which is the kind of its worst reason."""

    verdict: Verdict
    broker: Answer | None
    refusal: str | None
    reasons: tuple[Reason, ...]

    @property
    def worst(self) -> Reason | None:
        """The worst reason. If several reasons are equally bad, the first of them."""
        return min(self.reasons, key=lambda reason: RANK[reason.kind], default=None)


RANK = {verdict: place for place, verdict in enumerate(Verdict)}

Versions = Mapping[str, str]
"""The release of each client family, as the user gave it."""


def of_members(
    code: str, kind: Verdict, members: Iterable[Member], **facts: object
) -> Reason | None:
    """Return a reason with the ids of `members`. None if there are no members."""
    ids = tuple(member.member_id for member in members)
    return Reason(code, kind, ids, facts=facts) if ids else None
