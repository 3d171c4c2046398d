"""Assignor: the interface and description of a strategy, and the strategies that can serve a group.

`Gap` replaces an assignor that a client does not have, or whose answer is random.
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
"""Kafka's names of the group types."""

CLASSIC: Final = "classic"
CONSUMER: Final = "consumer"
SHARE: Final = "share"
STREAMS: Final = "streams"
GROUP_TYPES: tuple[GroupType, ...] = (CLASSIC, CONSUMER, SHARE, STREAMS)

CURRENT: Final = "current"
"""The name of the group's current assignment. No assignor has this name."""

NOT_OFFERED = "NotOffered"
"""The type of the error if a client does not have the assignor."""


class TopicOrder(Enum):
    """The order in which a leader lists the topics of a member's assignment.

    KEPT_FIRST: first retained partitions, by number and then by topic; then added partitions,
    ascending.
    """

    ASCENDING = "ascending"
    HASHED = "in the order of a HashSet of their names"
    KEPT_FIRST = "kept first"


class Assignor(Protocol):
    """A pure function of a snapshot. Settings are fields, which the constructor checks. No state
    between calls.

    An assignor inherits from this class and overrides the facts that differ from the defaults.
    Other rooms read these facts and never test for an assignor's name.

    Attributes
    ----------
    name : str
        Key in `ASSIGNORS`, and the name on the command line.
    protocol : str
        Kafka's name of the assignor, which groups report. The default is `name`.
    client : str
        The client family with this assignor, a key of `CLIENTS`; `java` for a broker's assignor.
    group_type : str
        The type of the groups that it serves: `classic`, `consumer` or `share`.
    is_cooperative : bool or None
        Members keep their retained partitions while a classic group rebalances; None if unknown.
    is_in_kafka : bool
        It is part of Kafka: no member needs a jar.
    serves_own_type_only : bool
        Not offered to groups of another type, because their brokers or members seldom have it.
    checks_topics : bool
        Members of a classic group check the topics of their assignment. If a topic is not in their
        subscription, they refuse the assignment and rejoin.
    java_class : str or None
        The class name in the settings of Java members; None if Java members cannot use it.
    label : str
        The KIP or ticket to show next to the name, if the name alone is not clear.
    release_difference : str
        Why older known releases answer differently from the newest release.
    quirks : tuple of str
        Numbered behaviours of `docs/assignors.md` that are possible with this assignor, and
        `remainder`. Behaviours that do not depend on the input are left out.
    quirk_owner : str
        The owner of these behaviours, as a noun in sentences.
    uses_lag, uses_racks, uses_topic_ids, uses_generations : bool
        These inputs can change the answer. With `uses_generations`, the leader also remembers the
        highest generation.
    topic_order : TopicOrder or None
        The order of the topics in a member's assignment, if all members have equal subscriptions;
        None if unknown.
    uses_member_order : bool
        The coordinator's member order can change the answer, in more cases than Q-25 describes.
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
        """Return the owners. Does not change the snapshot.

        Raises
        ------
        AssignorError
            If Kafka's class would throw. `java_class`: the simple name of Kafka's exception.
        """
        ...

    def assign_each(self, group: GroupSnapshot, lag: np.ndarray) -> np.ndarray | None:
        """Return the owners for each row of lags, int32 (S, P). None if an answer also depends on
        other things, such as the previous answer.

        `lag` int64 (S, P): lags as in `assignor_lag`.
        """
        return None


class TaskAssignor(Protocol):
    """A pure function of a Streams application. Settings are fields, which the constructor checks.
    No state between calls.

    Attributes
    ----------
    name : str
        Key in `TASK_ASSIGNORS`, and the name on the command line.
    group_type : str
        `classic` if the leader runs it, `streams` if the broker runs it.
    java_class : str
        The Java class that it reproduces.
    quirks : tuple of str
        Numbered behaviours of `docs/assignors.md` that are possible with this assignor.
    acceptable_recovery_lag, probing_rebalance_interval_ms : int
    """

    name: ClassVar[str]
    group_type: ClassVar[str]
    java_class: ClassVar[str]
    quirks: ClassVar[tuple[str, ...]]
    acceptable_recovery_lag: int
    probing_rebalance_interval_ms: int

    def assign(self, application: ApplicationSnapshot) -> TaskAssignment:
        """Return the tasks of each process. Does not change the snapshot.

        Raises
        ------
        AssignorError
            If Kafka's class would throw.
        """
        ...


def serving(group_type: str | None, assignors: Mapping[str, Any]) -> list[str]:
    """Return the names of `assignors` that can serve a group. `group_type`: None if unknown.

    Share groups have their own assignors. Other groups get the assignors of clients and brokers,
    whatever protocol they use now.
    """
    return [
        name
        for name, assignor in assignors.items()
        if assignor.group_type == group_type
        or not assignor.serves_own_type_only
        and (assignor.group_type == SHARE) == (group_type == SHARE)
    ]


def of_type(group_type: str | None, assignors: Mapping[str, Any]) -> list[str]:
    """Return the names of `assignors` that a group can use without a change of its type; none for a
    share group. An unknown type counts as classic.
    """
    own = group_type or CLASSIC
    return (
        [name for name, assignor in assignors.items() if assignor.group_type == own]
        if own != SHARE
        else []
    )


@dataclass(frozen=True)
class Gap(Assignor):
    """An assignor for classic groups that always raises. A call returns the same object, so it can
    replace an assignor's class.
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
    """Return the gap of a client that lacks an assignor. `others`: the client's assignors."""
    offers = f"; it offers {', '.join(others)}" if others else ""
    return Gap(
        name,
        protocol,
        AssignorError(NOT_OFFERED, f"{client} has no {name} assignor{offers}"),
        client,
    )


def no_function(client: str, name: str, protocol: str, why: str) -> Gap:
    """Return the gap of an assignor that answers equal inputs differently. `why`: the input that
    decides.
    """
    return Gap(name, protocol, NoFunctionError(name, client, why), client)
