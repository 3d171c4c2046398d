"""Assignor: the interface and the properties of a strategy, and which strategies a group can use.

`Gap` replaces an assignor that a client does not have, or whose assignment is random.
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

    KEPT_FIRST: retained partitions come first, sorted by number and then by topic. Added partitions
    follow, ascending.
    """

    ASCENDING = "ascending"
    HASHED = "in the order of a HashSet of their names"
    KEPT_FIRST = "kept first"


class Assignor(Protocol):
    """An assignor: the assignment depends only on the snapshot and on the settings.

    Settings are fields, which the constructor checks. A call leaves nothing behind. An assignor
    inherits from this class, and overrides properties that differ from the defaults. Code outside
    the assignor reads these properties and never tests for the assignor's name.

    Attributes
    ----------
    name : str
        Key in `ASSIGNORS`, and the name on the command line.
    protocol : str
        Kafka's name of the assignor, which groups report. By default the same as `name`.
    client : str
        The client family that has this assignor, a key of `CLIENTS`. `java` for an assignor that
        runs on the broker.
    group_type : str
        Type of the groups that use the assignor: `classic`, `consumer` or `share`.
    is_cooperative : bool or None
        Whether members of a classic group keep retained partitions during a rebalance. None if
        unknown.
    is_in_kafka : bool
        Whether the assignor is part of Kafka, so that members need no additional jar.
    serves_own_type_only : bool
        Whether the assignor is offered only to groups of its own type, because other brokers or
        members seldom have it.
    checks_topics : bool
        Whether members of a classic group check the topics of their assignment. A member refuses
        the assignment and rejoins if it does not subscribe to an assigned topic.
    java_class : str or None
        Class name for the settings of Java members. None if Java members cannot use the assignor.
    label : str
        KIP or ticket to show next to the name, if the name alone is not clear.
    release_difference : str
        Why the assignments of older known releases differ from the assignments of the newest
        release.
    quirks : tuple of str
        Behaviours in `docs/assignors.md` that are possible with this assignor, by number. The
        behaviour `remainder` has no number. Behaviours that do not depend on the input are left
        out.
    quirk_owner : str
        Who causes these behaviours, as a noun for sentences.
    uses_lag, uses_racks, uses_topic_ids, uses_generations : bool
        Whether this input can change the assignment. If `uses_generations` is True, the leader also
        remembers the highest generation.
    topic_order : TopicOrder or None
        Order of the topics in a member's assignment if all members have equal subscriptions. None
        if unknown.
    uses_member_order : bool
        Whether the coordinator's member order can change the assignment in more cases than Q-25
        describes.
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
        """Return the owners. The snapshot does not change.

        Raises
        ------
        AssignorError
            If Kafka's class would throw. `java_class` of the error: simple name of Kafka's
            exception.
        """
        ...

    def assign_each(self, group: GroupSnapshot, lag: np.ndarray) -> np.ndarray | None:
        """Return the owners for each row of `lag`, int32 (S, P).

        None if the assignment also depends on other inputs, such as the previous assignment. `lag`:
        lags as in `assignor_lag`, int64 (S, P).
        """
        return None


class TaskAssignor(Protocol):
    """A task assignor: the assignment depends only on the application and on the settings.

    Settings are fields, which the constructor checks. A call leaves nothing behind.

    Attributes
    ----------
    name : str
        Key in `TASK_ASSIGNORS`, and the name on the command line.
    group_type : str
        `classic` if the assignor runs on the leader, `streams` if it runs on the broker.
    java_class : str
        Java class that the assignor reproduces.
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
        """Return the tasks of each process. The snapshot does not change.

        Raises
        ------
        AssignorError
            If Kafka's class would throw.
        """
        ...


def serving(group_type: str | None, assignors: Mapping[str, Any]) -> list[str]:
    """Return the names of `assignors` that a group can use. `group_type`: None if unknown.

    Share groups have assignors of their own. All other groups can use assignors of clients and of
    brokers, whatever protocol their members use now.
    """
    return [
        name
        for name, assignor in assignors.items()
        if assignor.group_type == group_type
        or not assignor.serves_own_type_only
        and (assignor.group_type == SHARE) == (group_type == SHARE)
    ]


def of_type(group_type: str | None, assignors: Mapping[str, Any]) -> list[str]:
    """Return the names of `assignors` that a group can use without a change of its type.

    There are none for a share group. An unknown type counts as classic.
    """
    own = group_type or CLASSIC
    return (
        [name for name, assignor in assignors.items() if assignor.group_type == own]
        if own != SHARE
        else []
    )


@dataclass(frozen=True)
class Gap(Assignor):
    """Placeholder for an assignor of classic groups: `assign` always raises AssignorError.

    Calling a Gap returns the Gap itself, so it can replace the class of an assignor.
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
    """Return the placeholder for an assignor that a client does not have.

    `others`: the assignors that the client has.
    """
    offers = f"; it offers {', '.join(others)}" if others else ""
    return Gap(
        name,
        protocol,
        AssignorError(NOT_OFFERED, f"{client} has no {name} assignor{offers}"),
        client,
    )


def no_function(client: str, name: str, protocol: str, why: str) -> Gap:
    """Return the placeholder for an assignor that may assign equal inputs differently.

    `why`: the unknown input on which the assignment depends.
    """
    return Gap(name, protocol, NoFunctionError(name, client, why), client)
