"""Sticky and cooperative-sticky as the specification words them: lists and dictionaries, one
partition after the other, as slow as can be trusted at sight.

The general path for differing subscriptions is in `literal_general`.
"""

from dataclasses import dataclass, field

from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group import NO_RACK
from tests.literal.classic import hash_code, java_order
from tests.literal.hash_map import LiteralHashMap
from tests.literal.sticky_general import Tp, assign_general, pointed


@dataclass
class StickyMember:
    """A generation that is not there is -1, and that is how it is compared."""

    member_id: str
    topics: list[str]
    claims: list[Tp]
    generation: int
    rack: str | None


@dataclass
class StickyGroup:
    """Members by id in the iteration order of `subscriptions`; `racks` has the replica racks of
    each partition of the topics that somebody subscribes to.
    """

    members: dict[str, StickyMember]
    racks: dict[str, list[set[str]]]
    owned: dict[str, list[Tp]] = field(default_factory=dict)
    doubly: set[Tp] = field(default_factory=set)
    equal: bool = True
    tree_bin: bool = False

    @property
    def partition_count(self) -> int:
        return sum(map(len, self.racks.values()))


def sticky_group(snapshot) -> StickyGroup:
    """Read a snapshot back into names, as the leader receives it: topics and claims sorted."""
    subscriptions = LiteralHashMap()
    for row, name in enumerate(snapshot.member_id):
        subscriptions.put(row, hash_code(name))
    members = {snapshot.member_id[row]: _member(snapshot, row) for row in subscriptions}
    racks = {}
    for topic, name in enumerate(snapshot.topic_name):
        if snapshot.partition_count[topic] and any(
            name in member.topics for member in members.values()
        ):
            bounds = snapshot.replica_start[
                snapshot.first_tp[topic] : snapshot.first_tp[topic + 1] + 1
            ].tolist()
            racks[name] = [
                {
                    snapshot.rack_name[rack]
                    for rack in snapshot.replica_rack[start:stop]
                    if rack != NO_RACK
                }
                for start, stop in zip(bounds, bounds[1:], strict=False)
            ]
    return StickyGroup(members, racks, tree_bin=subscriptions.tree_bin)


def _member(snapshot, row: int) -> StickyMember:
    topics = sorted(
        (snapshot.topic_name[topic] for topic in snapshot.topic_lists[snapshot.subscription[row]]),
        key=java_order,
    )
    rows = [claim for claim, member in enumerate(snapshot.claim_member) if member == row]
    claims = sorted(
        (snapshot.topic_name[snapshot.claim_topic[claim]], int(snapshot.claim_partition[claim]))
        for claim in rows
    )
    rack = snapshot.member_rack[row]
    return StickyMember(
        snapshot.member_id[row],
        topics,
        claims,
        int(snapshot.generation[row]),
        None if rack == NO_RACK else snapshot.rack_name[rack],
    )


class Racks:
    """What the racks of members and partitions say; empty where they do not count."""

    def __init__(self, group: StickyGroup):
        of_member = {
            member.member_id: member.rack for member in group.members.values() if member.rack
        }
        of_partition = (
            {
                (topic, number): racks
                for topic, each in group.racks.items()
                for number, racks in enumerate(each)
            }
            if of_member
            else {}
        )
        everywhere = set().union(*of_partition.values())
        self.subscriber_count = {
            tp: sum(rack in racks for rack in of_member.values())
            for tp, racks in of_partition.items()
        }
        aware = bool(everywhere & set(of_member.values())) and any(
            racks != everywhere for racks in of_partition.values()
        )
        self.of_member = of_member if aware else {}
        self.of_partition = of_partition if aware else {}

    def match(self, member: str, tp: Tp) -> bool:
        return self.of_member.get(member) in self.of_partition.get(tp, ())

    def mismatch(self, member: str, tp: Tp) -> bool:
        return member in self.of_member and not self.match(member, tp)


def literal_sticky(
    snapshot, max_generation: int = -1, cooperative: bool = False
) -> tuple[dict[str, list[Tp]], dict[str, list[Tp]]]:
    """Return what each member gets, in Kafka's order, and what is withheld from each.

    Raises
    ------
    AssignorError
    """
    group = sticky_group(snapshot)
    validate(group)
    if not group.members:
        raise AssignorError("ArithmeticException", "/ by zero")
    highest = max(max_generation, *(member.generation for member in group.members.values()))
    if group.equal:
        answer, transfer = _Constrained(group).assign()
    else:
        answer = assign_general(group, Racks(group), highest)
        transfer = _transferred(group, answer)
    withheld = {}
    for tp, member in transfer.items() if cooperative else ():
        answer[member].remove(tp)
        withheld.setdefault(member, []).append(tp)
    return answer, withheld


def validate(group: StickyGroup):
    """Decide whether subscriptions are equal and who owns what before the assignment, in a map of
    its own.
    """
    subscribed, owner, order = set(), {}, LiteralHashMap()
    for name, member in group.members.items():
        if not subscribed:
            subscribed |= set(member.topics)
        elif group.equal:
            group.equal = len(member.topics) == len(subscribed) and set(member.topics) <= subscribed
        group.owned[name] = []
        order.put(name, hash_code(name))
        for tp in member.claims:
            if tp[0] in group.racks:
                _claim(group, owner, name, tp)
    group.owned = {name: group.owned[name] for name in order}


def _claim(group: StickyGroup, owner: dict[Tp, str], name: str, tp: Tp):
    before = owner.get(tp)
    if before is None:
        group.owned[name].append(tp)
        owner[tp] = name
        return
    generation, other = group.members[name].generation, group.members[before].generation
    if generation < other:
        return
    if generation == other:
        group.doubly.add(tp)
    else:
        group.owned[name].append(tp)
    if tp in group.owned[before]:
        group.owned[before].remove(tp)
    owner[tp] = name


def _transferred(group: StickyGroup, answer: dict[str, list[Tp]]) -> dict[Tp, str]:
    added = {
        tp: name
        for name, tps in answer.items()
        for tp in tps
        if tp not in group.members[name].claims
    }
    revoked = {
        tp for name, tps in answer.items() for tp in group.members[name].claims if tp not in tps
    }
    return {tp: name for tp, name in added.items() if tp in revoked}


class _Constrained:
    """All subscriptions are equal (KAFKA-9987)."""

    def __init__(self, group: StickyGroup):
        self.group, self.racks = group, Racks(group)
        self.least, self.expected_over = divmod(group.partition_count, len(group.members))
        self.most = self.least + (self.expected_over > 0)
        self.over = 0
        self.under, self.exact = [], []
        self.moved, self.transfer = {}, {}
        self.answer = {name: [] for name in group.owned}

    def assign(self):
        for name, owned in self.group.owned.items():
            self._keep(name, owned)
        unassigned = self._unassigned()
        self.under.sort(key=java_order)
        self.exact.sort(key=java_order)
        unassigned.sort(key=lambda tp: self.racks.subscriber_count.get(tp, 0))
        if self.racks.of_member:
            unassigned = self._fill_by_rack(unassigned)
        self._fill(unassigned)
        if self.under and (
            self.over != self.expected_over
            or any(len(self.answer[name]) != self.least for name in self.under)
        ):
            raise AssignorError("IllegalStateException", f"{self.under} did not reach {self.least}")
        return self.answer, self.transfer

    def _keep(self, name: str, owned: list[Tp]):
        self.moved |= {tp: name for tp in owned if self.racks.mismatch(name, tp)}
        own = sorted(
            (tp for tp in owned if not self.racks.mismatch(name, tp)),
            key=lambda tp: (tp[1], java_order(tp[0])),
        )
        own = [tp for tp in own if tp not in self.group.doubly]
        if len(own) < self.least:
            kept = len(own)
            self.under.append(name)
        elif len(own) >= self.most and self.over < self.expected_over:
            kept = self.most
            self._count_over()
        else:
            kept = self.least
            if self.over < self.expected_over:
                self.exact.append(name)
        self.answer[name] += own[:kept]
        self.moved |= dict.fromkeys(own[kept:], name)

    def _count_over(self):
        self.over += 1
        if self.over == self.expected_over:
            self.exact.clear()

    def _unassigned(self) -> list[Tp]:
        kept = sorted(
            (tp for tps in self.answer.values() for tp in tps),
            key=lambda tp: (java_order(tp[0]), tp[1]),
        )
        return pointed(
            (
                (topic, number)
                for topic in sorted(self.group.racks, key=java_order)
                for number in range(len(self.group.racks[topic]))
            ),
            kept,
        )

    def _fill_by_rack(self, unassigned: list[Tp]) -> list[Tp]:
        left, start = [], 0
        for tp in unassigned:
            under, exact = self._find(self.under, start, tp), self._find(self.exact, 0, tp)
            if under is not None:
                start = self._fill_under(under, tp)
            elif exact is not None:
                name = self.exact[exact]
                if self._give(name, tp) == self.most:
                    del self.exact[exact]
                    self._count_over()
            else:
                left.append(tp)
        return left

    def _find(self, names: list[str], start: int, tp: Tp) -> int | None:
        places = [(start + step) % len(names) for step in range(len(names))]
        return next((place for place in places if self.racks.match(names[place], tp)), None)

    def _fill_under(self, place: int, tp: Tp) -> int:
        name = self.under[place]
        count = self._give(name, tp)
        if count < self.least:
            place += 1
        else:
            del self.under[place]
            if count < self.most and self.over < self.expected_over:
                self.exact.append(name)
        return place % len(self.under) if self.under else 0

    def _fill(self, unassigned: list[Tp]):
        cursor = 0
        for tp in unassigned:
            if not self.under and not self.exact:
                raise AssignorError(
                    "IllegalStateException", "No more unfilled consumers to be assigned."
                )
            cursor = cursor if cursor < len(self.under) else 0
            name = self.under[cursor] if self.under else self.exact.pop(0)
            count = self._give(name, tp)
            if count == self.least:
                del self.under[cursor]
                self.exact.append(name)
            else:
                cursor += 1
                self.over += count == self.most

    def _give(self, name: str, tp: Tp) -> int:
        self.answer[name].append(tp)
        if self.moved.get(tp, name) != name or tp in self.group.doubly:
            self.transfer[tp] = name
        return len(self.answer[name])
