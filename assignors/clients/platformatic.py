"""@platformatic/kafka: round-robin over the topics of the leader. Since 2.x it also has its own
cooperative sticky assignor.

Reproduces `roundRobinAssigner` of @platformatic/kafka 1.35.0 and 2.12.1, and
`cooperativeStickyAssigner` of 2.12.1. The sticky assignor retains partitions, assigns the others,
and then moves partitions from members above the mean to members below the mean.
"""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import ClassVar, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.clients.client import (
    COOPERATIVE_STICKY,
    EAGER,
    NUMBER,
    STICKY,
    Client,
    ClientAssignor,
    ConsumerProtocol,
    SentSubscription,
    WrittenAssignment,
    by_name,
)
from evenkeel.assignors.clients.strategies import (
    LEADERS_SUBSCRIPTION,
    leaders_topics_to_all,
    withholding,
)
from evenkeel.assignors.group import NO_GENERATION, NO_TP, GroupSnapshot
from evenkeel.assignors.group.dealing.fewest import fill
from evenkeel.assignors.trace import KeepStep, MoveStep, Reason, ReleaseStep, asked, recording

_PRIMARY = {
    character: place for place, character in enumerate("_-.0123456789abcdefghijklmnopqrstuvwxyz")
}


@dataclass(frozen=True)
class PlatformaticRoundRobinAssignor(ClientAssignor):
    """The `roundrobin` strategy. A member can get partitions of topics to which it does not
    subscribe.
    """

    client: ClassVar[str] = "platformatic"
    name: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-32", "Q-10")
    quirk_owner: ClassVar[str] = "platformatic's roundrobin"
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        return leaders_topics_to_all(group, np.arange(group.member_count, dtype=np.int32))


@dataclass(frozen=True)
class PlatformaticCooperativeStickyAssignor(ClientAssignor):
    """The `cooperative-sticky` strategy. It assigns only topics to which the leader subscribes."""

    client: ClassVar[str] = "platformatic"
    name: ClassVar[str] = "cooperative-sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "platformatic's cooperative-sticky"
    is_cooperative: ClassVar[bool] = True
    uses_generations: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners after this round, and the withheld partitions.

        If members subscribe to different topics, the first member is assumed to be the leader. The
        assignment reports this assumption if another leader would give a different assignment.
        """
        leaders = {int(row): None for row in group.subscription}
        if not leaders:
            return Assignment(group.unowned())
        leader, *others = leaders
        first = _led_by(group, group.topic_lists[leader])
        with recording(None):
            answers = [_led_by(group, group.topic_lists[row]) for row in others]
        is_same = all(
            np.array_equal(first.owner, each.owner)
            and np.array_equal(first.withheld, each.withheld)
            for each in answers
        )
        return Assignment(
            first.owner, withheld=first.withheld, assumed=() if is_same else (LEADERS_SUBSCRIPTION,)
        )


def _led_by(group: GroupSnapshot, topics: np.ndarray) -> Assignment:
    """Return the assignment that a leader computes if it subscribes to `topics`."""
    is_wanted = np.zeros(group.topic_count, dtype=bool)
    is_wanted[topics] = True
    is_assignable = (is_wanted & group.in_play)[group.tp_topic]
    before = _ownership(group, is_assignable)
    owner = before.owner.copy()
    count = np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
    if (trace := asked()) is not None:
        for tp in trace.of(np.flatnonzero(owner != UNASSIGNED)):
            trace.add(tp, KeepStep(int(owner[tp]), int(count[owner[tp]])))
        for tp in trace.of(np.flatnonzero(before.is_contested)):
            trace.add(tp, ReleaseStep(UNASSIGNED, UNASSIGNED, Reason.CLAIMED_TWICE))
    fill(
        group,
        np.flatnonzero(is_assignable & (owner == UNASSIGNED)),
        owner,
        count,
        group.subscribers_by_id,
    )
    _bring_to_the_mean(group, owner, count)
    moving = np.flatnonzero((owner != before.owner) & _lost_by_claimants(group, before, owner))
    return withholding(Assignment(owner), moving)


class _Ownership(NamedTuple):
    """The owners that the leader accepts. `owner`: int32 (P,).

    `is_contested`, bool (P,): several members claim the partition in the same generation, so it has
    no owner.
    """

    owner: np.ndarray
    is_contested: np.ndarray


def _ownership(group: GroupSnapshot, is_assignable: np.ndarray) -> _Ownership:
    """Return the owners that the leader accepts. A claim counts only if the member subscribes to
    the topic. `is_assignable`, bool (P,): whether the leader assigns the partition.
    """
    highest = max(int(group.generation.max(initial=NO_GENERATION)), NO_GENERATION)
    member, tp = _claims(group)
    counts = is_assignable[tp] & group.is_listed[group.subscription[member], group.tp_topic[tp]]
    counts &= (group.generation[member] == highest) | (highest < 0)
    claims = np.bincount(tp[counts], minlength=group.tp_count)
    owner = group.unowned()
    owner[tp[counts]] = member[counts]
    owner[claims > 1] = UNASSIGNED
    return _Ownership(owner, claims > 1)


def _lost_by_claimants(group: GroupSnapshot, before: _Ownership, owner: np.ndarray) -> np.ndarray:
    """Return whether each partition leaves its accepted owner, bool (P,). A contested partition
    leaves if at least one member that claims it does not get it.
    """
    member, tp = _claims(group)
    is_lost = (owner[tp] != member) & ((before.owner[tp] == member) | before.is_contested[tp])
    lost = np.zeros(group.tp_count, dtype=bool)
    lost[tp[is_lost]] = True
    return lost


def _claims(group: GroupSnapshot) -> tuple[np.ndarray, np.ndarray]:
    exists = group.claim_tp != NO_TP
    return group.claim_member[exists], group.claim_tp[exists]


def _bring_to_the_mean(group: GroupSnapshot, owner: np.ndarray, count: np.ndarray) -> None:
    """Move partitions from members above the mean to members below the mean while this is possible.
    Changes `owner`, int32 (P,), and `count`, int64 (M,).
    """
    total = int(count.sum())
    if not total:
        return
    floor, ceiling = total // group.member_count, -(-total // group.member_count)
    order = sorted(range(group.topic_count), key=lambda topic: _locale_key(group.topic_name[topic]))
    held = _held(group, owner)
    by_id, trace = group.members_by_id.tolist(), asked()
    while pair := _next(group, held, count, by_id, order, floor, ceiling):
        giver, taker, topic = pair
        partition = heappop(held[giver][topic])
        heappush(held[taker].setdefault(topic, []), partition)
        tp = int(group.first_tp[topic]) + partition
        if trace is not None and trace.watches(tp):
            trace.add(tp, MoveStep(taker, giver, int(count[giver]), int(count[taker])))
        owner[tp] = taker
        count[giver] -= 1
        count[taker] += 1


def _held(group: GroupSnapshot, owner: np.ndarray) -> list[dict[int, list[int]]]:
    held: list[dict[int, list[int]]] = [{} for _ in group.member_id]
    tps = np.flatnonzero(owner != UNASSIGNED)
    for member, topic, partition in zip(
        owner[tps].tolist(),
        group.tp_topic[tps].tolist(),
        group.tp_partition[tps].tolist(),
        strict=True,
    ):
        held[member].setdefault(topic, []).append(partition)
    for topics in held:
        for numbers in topics.values():
            heapify(numbers)
    return held


def _next(
    group: GroupSnapshot,
    held: list[dict[int, list[int]]],
    count: np.ndarray,
    by_id: list[int],
    order: list[int],
    floor: int,
    ceiling: int,
) -> tuple[int, int, int] | None:
    """Return (giver, taker, topic) of the next move. The first possible combination is chosen:
    takers in id order; givers with the largest count first; topics in locale order.
    """
    takers = [member for member in by_id if count[member] < floor]
    givers = sorted(
        (member for member in by_id if count[member] > ceiling), key=lambda member: -count[member]
    )
    for taker in takers:
        listed = group.is_listed[group.subscription[taker]]
        for giver in givers:
            topic = next(
                (topic for topic in order if listed[topic] and held[giver].get(topic)), None
            )
            if topic is not None:
                return giver, taker, topic
    return None


def _locale_key(topic_name: str) -> tuple[list[int], list[bool]]:
    """Return a sort key for the order of ICU's root collation. Characters that are not allowed in
    topic names come last.
    """
    places = [
        _PRIMARY.get(character.lower(), len(_PRIMARY) + ord(character)) for character in topic_name
    ]
    return places, [character.isupper() for character in topic_name]


def _sends(sent: SentSubscription, protocol: str) -> bool:
    if sent.version == 1 and protocol == "roundrobin":
        # In 1.x, the version field is 1, but the bytes end after the user data.
        return sent.owned is None or sent.user_data is None
    if sent.version == 1 and protocol == COOPERATIVE_STICKY:
        return sent.owned is not None and len(sent.user_data or b"") == NUMBER
    return sent.version == 3 and sent.user_data is None and protocol not in (*EAGER, STICKY)


def _writes(assignment: WrittenAssignment, protocol: str) -> bool:
    if protocol == COOPERATIVE_STICKY:
        return (assignment.version, assignment.user_data) == (3, None)
    # Round-robin of 1.x writes an empty text, 2.x writes null.
    return assignment.version == 0 and (
        assignment.user_data == b"" or (assignment.user_data is None and assignment.is_sorted)
    )


CLIENT = Client(
    name="platformatic",
    assignors=by_name(PlatformaticRoundRobinAssignor, PlatformaticCooperativeStickyAssignor),
    assumes=(LEADERS_SUBSCRIPTION,),
    releases="1 and 2",
    libraries="@platformatic/kafka",
    sends=_sends,
    writes=_writes,
    consumer_protocol=ConsumerProtocol("no release yet; the code is under review, so ask for it"),
)
