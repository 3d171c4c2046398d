"""Client: facts of one family of clients, and the base of its assignors.

Each family has a module or folder here, which exports a record `CLIENT`; `assignors.CLIENTS` has
the records by name. Only the record has facts about a client: documents, commands, pages and the
reader of live groups use it.
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
"""Kafka's words of the protocols that several clients have."""


@dataclass(frozen=True)
class ClientAssignor(Assignor):
    """The base of all non-Java clients' assignors. `client`: its key, the name in the group
    document's `leader`.
    """

    client: ClassVar[str]
    protocol: ClassVar[str] = ""
    group_type: ClassVar[str] = CLASSIC
    is_cooperative: ClassVar[bool] = False
    is_in_kafka: ClassVar[bool] = True
    checks_topics: ClassVar[bool] = False


class SentSubscription(Protocol):
    """A member's decoded data of a join.

    `user_data`: from its assignor, None without data. `owned`: None before version 1, and if the
    bytes end after the user data. `generation`: None before version 2. `rack`: None if missing or
    not sendable.
    """

    version: int
    user_data: bytes | None
    owned: dict[str, list[int]] | None
    generation: int | None
    rack: str | None


class WrittenAssignment(Protocol):
    """A leader's decoded assignment for a member.

    `is_sorted`: topics and partition numbers ascend. `is_echo`: its user data repeat the member's
    own subscription.
    """

    version: int
    user_data: bytes | None
    is_sorted: bool
    is_echo: bool


NONE_OWNED = b"\0\0\0\0"
"""User data: an array of nothing."""

NUMBER = len(NONE_OWNED)
"""Bytes of a generation, or of the length of an array."""


PACKAGE = "evenkeel-assignors"
"""The package with which members of some clients run Evenkeel's own assignors."""

_SENT_WITH_PACKAGE = b'{"evenkeel":1,'


@dataclass(frozen=True)
class PackagedAssignor:
    """An assignor that `PACKAGE` adds to a client. `protocol`: Kafka's name for it; `answers`: the
    assignor with the same answer.

    `module`: its import path. `word`: its name in a member's list. `version`: of its members' and
    leader's data.
    """

    protocol: str
    answers: type[Assignor]
    module: str
    word: str
    version: int = 0
    is_cooperative: bool = False

    def sends(self, sent: SentSubscription) -> bool:
        """Return whether a member with this assignor may have sent this."""
        return sent.version == self.version and (sent.user_data or b"").startswith(
            _SENT_WITH_PACKAGE
        )


def joins_first(sent: SentSubscription) -> bool:
    """Return whether a member reports in user data that it owns nothing and has no generation yet:
    a franz-go newcomer.
    """
    return sent.user_data == NONE_OWNED and (sent.generation or 0) < 0


class Layout(Enum):
    """How user data of a `sticky` member encode its owned partitions."""

    GENERATION_LAST = "what it owns, the generation"
    NO_GENERATION = "what it owns"
    VERSION_FIRST = "a version, what it owns, the generation"


@dataclass(frozen=True)
class Settings:
    """How members of a client name their assignors, and switch to another.

    Parameters
    ----------
    strategy : str
        The setting, with `{}` in place of the names; `between` separates names. `language`: of the
        line, for display.
    names : mapping of str to str, optional
        Names in members' settings, by assignor; None if they use the assignor's Java class.
    default : tuple of str
        Assignors that members list without the setting.
    lists_both_kinds : bool
        One list may have eager and cooperative assignors.
    release : str
        Client and release of these facts.
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
    """How members of a client join with the consumer protocol (KIP-848).

    Parameters
    ----------
    releases : str
        Releases with this protocol, in a sentence.
    since, preview : str
        The first release for production, and the first with a preview; empty if none yet.
    added : mapping of str to str
        Settings that turn it on. `remote`: the setting that names the broker's assignor, empty if
        none.
    removed : tuple of str
        Settings that such a member must not have: each is an error at its start.
    remark : str
        Further changes, in a sentence.
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
"""What Java's client and librdkafka call them."""


def _never(_one: object, _protocol: str) -> bool:
    return False


def _always(_sent: Sequence[SentSubscription], _written: Sequence[WrittenAssignment]) -> bool:
    return True


@dataclass(frozen=True)
class Client:
    """One family of clients.

    Parameters
    ----------
    name : str
        Its key, as the group document's `leader` names it.
    assignors : mapping of str to class
        Its assignors if it leads a classic group, by the name in `ASSIGNORS`, without names that it
        lacks.
    no_function : mapping of str to str
        Names of assignors that no class can reproduce, and why equal inputs give different answers.
    assumes : tuple of Assumption
        Conditions that its assignors name if their answer is one of several.
    differs : tuple of str
        Its assignors that differ from Java's even if all members subscribe to the same topics.
    label, releases, libraries : str
        Its name in a sentence (`name` if empty), the releases with these answers, and libraries
        built on it.
    default_client_id : pattern, optional
        Matches its default client ids. A hint, because users set their own.
    sends_empty_rack : bool
        Without `client.rack` its members send an empty rack, as no other client does.
    own_protocols : tuple of str
        Protocols that only this client offers.
    sends, writes : function
        Whether its member may have sent this, and its leader may have written that, in a group of
        this protocol. Seen in real joins to Kafka 4.3.1, with each client's newest release.
    is_sure : function
        Whether bytes that fit this client alone rule out old releases of all other clients.
    yields_sorted_to : tuple of str
        Clients that are likelier writers if all assignments are sorted.
    sticky_layouts : tuple of Layout
        User data layouts that its leader reads; empty if unknown.
    settings : Settings, optional
        How its members name assignors; None if unknown.
    packaged : tuple of PackagedAssignor
        Its members' assignors from Evenkeel's package.
    consumer_protocol : ConsumerProtocol, optional
        How its members join a group of the consumer protocol (KIP-848), None if no release does.
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
        """Return the assignor that Evenkeel's package adds, by Kafka's name for a protocol."""
        return next((package for package in self.packaged if package.protocol == protocol), None)

    def has_default_id(self, client_id: str) -> bool:
        """Return whether a client id is a default of this client."""
        return (
            self.default_client_id is not None
            and self.default_client_id.fullmatch(client_id) is not None
        )


def by_name(*assignors: type[Assignor]) -> dict[str, type[Assignor]]:
    """Return assignors by the name in `ASSIGNORS`."""
    return {assignor.name: assignor for assignor in assignors}
