"""Readiness: the facts of a group and its broker, and the verdict with its reasons. A fact that is
not known is None."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

PROTOCOL_TYPE = "consumer"
STABLE, EMPTY, DEAD, PREPARING = "Stable", "Empty", "Dead", "PreparingRebalance"
STREAMS_PROTOCOL = "stream"
"""What the members of a classic Kafka Streams application call their protocol."""

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
        return min(self.reasons, key=lambda reason: RANK[reason.kind], default=None)


RANK = {verdict: place for place, verdict in enumerate(Verdict)}

Versions = Mapping[str, str]
"""Release of each family, as a person gave it."""


def of_members(
    code: str, kind: Verdict, members: Iterable[Member], **facts: object
) -> Reason | None:
    """Return the reason with the ids of its members; None without members."""
    ids = tuple(member.member_id for member in members)
    return Reason(code, kind, ids, facts=facts) if ids else None
