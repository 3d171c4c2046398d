"""Replay: run Evenkeel's assignor on the data that the members sent, and compare the result with
the group's assignment.
"""

from dataclasses import dataclass

import msgspec
import numpy as np

from evenkeel.assignors import CLIENTS, JAVA
from evenkeel.assignors.arrays import all_known
from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.compare.moves import Moves, moves_between
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import page_lag
from evenkeel.assignors.protocol import CLASSIC, CONSUMER, Assignor
from evenkeel.assignors.weighted import GAIN, WeightedAssignor, held
from evenkeel.data.group.columns.group_document import observed_from_document
from evenkeel.data.group.document import STABLE, Document, Held, Member, in_order, with_partitions
from evenkeel.data.weights import WeightsFile, answer, is_planned, weights_of, worst

_BROKER_ORDER = (
    "the coordinator was restarted, and lists the members in another order than the leader saw"
)
_OTHER_CLIENT = (
    "the leader is not Kafka's own client, and its assignor of this name assigns differently"
)
_MEMORY = "the leader remembers a higher generation than any member sent"
_GUESSED = "the leader may not be {}, because its bytes fit several clients"
_OTHER_RELEASE = "the leader is another release of {}, which assigns differently"
_EQUAL = (
    "the leader is {}, and its assignor of this name assigns differently if all members subscribe"
    " to the same topics"
)
_STATIC_LEFT_OUT = (
    "the leader is {}, which assigns nothing to some members if static and dynamic members are"
    " mixed"
)
_LEAVES_OUT = "Q-31"


@dataclass(frozen=True, eq=False)
class Replay:
    """The result of a replay. `replayed`: Evenkeel's assignment. `moves`: from `replayed` to the
    group's assignment. `reasons`: possible reasons of the difference, likeliest first. If both
    assignments are equal, `moves` and `reasons` are empty.

    `client`: client of the group's leader, whose assignor was replayed; Java if unknown.
    `is_by_lag`: the assignor uses lag. The replay then uses the present lags, because the leader's
    lags are unknown. `counts_agree`: in each topic, both assignments give the same numbers of
    partitions, possibly to other members.
    """

    replayed: Assignment
    moves: Moves
    reasons: tuple[str, ...]
    client: str = JAVA
    is_by_lag: bool = False
    counts_agree: bool = True

    @property
    def agrees(self) -> bool:
        """Whether the replay gives the group's assignment."""
        return not self.moves.topic.size


def replay(document: Document) -> Replay | None:
    """Run the assignor of a classic group's leader on the data that the members sent when they last
    joined.

    None if the broker assigns the partitions, if the group has no members or is in a rebalance, if
    a member's data is unknown, or if Evenkeel has no deterministic assignor of this name.
    """
    members, client = document.members or [], document.leader.client if document.leader else JAVA
    assignor = _assignor(client, document.assignor)
    if document.type != CLASSIC or document.state != STABLE or assignor is None or not members:
        return None
    joined, observed = all_known(map(_as_joined, members)), observed_from_document(document)
    if joined is None or observed.current is None:
        return None
    try:
        sent = observed_from_document(msgspec.structs.replace(document, members=joined))
        replayed = assignor().assign(sent.snapshot)
        group = observed.snapshot
        moves = moves_between(replayed, observed.current, group, page_lag(group))
        if assignor.uses_lag:
            return Replay(
                replayed,
                moves,
                (),
                client,
                is_by_lag=True,
                counts_agree=_shares(replayed, group) == _shares(observed.current, group),
            )
        return Replay(
            replayed,
            moves,
            _reasons(document, joined, assignor) if moves.topic.size else (),
            client,
        )
    except AssignorError:
        return None


def _assignor(client: str, protocol: str | None) -> type[Assignor] | None:
    packaged = CLIENTS[client].package_of(protocol)
    if packaged:
        return packaged.answers
    own = CLIENTS[client].assignors.values()
    return next((assignor for assignor in own if assignor.protocol == protocol), None)


def _shares(assignment: Assignment, group: GroupSnapshot) -> list[list[int]]:
    """Return the number of partitions of each owner of a topic, ascending, for each topic."""
    owners = [assignment.owner[group.tps_of(topic)] for topic in range(len(group.topic_name))]
    return [sorted(np.unique(some[some >= 0], return_counts=True)[1].tolist()) for some in owners]


def _reasons(document: Document, joined: list[Member], assignor: type[Assignor]) -> tuple[str, ...]:
    """Return possible reasons why the group's assignment differs from the replay, likeliest
    first.
    """
    if assignor.client != JAVA:
        is_certain = document.leader is not None and document.leader.certain
        guessed = () if is_certain else (_GUESSED.format(assignor.client),)
        return (*guessed, _OTHER_RELEASE.format(assignor.client), _BROKER_ORDER)
    known = (_MEMORY,) if assignor.uses_generations else ()
    if document.leader and document.leader.certain:
        return (*known, _OTHER_RELEASE.format("Java's client"), _BROKER_ORDER)
    is_equal = len({frozenset(member.subscribed) for member in joined}) == 1
    if is_equal and (
        others := [name for name, client in CLIENTS.items() if assignor.name in client.differs]
    ):
        return (_EQUAL.format(" or ".join(others)), *known, _BROKER_ORDER)
    has_static, idle = (
        any(member.instance_id for member in joined),
        any(not member.owned for member in document.members or ()),
    )
    leaving = [
        name
        for name, client in CLIENTS.items()
        if _LEAVES_OUT in getattr(client.assignors.get(assignor.name), "quirks", ())
    ]
    left_out = (_STATIC_LEFT_OUT.format(" or ".join(leaving)),) * (
        not known and has_static and idle and bool(leaving)
    )
    return (
        (*left_out, *known, _BROKER_ORDER, _OTHER_CLIENT) if known else (*left_out, _OTHER_CLIENT)
    )


def _as_joined(member: Member) -> Member | None:
    sent = member.joined_with
    if sent is None:
        return None
    return msgspec.structs.replace(
        member, owned=sent.owned, generation=sent.generation, joined_with=None
    )


# Groups on `evenkeel-weighted`: does the rule give their target for the present weights?


@dataclass(frozen=True, eq=False)
class NextEpoch:
    """The next epoch of a group, if members and weights do not change. `moves`: partitions whose
    owner changes in the target. `worst_now`, `worst_then`: weight of the member with the largest
    weight, before and after.

    `has_weights`: whether the file has weights or a plan for this group. If not, all partitions
    have the same weight.
    """

    moves: Moves
    worst_now: float
    worst_then: float
    has_weights: bool

    @property
    def agrees(self) -> bool:
        """Whether the next epoch keeps the present target."""
        return not self.moves.topic.size


def next_epoch(
    document: Document, file: WeightsFile | None, gain: float = GAIN
) -> NextEpoch | None:
    """Return the next epoch of a group on `evenkeel-weighted`. None for a group with another
    assignor, or if the target of a member is unknown.

    `file`: the file that the brokers use now, None if it is missing or too old.
    """
    members = document.members or []
    if (document.type, document.assignor) != (CONSUMER, WeightedAssignor.name) or any(
        member.owned is None for member in members
    ):
        return None
    group = observed_from_document(document).snapshot
    weight, target, then = (
        weights_of(group, file),
        Assignment(held(group)),
        answer(document, file, gain),
    )
    known = np.nan_to_num(weight, nan=np.nanmean(weight) if np.isfinite(weight).any() else 1.0)
    moves = moves_between(target, then, group, page_lag(group))
    has_weights = bool(np.isfinite(weight).any()) or is_planned(group, file)
    return NextEpoch(
        moves, worst(group, target.owner, known), worst(group, then.owner, known), has_weights
    )


# Partitions that members of a KIP-848 group must still revoke or get.


@dataclass(frozen=True)
class Underway:
    """A member whose assignment is not its target. Partition numbers are by topic, ascending.

    `has`: partitions of its assignment. `gives_up`: partitions of its assignment that are not in
    its target. `gets`: partitions that are only in its target.
    """

    member_id: str
    has: Held
    gives_up: Held
    gets: Held


@dataclass(frozen=True)
class OnTheWay:
    """`members`: members whose assignment is not their target, according to the coordinator.

    `target_is_old`: the group changed after its target was computed, so the coordinator will
    compute a new target (state Assigning).
    """

    members: tuple[Underway, ...]
    target_is_old: bool


def on_the_way(document: Document) -> OnTheWay:
    """Return the members whose assignment is not their target. A member is left out if its target
    or a partition number is unknown.
    """
    members = tuple(
        Underway(
            member.member_id,
            in_order(member.current),
            _without(member.current, member.owned),
            _without(member.owned, member.current),
        )
        for member in document.members or ()
        if member.current is not None
        and member.owned is not None
        and None not in (*member.current.values(), *member.owned.values())
    )
    group, target = document.group_epoch, document.assignment_epoch
    return OnTheWay(members, group is not None and target is not None and group > target)


def _without(held: Held, other: Held) -> Held:
    return with_partitions(
        {
            topic: sorted(set(held[topic] or ()) - set(other.get(topic) or ()))
            for topic in sorted(held)
        }
    )
