"""Client: the facts of a client family, and the base class of its assignors.

Each family has a module or folder here with a record `CLIENT`; `assignors.CLIENTS` has the records
by name. All facts about a client are in its record. Documents, commands, pages and the reader of
live groups use them from there.
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
"""Kafka's names of protocols that several clients have."""


@dataclass(frozen=True)
class ClientAssignor(Assignor):
    """Base of the assignors of all clients except Java. `client`: the key in `CLIENTS`, which is
    also the client's name in the group document's `leader`.
    """

    client: ClassVar[str]
    protocol: ClassVar[str] = ""
    group_type: ClassVar[str] = CLASSIC
    is_cooperative: ClassVar[bool] = False
    is_in_kafka: ClassVar[bool] = True
    checks_topics: ClassVar[bool] = False


class SentSubscription(Protocol):
    """A member's decoded subscription, which it sends when it joins.

    `user_data`: bytes of its assignor, None if none. `owned`: None before version 1, and if the
    subscription ends after the user data. `generation`: None before version 2. `rack`: None if
    missing, or if the version has no rack.
    """

    version: int
    user_data: bytes | None
    owned: dict[str, list[int]] | None
    generation: int | None
    rack: str | None


class WrittenAssignment(Protocol):
    """A leader's decoded assignment for a member.

    `is_sorted`: topics and partition numbers ascend. `is_echo`: the user data are a copy of the
    user data in the member's subscription.
    """

    version: int
    user_data: bytes | None
    is_sorted: bool
    is_echo: bool


NONE_OWNED = b"\0\0\0\0"
"""User data: an empty array."""

NUMBER = len(NONE_OWNED)
"""Size in bytes of a generation, and of an array's length."""


PACKAGE = "evenkeel-assignors"
"""The package with Evenkeel's own assignors for members of some clients."""

_SENT_WITH_PACKAGE = b'{"evenkeel":1,'


@dataclass(frozen=True)
class PackagedAssignor:
    """An assignor that `PACKAGE` adds to a client. `protocol`: Kafka's name of this assignor;
    `answers`: the assignor class here with the same answer.

    `module`: the import path. `word`: the name in a member's list of assignors. `version`: of the
    subscriptions and assignments.
    """

    protocol: str
    answers: type[Assignor]
    module: str
    word: str
    version: int = 0
    is_cooperative: bool = False

    def sends(self, sent: SentSubscription) -> bool:
        """Return whether the subscription may be from a member with this assignor."""
        return sent.version == self.version and (sent.user_data or b"").startswith(
            _SENT_WITH_PACKAGE
        )


def joins_first(sent: SentSubscription) -> bool:
    """Return whether the user data have no owned partitions, and the generation is negative: a new
    member of franz-go.
    """
    return sent.user_data == NONE_OWNED and (sent.generation or 0) < 0


class Layout(Enum):
    """The layout of owned partitions in the user data of a `sticky` member."""

    GENERATION_LAST = "owned partitions, generation"
    NO_GENERATION = "owned partitions"
    VERSION_FIRST = "version, owned partitions, generation"


@dataclass(frozen=True)
class Settings:
    """The setting by which members of a client list their assignors.

    Parameters
    ----------
    strategy : str
        The line with the setting; `{}` is the place of the names, `between` separates the names,
        and `language` is the line's language, for display.
    names : mapping of str to str, optional
        The assignors' names in the setting; None if members use the assignors' Java classes.
    default : tuple of str
        The list of a member without this setting.
    lists_both_kinds : bool
        A list may have eager and cooperative assignors.
    release : str
        Client and release for which these facts are known.
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
    """The consumer protocol (KIP-848) in a client: releases and settings.

    Parameters
    ----------
    releases : str
        Releases with this protocol, as a text.
    since, preview : str
        The first release for production, and the first release with a preview; empty if there is
        none yet.
    added : mapping of str to str
        Settings that turn the protocol on. `remote`: the name of the setting for the broker's
        assignor, empty if there is no such setting.
    removed : tuple of str
        Settings that are an error at the start of a member with this protocol.
    remark : str
        Further changes, as sentences.
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
"""Names of the settings in Java's client and librdkafka."""


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
        The key, which is also the client's name in the group document's `leader`.
    assignors : mapping of str to class
        The client's assignors for classic groups, by the name in `ASSIGNORS`. Assignors that the
        client does not have are left out.
    no_function : mapping of str to str
        Assignors that no class can reproduce, and why equal inputs have different answers.
    assumes : tuple of Assumption
        Assumptions that the assignors report if several answers are possible.
    differs : tuple of str
        Assignors that differ from Java's even if all members subscribe to the same topics.
    label, releases, libraries : str
        The client's name in sentences (`name` if empty), the releases with these answers, and
        libraries that use the client.
    default_client_id : pattern, optional
        Matches default client ids of the client. Only a hint, because users set client ids.
    sends_empty_rack : bool
        Without `client.rack`, members send an empty rack. No other client does this.
    own_protocols : tuple of str
        Protocols that only this client offers.
    sends, writes : function
        Whether a subscription may be from a member of this client, and whether an assignment may be
        from its leader, in a group of this protocol. From real joins to Kafka 4.3.1 with the newest
        release of each client.
    is_sure : function
        If bytes fit only this client: whether they also rule out old releases of all other clients.
    yields_sorted_to : tuple of str
        Clients that are more likely leaders than this client if all assignments are sorted.
    sticky_layouts : tuple of Layout
        User data layouts that the client's leader reads; empty if unknown.
    settings : Settings, optional
        The setting by which members list assignors; None if unknown.
    packaged : tuple of PackagedAssignor
        Assignors for the client's members from Evenkeel's package.
    consumer_protocol : ConsumerProtocol, optional
        Releases and settings for the consumer protocol (KIP-848); None if the client lacks it.
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
        """Return the assignor of Evenkeel's package with this protocol name; None if none."""
        return next((package for package in self.packaged if package.protocol == protocol), None)

    def has_default_id(self, client_id: str) -> bool:
        """Return whether a client id is a default client id of this client."""
        return (
            self.default_client_id is not None
            and self.default_client_id.fullmatch(client_id) is not None
        )


def by_name(*assignors: type[Assignor]) -> dict[str, type[Assignor]]:
    """Return assignors by their name in `ASSIGNORS`."""
    return {assignor.name: assignor for assignor in assignors}
