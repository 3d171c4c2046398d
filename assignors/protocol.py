"""Assignor: the interface and description of a strategy, and the strategies that can serve a group.

`Gap` replaces an assignor that a client does not have, or whose answer no input decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, Literal, Protocol

import numpy as np

from evenkeel.assignors.assignment import Assignment, AssignorError, NoFunctionError, TaskAssignment
from evenkeel.assignors.group import NO_GENERATION, GroupSnapshot
from evenkeel.assignors.group.application import ApplicationSnapshot

GroupType = Literal["classic", "consumer", "share", "streams"]
"""Types of groups, as Kafka calls them."""

CLASSIC: Final = "classic"
CONSUMER: Final = "consumer"
SHARE: Final = "share"
STREAMS: Final = "streams"
GROUP_TYPES: tuple[GroupType, ...] = (CLASSIC, CONSUMER, SHARE, STREAMS)

CURRENT: Final = "current"
"""The name of the assignment that a group has: no assignor has this name."""

NOT_OFFERED = "NotOffered"
"""The type of the error where a client has no such assignor."""


class TopicOrder(Enum):
    """In which order a leader lists the topics that it gives to a member.

    KEPT_FIRST: retained partitions by number and then by topic, then added partitions, ascending.
    """

    ASCENDING = "ascending"
    HASHED = "in the order of a HashSet of their names"
    KEPT_FIRST = "kept first"


class Assignor(Protocol):
    """A pure function of a snapshot; settings are fields, checked when it is made. No state between
    calls.

    Every assignor inherits from this class and states only the facts that differ from the defaults.
    Other rooms look facts up; they name no assignor.

    Attributes
    ----------
    name : str
        Key in `ASSIGNORS`, and the command line's word.
    protocol : str
        Kafka's own word for it, as groups report it; if it is not stated, the name.
    client : str
        Whose code it is, a key of `CLIENTS`; a broker's assignor is Java's too.
    group_type : str
        The groups it serves: `classic`, `consumer` or `share`.
    is_cooperative : bool or None
        Members keep what stays theirs while a classic group rebalances; None if that is unknown.
    is_in_kafka : bool
        Kafka ships it: no member needs a jar.
    serves_own_type_only : bool
        Groups of another type do not see it: their brokers or members seldom have it.
    checks_topics : bool
        Members of a classic group refuse an assignment that names a topic to which they do not
        subscribe, and rejoin.
    java_class : str or None
        What Java members name in their settings; None if they cannot.
    label : str
        The KIP or ticket to show beside the name, if the name alone does not say enough.
    release_difference : str
        Why older known releases answer differently from the newest one.
    quirks : tuple of str
        Numbered behaviours of `docs/assignors.md` that can strike, and `remainder`; behaviours that
        no input shows are left out.
    quirk_owner : str
        Whose behaviours these are, in a sentence.
    uses_lag, uses_racks, uses_topic_ids, uses_generations : bool
        These inputs can change the answer. Generations also mean that the leader remembers the
        highest one.
    topic_order : TopicOrder or None
        How the leader lists the topics of a member, where all members subscribe to the same ones;
        None if that is unknown.
    uses_member_order : bool
        The order in which the coordinator lists members can change the answer, beyond what Q-25
        says.
    max_generation : int
        Highest generation that the leader remembers.
    """

    name: ClassVar[str]
    protocol: ClassVar[str]
    client: ClassVar[str] = "java"
    group_type: ClassVar[str]
    is_cooperative: ClassVar[bool | None] = None
    is_in_kafka: ClassVar[bool] = False
    serves_own_type_only: ClassVar[bool] = False
    checks_topics: ClassVar[bool] = True
    java_class: ClassVar[str | None] = None
    label: ClassVar[str] = ""
    release_difference: ClassVar[str] = ""
    quirks: ClassVar[tuple[str, ...]] = ()
    quirk_owner: ClassVar[str] = "the assignor"
    uses_lag: ClassVar[bool] = False
    uses_racks: ClassVar[bool] = False
    uses_topic_ids: ClassVar[bool] = False
    uses_generations: ClassVar[bool] = False
    topic_order: ClassVar[TopicOrder | None] = None
    uses_member_order: ClassVar[bool] = False
    max_generation: int = NO_GENERATION

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in cls.__dict__ and "protocol" not in cls.__dict__:
            cls.protocol = cls.name

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what; the snapshot is not changed.

        Raises
        ------
        AssignorError
            Where Kafka's own class would throw; its `java_class` is the simple name of the
            exception.
        """
        ...

    def assign_each(self, group: GroupSnapshot, lag: np.ndarray) -> np.ndarray | None:
        """Return the owners for each row of lags, int32 (S, P), None if an answer needs more
        than lags, such as the answer before.

        `lag` int64 (S, P): as `assignor_lag` reads them.
        """
        return None


class TaskAssignor(Protocol):
    """A pure function of a Streams application; settings are fields, checked when it is made. No
    state between calls.

    Attributes
    ----------
    name : str
        Key in `TASK_ASSIGNORS`, and the command line's word.
    group_type : str
        `classic` if the leader runs it, `streams` if the broker does.
    java_class : str
        The class that it reproduces.
    quirks : tuple of str
        Numbered behaviours of `docs/assignors.md` that can strike.
    acceptable_recovery_lag, probing_rebalance_interval_ms : int
    """

    name: ClassVar[str]
    group_type: ClassVar[str]
    java_class: ClassVar[str]
    quirks: ClassVar[tuple[str, ...]]
    acceptable_recovery_lag: int
    probing_rebalance_interval_ms: int

    def assign(self, application: ApplicationSnapshot) -> TaskAssignment:
        """Return who runs what; the snapshot is not changed.

        Raises
        ------
        AssignorError
            Where Kafka's own class would throw.
        """
        ...


def serving(group_type: str | None, assignors: Mapping[str, Any]) -> list[str]:
    """Return the names of `assignors` that can serve a group of this type; None if the type is
    unknown.

    Share groups have assignors of their own. Every other group gets the client's and the broker's
    assignors, whatever it uses now.
    """
    return [
        name
        for name, assignor in assignors.items()
        if assignor.group_type == group_type
        or not assignor.serves_own_type_only
        and (assignor.group_type == SHARE) == (group_type == SHARE)
    ]


def of_type(group_type: str | None, assignors: Mapping[str, Any]) -> list[str]:
    """Return the names of `assignors` that a group can use as it is, none for a share group; an
    unknown type counts as classic.
    """
    own = group_type or CLASSIC
    return (
        [name for name, assignor in assignors.items() if assignor.group_type == own]
        if own != SHARE
        else []
    )


@dataclass(frozen=True)
class Gap(Assignor):
    """Serves classic groups and answers none. Calling it returns itself, so it can replace an
    assignor's class.
    """

    group_type: ClassVar[str] = CLASSIC
    is_in_kafka: ClassVar[bool] = True

    name: str
    protocol: str
    error: AssignorError
    client: str

    def __call__(self) -> "Gap":
        return self

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Raise AssignorError."""
        raise self.error


def not_offered(client: str, name: str, protocol: str, others: list[str]) -> Gap:
    """Return the gap of a client without an assignor of this name; `others`: its assignors."""
    offers = f"; it offers {', '.join(others)}" if others else ""
    return Gap(
        name,
        protocol,
        AssignorError(NOT_OFFERED, f"{client} has no {name} assignor{offers}"),
        client,
    )


def no_function(client: str, name: str, protocol: str, why: str) -> Gap:
    """Return the gap of an assignor whose answers differ for equal inputs; `why`: the deciding
    input.
    """
    return Gap(name, protocol, NoFunctionError(name, client, why), client)
