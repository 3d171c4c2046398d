"""The facts of a client family, and the base class of its assignors.

Each family has a module or folder in this folder, with a record `CLIENT` of all facts.
`assignors.CLIENTS` has all records by name.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Protocol

from evenkeel.assignors.assignment import Assumption
from evenkeel.assignors.protocol import CLASSIC, Assignor

EAGER = ("range", "roundrobin")
STICKY, COOPERATIVE_STICKY = "sticky", "cooperative-sticky"
"""Kafka's names of assignors that several clients have."""


@dataclass(frozen=True)
class ClientAssignor(Assignor):
    """Base class of the assignors of all clients except Java. `client`: the key in `CLIENTS`. The
    field `leader` of the group document has the same name.
    """

    client: ClassVar[str]
    protocol: ClassVar[str] = ""
    group_type: ClassVar[str] = CLASSIC
    is_cooperative: ClassVar[bool] = False
    is_in_kafka: ClassVar[bool] = True
    checks_topics: ClassVar[bool] = False


class SentSubscription(Protocol):
    """The subscription that a member sends when it joins, decoded.

    `user_data`: bytes of the member's assignor; None if the subscription has no user data. `owned`:
    None before version 1, or if the subscription ends after the user data. `generation`: None
    before version 2. `rack`: None if the member has no rack, or if the version has no field for it.
    """

    version: int
    user_data: bytes | None
    owned: dict[str, list[int]] | None
    generation: int | None
    rack: str | None


class WrittenAssignment(Protocol):
    """The assignment that a leader writes for a member, decoded.

    `is_sorted`: whether topics and partition numbers are in ascending order. `is_echo`: whether the
    user data are the same as in the member's subscription.
    """

    version: int
    user_data: bytes | None
    is_sorted: bool
    is_echo: bool


NONE_OWNED = b"\0\0\0\0"
"""User data that contain an empty array."""

NUMBER = len(NONE_OWNED)
"""Number of bytes of a generation, and of the length of an array."""


PACKAGE = "evenkeel-assignors"
"""The package with Evenkeel's own assignors for members of some clients."""

_SENT_WITH_PACKAGE = b'{"evenkeel":1,'


@dataclass(frozen=True)
class PackagedAssignor:
    """An assignor that the package `PACKAGE` adds to a client.

    `protocol`: Kafka's name of this assignor. `answers`: the class in `assignors` that computes the
    same assignments. `module`: the import path. `word`: the name in a member's list of assignors.
    `version`: the version of subscriptions and assignments.
    """

    protocol: str
    answers: type[Assignor]
    module: str
    word: str
    version: int = 0
    is_cooperative: bool = False

    def sends(self, sent: SentSubscription) -> bool:
        """Return whether a member with this assignor may have sent the subscription."""
        return sent.version == self.version and (sent.user_data or b"").startswith(
            _SENT_WITH_PACKAGE
        )


def joins_first(sent: SentSubscription) -> bool:
    """Return whether the subscription may come from a franz-go member that joins for the first
    time: no owned partitions in the user data, and a negative generation.
    """
    return sent.user_data == NONE_OWNED and (sent.generation or 0) < 0


class Layout(Enum):
    """The fields of the user data of a `sticky` member, in their order."""

    GENERATION_LAST = "owned partitions, generation"
    NO_GENERATION = "owned partitions"
    VERSION_FIRST = "version, owned partitions, generation"


@dataclass(frozen=True)
class Settings:
    """The setting in which a member of a client lists its assignors.

    Parameters
    ----------
    strategy : str
        The line of the setting. `{}` is replaced by the names, separated by `between`. `language`:
        the language of the line, for display.
    names : mapping of str to str, optional
        The names of the assignors in the setting. None if members list Java classes.
    default : tuple of str
        The assignors of a member without this setting.
    lists_both_kinds : bool
        Whether a list may have both eager and cooperative assignors.
    release : str
        The client and the release to which these facts apply.
    """

    strategy: str
    names: Mapping[str, str] | None
    between: str = ","
    language: str = "properties"
    default: tuple[str, ...] = ()
    lists_both_kinds: bool = False
    release: str = ""


@dataclass(frozen=True)
class ConsumerProtocol:
    """How a client supports the consumer protocol (KIP-848): releases and settings.

    Parameters
    ----------
    releases : str
        The releases that support this protocol, in words.
    since, preview : str
        `since`: the first release for production. `preview`: the first release with a preview.
        Empty if there is no such release.
    added : mapping of str to str
        Settings that turn the protocol on. `remote`: the name of the setting that selects the
        broker's assignor; empty if there is none.
    removed : tuple of str
        Settings with which a member cannot start if it uses this protocol.
    remark : str
        Other changes, in sentences.
    """

    releases: str
    since: str = ""
    preview: str = ""
    added: Mapping[str, str] = field(default_factory=dict)
    remote: str = ""
    removed: tuple[str, ...] = ()
    remark: str = ""


CONSUMER_SETTINGS = {"group.protocol": "consumer"}
REMOTE_ASSIGNOR = "group.remote.assignor"
CLASSIC_SETTINGS = ("partition.assignment.strategy", "session.timeout.ms", "heartbeat.interval.ms")
"""Settings of the classic protocol, with their names in Java's client and librdkafka."""


def _never(_one: object, _protocol: str) -> bool:
    return False


def _always(_sent: Sequence[SentSubscription], _written: Sequence[WrittenAssignment]) -> bool:
    return True


@dataclass(frozen=True)
class Client:
    """A client family.

    Parameters
    ----------
    name : str
        The key in `CLIENTS`. The field `leader` of the group document has the same name.
    assignors : mapping of str to class
        The assignors of the client for classic groups, by their name in `ASSIGNORS`.
    no_function : mapping of str to str
        Assignors whose answers differ for equal inputs, so that they cannot be reproduced, and why.
    assumes : tuple of Assumption
        What the assignors assume if several answers are possible.
    differs : tuple of str
        Assignors whose answers differ from Java's, even if all members subscribe to the same
        topics.
    label : str
        The name of the client in sentences; if empty, `name`.
    releases : str
        The releases that the assignors reproduce.
    libraries : str
        Libraries that are built on the client.
    default_client_id : pattern, optional
        Matches the default client ids of the client. Users can set other client ids, so a match is
        only a hint.
    sends_empty_rack : bool
        Whether a member without `client.rack` sends an empty rack. Only one client does this.
    own_protocols : tuple of str
        Protocols that only this client offers.
    sends, writes : function
        `sends`: whether a member of this client may have sent a subscription. `writes`: whether a
        leader of this client may have written an assignment. Both also get the protocol of the
        group. Recorded with Kafka 4.3.1 and the newest release of each client.
    is_sure : function
        Whether messages that fit only this client cannot come from an old release of another
        client.
    yields_sorted_to : tuple of str
        Clients that are more likely than this client to be the leader if all assignments are
        sorted.
    sticky_layouts : tuple of Layout
        The layouts of user data that a leader of this client reads; empty if unknown.
    settings : Settings, optional
        The setting in which members list assignors; None if unknown.
    packaged : tuple of PackagedAssignor
        Assignors that Evenkeel's package adds to this client.
    consumer_protocol : ConsumerProtocol, optional
        Support for the consumer protocol (KIP-848); None if the client does not support it.
    """

    name: str
    assignors: Mapping[str, type[Assignor]]
    no_function: Mapping[str, str] = field(default_factory=dict)
    assumes: tuple[Assumption, ...] = ()
    differs: tuple[str, ...] = ()
    label: str = ""
    releases: str = ""
    libraries: str = ""
    default_client_id: re.Pattern[str] | None = None
    sends_empty_rack: bool = False
    own_protocols: tuple[str, ...] = ()
    sends: Callable[[SentSubscription, str], bool] = _never
    writes: Callable[[WrittenAssignment, str], bool] = _never
    is_sure: Callable[[Sequence[SentSubscription], Sequence[WrittenAssignment]], bool] = _always
    yields_sorted_to: tuple[str, ...] = ()
    sticky_layouts: tuple[Layout, ...] = ()
    settings: Settings | None = None
    packaged: tuple[PackagedAssignor, ...] = ()
    consumer_protocol: ConsumerProtocol | None = None

    def package_of(self, protocol: str | None) -> PackagedAssignor | None:
        """Return the assignor of Evenkeel's package with this protocol name; None if
        there is none.
        """
        return next((package for package in self.packaged if package.protocol == protocol), None)

    def has_default_id(self, client_id: str) -> bool:
        """Return whether a client id is a default client id of this client."""
        return (
            self.default_client_id is not None
            and self.default_client_id.fullmatch(client_id) is not None
        )


def by_name(*assignors: type[Assignor]) -> dict[str, type[Assignor]]:
    """Return the assignor classes by their `name`."""
    return {assignor.name: assignor for assignor in assignors}
