"""franz-go: range and roundrobin are like Kafka's without racks. The sticky assignors are
franz-go's own; here they work only if all subscriptions are equal.

Reproduces `RangeBalancer`, `RoundRobinBalancer`, `StickyBalancer` and `CooperativeStickyBalancer`
of franz-go 1.22.2 without the option `BalanceRacks`.
"""

import re
from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumption, NoFunctionError
from evenkeel.assignors.clients.client import (
    EAGER,
    NONE_OWNED,
    NUMBER,
    STICKY,
    Client,
    ClientAssignor,
    ConsumerProtocol,
    Layout,
    SentSubscription,
    WrittenAssignment,
    by_name,
    joins_first,
)
from evenkeel.assignors.clients.strategies import (
    OrderedRangeAssignor,
    OrderedRoundRobinAssignor,
    static_first,
    withholding,
)
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.group.snapshot import topics_as_sent
from evenkeel.assignors.trace import Fewest, KeepStep, MoveStep, asked, recording

GO_MAPS = Assumption("order of Go maps", np.empty(0, dtype=np.int64))
"""The leader iterates over topics, or over stale claims, in the order of a Go map. This order is
different in each run.
"""

_DIFFERING = "if subscriptions differ, it iterates over Go maps, whose order is random"

_SLOTS = 8
"""A Go map with at most this many keys iterates in insertion order, from a random start."""


@dataclass(frozen=True)
class FranzGoRangeAssignor(OrderedRangeAssignor):
    """The `range` strategy."""

    client: ClassVar[str] = "franz-go"
    quirk_owner: ClassVar[str] = "franz-go's range"
    members_in_order = staticmethod(static_first)


@dataclass(frozen=True)
class FranzGoRoundRobinAssignor(OrderedRoundRobinAssignor):
    """The `roundrobin` strategy."""

    client: ClassVar[str] = "franz-go"
    quirk_owner: ClassVar[str] = "franz-go's roundrobin"
    members_in_order = staticmethod(static_first)


@dataclass(frozen=True)
class FranzGoStickyAssignor(ClientAssignor):
    """The `sticky` strategy. Members revoke all partitions before they join, so each reports an
    empty list of owned partitions.
    """

    client: ClassVar[str] = "franz-go"
    name: ClassVar[str] = "sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "franz-go's sticky assignors"
    uses_generations: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners. If the result depends on Go's order of topics, this is one of several
        possible answers.

        Raises
        ------
        NoFunctionError
            If members subscribe to different topics.
        """
        if not group.is_listed[np.ix_(np.unique(group.subscription), group.in_play)].all():
            raise NoFunctionError(self.name, self.client, _DIFFERING)
        if not group.member_count:
            return Assignment(group.unowned())
        members = static_first(group)
        claims = _read_claims(group, members.places)
        answers: list[np.ndarray] = []
        orders = _topic_orders(group, members.rows)
        retained = _Plan(members.rows.tolist(), claims)
        takers = retained.takers(
            int(group.partition_count[group.in_play].sum()) - len(claims.holder)
        )
        for free in orders.of_free(group, claims.holder):
            # Only the first answer is returned, so only this answer is traced.
            with recording(None if answers else asked()):
                plan = retained.given(free, takers)
                plan.even_out(group)
            answers.append(_owners(group, members.rows, plan.held))
        differ = any(not np.array_equal(answers[0], answer) for answer in answers[1:])
        is_open = differ or retained.is_chance or (orders.are_some and len(answers) > 1)
        return Assignment(answers[0], assumed=(GO_MAPS,) if is_open else ())


@dataclass(frozen=True)
class FranzGoCooperativeStickyAssignor(FranzGoStickyAssignor):
    """The `cooperative-sticky` strategy, franz-go's default."""

    name: ClassVar[str] = "cooperative-sticky"
    is_cooperative: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners after this round, and the withheld partitions.

        Raises
        ------
        NoFunctionError
            If members subscribe to different topics.
        """
        answer = super().assign(group)
        return withholding(answer, np.flatnonzero(_is_moving(group, answer.owner)))


def _owners(group: GroupSnapshot, members: np.ndarray, held: list[list[int]]) -> np.ndarray:
    owner = group.unowned()
    for number, tps in enumerate(held):
        owner[tps] = members[number]
    return owner


def _is_moving(group: GroupSnapshot, owner: np.ndarray) -> np.ndarray:
    """Return whether each partition is withheld, bool (P,). A partition is withheld if another
    member claims it, and its new owner does not claim it with the highest generation.
    """
    (rows,) = (group.claim_tp != NO_TP).nonzero()
    tp, member = group.claim_tp[rows], group.claim_member[rows]
    generation = group.generation[member]
    highest = np.full(group.tp_count, np.iinfo(np.int32).min)
    np.maximum.at(highest, tp, generation)
    is_owners = owner[tp] == member
    has_claim, is_lost = np.zeros(group.tp_count, dtype=bool), np.zeros(group.tp_count, dtype=bool)
    has_claim[tp[is_owners & (generation == highest[tp])]] = True
    is_lost[tp[~is_owners]] = True
    return is_lost & ~has_claim & (owner != UNASSIGNED)


class _Claims(NamedTuple):
    """The members that claim each partition, as member numbers. `holder`: the member with the
    newest claim. `stale`: the member with the second newest claim.

    Member numbers start with the static members.
    """

    holder: dict[int, int]
    stale: dict[int, int]


def _read_claims(group: GroupSnapshot, place: np.ndarray) -> _Claims:
    """Return the claims to partitions that exist. If two claims have the same generation, the
    member with the lower number is the holder.

    `place`: the number of each member, int64 (M,).
    """
    number = place[group.claim_member]
    (rows,) = ((group.claim_tp != NO_TP) & group.in_play[group.claim_topic]).nonzero()
    rows = rows[np.argsort(number[rows], kind="stable")]
    # A missing generation counts as 0.
    generation = np.maximum(group.generation, 0)[group.claim_member]
    newest: dict[int, tuple[int, int]] = {}
    older: dict[int, tuple[int, int]] = {}
    for tp, member, claimed in zip(
        group.claim_tp[rows].tolist(), number[rows].tolist(), generation[rows].tolist(), strict=True
    ):
        if tp not in newest:
            newest[tp] = claimed, member
        elif claimed > newest[tp][0]:
            older[tp], newest[tp] = newest[tp], (claimed, member)
        elif tp not in older or claimed > older[tp][0]:
            older[tp] = claimed, member
    return _Claims(
        {tp: member for tp, (_, member) in newest.items()},
        {tp: member for tp, (_, member) in older.items()},
    )


class _TopicOrders(NamedTuple):
    """The possible orders of topics in a Go map. `topics`: known topics (int64) in the order in
    which they were inserted. `are_some`: whether Go may use other orders than the rotations of
    `topics`.
    """

    topics: np.ndarray
    are_some: bool

    def of_free(self, group: GroupSnapshot, held: Collection[int]) -> Iterator[list[int]]:
        """Yield the list of all partitions without a holder, once for each possible order of
        topics. If these partitions have the same topic, yield it once.
        """
        lists = [
            [tp for tp in range(*group.tps_of(topic).indices(group.tp_count)) if tp not in held]
            for topic in self.topics.tolist()
        ]
        lists = [each for each in lists if each]
        for start in range(min(max(len(lists), 1), _SLOTS)):
            yield [tp for each in (*lists[start:], *lists[:start]) for tp in each]


def _topic_orders(group: GroupSnapshot, members: np.ndarray) -> _TopicOrders:
    """Return the possible orders in which a Go map has the topics of `members` (int32). Topics are
    inserted member by member, each member's topics in the order sent.
    """
    put = dict.fromkeys(
        topic for member in members.tolist() for topic in topics_as_sent(group, member).tolist()
    )
    topics = np.array(list(put), dtype=np.int64)
    return _TopicOrders(topics[group.in_play[topics]], topics.size > _SLOTS)


class _Plan:
    """The partitions that each member gets. `held`: a list of partitions for each member number.
    `is_chance`: whether the lists depend on Go's random map order.

    `rows`: the row number of the member with each member number.
    """

    def __init__(self, rows: list[int], claims: _Claims):
        self.held: list[list[int]] = [[] for _ in rows]
        self._rows, self._holder = rows, dict(claims.holder)
        for tp, member in sorted(claims.holder.items()):
            self.held[member].append(tp)
        if (trace := asked()) is not None:
            for tp in trace.of(sorted(claims.holder)):
                holder = claims.holder[tp]
                trace.add(tp, KeepStep(rows[holder], len(self.held[holder])))
        moved = [tp for tp, member in sorted(claims.stale.items()) if self._goes_back(tp, member)]
        self.is_chance = bool(moved) and len(claims.stale) > 1

    def _goes_back(self, tp: int, stale: int) -> bool:
        """Move a partition to the member with the stale claim, unless this member would then have
        more partitions than the holder. Return whether the partition moved.
        """
        holder = self._holder[tp]
        if len(self.held[stale]) + 1 >= len(self.held[holder]):
            return False
        self._tell_move(tp, holder, stale, to_former_owner=True)
        self.held[holder].remove(tp)
        self.held[stale].append(tp)
        self._holder[tp] = stale
        return True

    def _tell_move(self, tp: int, giver: int, taker: int, to_former_owner: bool = False) -> None:
        if (trace := asked()) is not None and trace.watches(tp):
            had, has = len(self.held[giver]), len(self.held[taker])
            trace.add(
                tp,
                MoveStep(
                    self._rows[taker], self._rows[giver], had, has, to_former_owner=to_former_owner
                ),
            )

    def takers(self, number: int) -> list[int]:
        """Return, for each of `number` free partitions, the member that gets it: the top of a
        binary heap in which members are ordered only by partition count.
        """
        return [heap[0] for heap, _ in islice(self._heaps(), number)]

    def _heaps(self) -> Iterator[tuple[list[int], list[int]]]:
        """Yield (heap of members, partition count of each member), as they are before each free
        partition. The iterator does not end.
        """
        heap = list(range(len(self.held)))
        count = [len(each) for each in self.held]
        for place in range(len(heap) // 2 - 1, -1, -1):
            _sift_down(heap, count, place)
        while True:
            yield heap, count
            count[heap[0]] += 1
            _sift_down(heap, count, 0)

    def given(self, tps: list[int], members: list[int]) -> "_Plan":
        """Return a plan in which `members[i]` gets `tps[i]`."""
        if (trace := asked()) is not None and tps:
            watched = set(trace.of(tps))
            for tp, (heap, count) in zip(tps, self._heaps(), strict=False):
                if tp in watched:
                    trace.add(
                        tp,
                        Fewest(
                            self._rows[heap[0]],
                            tuple((self._rows[each], count[each]) for each in heap),
                        ),
                    )
        after = copy(self)
        after.held = [held.copy() for held in self.held]
        for tp, member in zip(tps, members, strict=True):
            after.held[member].append(tp)
        return after

    def even_out(self, group: GroupSnapshot) -> None:
        """Move partitions from the members with the most partitions to the members with the fewest,
        until the counts differ by at most one.
        """
        levels: dict[int, list[int]] = {}
        for member, held in enumerate(self.held):
            levels.setdefault(len(held), []).append(member)
        if max(levels) > min(levels) + 1:
            self._sort(group, min(levels) + 1)
        while (most := max(levels)) > (least := min(levels)) + 1:
            pairs = list(zip(levels[least], levels[most], strict=False))
            for taker, giver in pairs:
                self._tell_move(self.held[giver][-1], giver, taker)
                self.held[taker].append(self.held[giver].pop())
            for level, side, after in ((least, 0, least + 1), (most, 1, most - 1)):
                levels[level] = levels[level][len(pairs) :]
                levels.setdefault(after, []).extend(pair[side] for pair in pairs)
            levels = {level: members for level, members in levels.items() if members}

    def _sort(self, group: GroupSnapshot, enough: int) -> None:
        for held in self.held:
            if len(held) > enough:
                tps = np.array(held)
                held[:] = tps[np.lexsort((tps, group.tp_partition[tps]))].tolist()


def _sift_down(heap: list[int], count: list[int], place: int) -> None:
    while (child := 2 * place + 1) < len(heap):
        if child + 1 < len(heap) and count[heap[child + 1]] < count[heap[child]]:
            child += 1
        if count[heap[place]] <= count[heap[child]]:
            return
        heap[place], heap[child] = heap[child], heap[place]
        place = child


def _sends(sent: SentSubscription, protocol: str) -> bool:
    if (
        sent.version != 3
        or sent.user_data == b""
        or (sent.user_data is None) != (protocol in EAGER)
    ):
        return False
    if sent.user_data is None:
        return True
    if protocol == STICKY:
        # A member gives up all partitions before it joins, so its array is always empty.
        return sent.user_data[:NUMBER] == NONE_OWNED
    return joins_first(sent) or (len(sent.user_data) != NUMBER and sent.rack != "")


def _writes(assignment: WrittenAssignment, _protocol: str) -> bool:
    return (assignment.version, assignment.user_data) == (0, None) and assignment.is_sorted


CLIENT = Client(
    name="franz-go",
    assignors=by_name(
        FranzGoRangeAssignor,
        FranzGoRoundRobinAssignor,
        FranzGoStickyAssignor,
        FranzGoCooperativeStickyAssignor,
    ),
    assumes=(GO_MAPS,),
    releases="1.22",
    default_client_id=re.compile("kgo"),
    sends=_sends,
    writes=_writes,
    sticky_layouts=(Layout.GENERATION_LAST, Layout.NO_GENERATION),
    consumer_protocol=ConsumerProtocol(
        "franz-go 1.19 or later, if turned on",
        since="1.19",
        added={"opt_in_kafka_next_gen_balancer_beta": "true"},
        remark=(
            "The first setting is a key of the client's context. The first balancer selects the"
            " broker's assignor: cooperative-sticky and sticky select uniform, range selects range."
            " With roundrobin, the client stays classic without a warning."
        ),
    ),
)
