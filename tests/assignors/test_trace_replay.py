"""A trace replayed by hand-written rules, step by step over state of its own, gives the owners of
the answer, for every assignor.
"""

from collections import Counter, defaultdict
from itertools import groupby
from math import ceil

import pytest
from hypothesis import Phase, given, note, settings

from evenkeel.assignors import ASSIGNORS, CLIENTS
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.group import NO_RACK, NO_TP
from evenkeel.assignors.group.lag import assignor_lag
from evenkeel.assignors.protocol import Gap
from evenkeel.assignors.trace import (
    ByLag,
    Fewest,
    FirstWithRoom,
    HandBackStep,
    KeepStep,
    Lacking,
    MoveStep,
    NoSubscriber,
    Reason,
    ReleaseStep,
    Slice,
    Step,
    Trace,
    Turn,
    Undone,
    Withheld,
    asked,
    recording,
)
from evenkeel.assignors.weighted import WeightedAssignor
from tests.generated.groups import groups
from tests.literal.broker_input import string_hash
from tests.literal.containers import HashMap

EVERY = {
    f"java {name}": made for name, made in ASSIGNORS.items() if made is not WeightedAssignor
} | {
    f"{client} {name}": made
    for client, family in CLIENTS.items()
    if client != "java"
    for name, made in family.assignors.items()
    if not isinstance(made, Gap)
}
some_groups = settings(
    max_examples=25, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate)
)


def utf16(text):
    return text.encode("utf-16-be", "surrogatepass")


def utf8(text):
    return text.encode("utf-8", "surrogatepass")


def by_id(text):
    """By member id."""
    return lambda group, members: sorted(members, key=lambda member: text(group.member_id[member]))


def static_first(text):
    """Static members by instance id, then dynamic ones by member id."""

    def key(group, member):
        instance = group.instance_id[member]
        return (instance is None, text(group.member_id[member] if instance is None else instance))

    return lambda group, members: sorted(sorted(members), key=lambda member: key(group, member))


def as_reported(_group, members):
    return sorted(members)


def of_last_runs(group, members):
    """kafka-python: where static and dynamic members alternate, the last run of each kind takes
    part, static ones first.
    """
    runs = {
        is_static: list(run)
        for is_static, run in groupby(
            sorted(members), lambda member: group.instance_id[member] is not None
        )
    }
    static = sorted(
        runs.get(True, []), key=lambda member: (group.instance_id[member], group.member_id[member])
    )
    return static + sorted(runs.get(False, []), key=group.member_id.__getitem__)


def as_in_c(group, members):
    """librdkafka: two static members by instance id, any other two by member id, merged as glibc
    does where both kinds mix.
    """

    def key(one, other):
        names = (
            group.instance_id
            if None not in (group.instance_id[one], group.instance_id[other])
            else group.member_id
        )
        return utf8(names[one]), utf8(names[other])

    def merged(rows):
        if len(rows) < 2:
            return rows
        left, right, found = merged(rows[: len(rows) // 2]), merged(rows[len(rows) // 2 :]), []
        while left and right:
            one, other = key(left[0], right[0])
            found.append((left if one <= other else right).pop(0))
        return found + left + right

    return merged(sorted(members))


def as_java_maps(group, members):
    """The broker's: as a HashMap of all member ids iterates."""
    walked = HashMap(string_hash)
    for member, name in enumerate(group.member_id):
        walked.put(name, member)
    places = {walked[name]: place for place, name in enumerate(walked)}
    return sorted(members, key=places.__getitem__)


JAVAS, GOS = static_first(utf16), static_first(str)
ORDERS = {
    "java range": JAVAS,
    "java broker-range": JAVAS,
    "java roundrobin": JAVAS,
    "java lag": by_id(utf16),
    "java sticky": by_id(utf16),
    "java cooperative-sticky": by_id(utf16),
    "java uniform": as_java_maps,
    "java simple": as_java_maps,
    "librdkafka range": as_in_c,
    "librdkafka roundrobin": as_in_c,
    "librdkafka cooperative-sticky": by_id(utf8),
    "kafka-python range": of_last_runs,
    "kafka-python roundrobin": of_last_runs,
    "kafka-python sticky": by_id(str),
    "kafka-python cooperative-sticky": by_id(str),
    "aiokafka range": by_id(str),
    "aiokafka roundrobin": by_id(str),
    "aiokafka sticky": by_id(str),
    "sarama range": by_id(str),
    "sarama roundrobin": by_id(str),
    "kafka-go range": by_id(str),
    "kafka-go roundrobin": by_id(str),
    "franz-go range": GOS,
    "franz-go roundrobin": GOS,
    "franz-go sticky": GOS,
    "franz-go cooperative-sticky": GOS,
    "kafkajs roundrobin": by_id(utf16),
    "platformatic roundrobin": as_reported,
    "platformatic cooperative-sticky": by_id(utf16),
}
"""The order in which a client's leader, or the broker, has the members."""


class Replay:
    """Owners and counts as the steps change them; each step is checked by a rule that knows the
    group and this state alone.
    """

    def __init__(self, name, group):
        self.name, self.group = name, group
        self.owners, self.holders, self.count, self.unmoved = {}, defaultdict(set), Counter(), {}
        self.of_topic, self.lag_of_topic = defaultdict(Counter), defaultdict(Counter)
        self.claims = {
            (int(member), int(tp))
            for member, tp in zip(group.claim_member, group.claim_tp, strict=True)
        }
        # Partitions beyond a topic's size count too, and no step is about them.
        self.knows_counts = bool((group.claim_tp != NO_TP).all()) and name != "java simple"
        self.begun, self.heap, self.lacked = (None, None), None, {}
        self.shares = Shares(self) if name == "java simple" else None

    def take(self, tp, step):
        RULES[type(step)](self, tp, step)
        if step.member == UNASSIGNED:
            return
        if isinstance(step, MoveStep | Undone):
            # Where several members keep one partition, any of them may give it.
            giver = (
                step.giver
                if isinstance(step, MoveStep) and step.giver in self.holders[tp]
                else self.owners[tp]
            )
            self.unmoved.setdefault(tp, giver)
            self.count[giver] -= 1
            self.holders[tp].discard(giver)
        if not isinstance(step, Withheld | HandBackStep):
            self.count[step.member] += 1
        self.owners[tp] = step.member
        self.holders[tp].add(step.member)

    @property
    def known(self):
        """Members that the leader serves: librdkafka's leaves those out that list no topic."""
        lists = [self.group.topic_lists[row] for row in self.group.subscription.tolist()]
        return [
            member
            for member, topics in enumerate(lists)
            if topics.size or not self.name.startswith("librdkafka")
        ]

    def topic(self, tp):
        return int(self.group.tp_topic[tp])

    def subscribers(self, tp):
        group, topic = self.group, self.topic(tp)
        return [
            member
            for member, row in enumerate(group.subscription.tolist())
            if topic in group.topic_lists[row]
        ]

    def at_start(self, tp):
        """Return the partitions of each member when the topic was begun."""
        if self.begun[0] != self.topic(tp):
            self.begun = self.topic(tp), self.count.copy()
        return self.begun[1]

    def top_of_heap(self):
        """Return the member with the fewest, and all members with their counts, as Go's
        container/heap has them before it gets one more.
        """
        if self.heap is None:
            self.heap = self.in_order(range(self.group.member_count))
            for place in reversed(range(len(self.heap) // 2)):
                self.sift_down(place)
        top, shown = self.heap[0], tuple((member, self.count[member]) for member in self.heap)
        self.count[top] += 1
        self.sift_down(0)
        self.count[top] -= 1
        return top, shown

    def sift_down(self, place):
        below = [child for child in (2 * place + 1, 2 * place + 2) if child < len(self.heap)]
        least = min(below, key=lambda child: self.count[self.heap[child]], default=None)
        if least is not None and self.count[self.heap[least]] < self.count[self.heap[place]]:
            self.heap[place], self.heap[least] = self.heap[least], self.heap[place]
            self.sift_down(least)

    def in_order(self, members):
        return ORDERS[self.name](self.group, members) if self.knows_order else list(members)

    @property
    def knows_order(self):
        """Of two members with one instance id a hash map decides in Java, in Go the order
        reported.
        """
        names = Counter(instance for instance in self.group.instance_id if instance is not None)
        return not (ORDERS[self.name] is JAVAS and max(names.values(), default=0) > 1)


class Shares:
    """What a share group's members want, keep and get: of all topics at once where subscriptions
    are equal, else topic by topic.
    """

    def __init__(self, replay):
        group, self.replay = replay.group, replay
        self.is_equal = (
            len(
                {
                    tuple(sorted({*topics.tolist()}))
                    for topics in (group.topic_lists[row] for row in group.subscription)
                }
            )
            <= 1
        )
        self.knows_all = bool((group.claim_tp != NO_TP).all())
        self.kept, self.given, self.lines = [], defaultdict(list), {}

    def scope(self, tp):
        """Return what is shared together with a partition: a key, and its partitions."""
        group, topic = self.replay.group, self.replay.topic(tp)
        if not self.is_equal:
            return topic, list(range(group.first_tp[topic], group.first_tp[topic + 1]))
        return None, [each for each in range(group.tp_count) if self.replay.subscribers(each)]

    def wants(self, tp):
        """Return how many partitions each subscriber wants, in the order of the map; in doubles, as
        Java computes it.
        """
        members, targets = self.replay.in_order(self.replay.subscribers(tp)), len(self.scope(tp)[1])
        each = -(-len(members) // targets) * targets / len(members) if members else 0
        return {
            member: ceil(each * (place + 1)) - ceil(each * place)
            for place, member in enumerate(members)
        }

    def had(self, member, pairs, tp):
        scope = set(self.scope(tp)[1])
        return sum(one == member and each in scope for one, each in pairs)

    def check(self, tp, member, count, limit):
        """Check what a member had of the scope, and what it may keep of it; of a topic without
        subscribers it keeps all.
        """
        wants = self.wants(tp)
        if not wants:
            assert limit is None
            return
        assert limit == wants.get(member, 0)
        assert not self.knows_all or count == self.had(member, self.replay.claims, tp)

    def deal(self, tp, step):
        """Check whose turn it is: the next in line that does not have the partition; whoever has
        what it wants leaves the line.
        """
        key, _ = self.scope(tp)
        if key not in self.lines:
            lacking = {
                member: want - self.had(member, self.kept, tp)
                for member, want in self.wants(tp).items()
            }
            self.lines[key] = [
                [member for member, number in lacking.items() if number > 0],
                0,
                lacking,
            ]
            assert not self.knows_all or dict(step.places) == {
                member: number for member, number in lacking.items() if number > 0
            }
        if not self.knows_all:
            return
        line, cursor, lacking = self.lines[key]
        assert step.number == len(self.given[key])
        while True:
            cursor = cursor if cursor < len(line) else 0
            if line[cursor] == step.member:
                break
            assert (line[cursor], tp) in self.kept or (line[cursor], tp) in self.given[key]
            cursor += 1
        self.given[key].append((step.member, tp))
        lacking[step.member] -= 1
        if lacking[step.member]:
            cursor += 1
        else:
            line.pop(cursor)
        self.lines[key][1] = cursor


def by_slice(replay, tp, step):
    number, members = (
        int(replay.group.partition_count[replay.topic(tp)]),
        replay.in_order(step.members),
    )
    if replay.name == "kafka-go range":
        sizes = [
            number * (place + 1) // len(members) - number * place // len(members)
            for place in range(len(members))
        ]
    else:
        sizes = [
            number // len(members) + (place < number % len(members))
            for place in range(len(members))
        ]
    # librdkafka's leader leaves members out that list no topic, or too many.
    everyone = (
        members if replay.name.startswith("librdkafka") else replay.in_order(replay.subscribers(tp))
    )
    assert members == everyone if replay.knows_order else sorted(members) == everyone
    owners = [member for member, size in zip(members, sizes, strict=True) for _ in range(size)]
    assert owners[int(replay.group.tp_partition[tp])] == step.member


def by_room(replay, tp, step):
    group, given = replay.group, replay.of_topic[replay.topic(tp)]
    number = replay.group.partition_count[replay.topic(tp)]
    members = (
        replay.subscribers(tp)
        if not replay.name.startswith("librdkafka")
        else sorted({*given, *dict(step.room)})
    )
    if step.is_near:
        racks = set(
            group.replica_rack[group.replica_start[tp] : group.replica_start[tp + 1]].tolist()
        )
        assert all(
            group.member_rack[member] in racks or group.member_rack[member] == NO_RACK
            for member, _ in step.room
        )
    if not replay.name.startswith("librdkafka"):
        base, extra = divmod(int(number), len(members))
        extra -= sum(given[member] > base for member in members)
        assert [room for _, room in step.room] == [
            max(0, base + (extra > 0) - given[member]) for member, _ in step.room
        ]
    # librdkafka orders all members of the topic, by a comparison that is not transitive: some of
    # them alone may stand otherwise.
    everyone = replay.in_order(
        {*replay.subscribers(tp), *dict(step.room)} if replay.knows_order else dict(step.room)
    )
    assert step.member == next(member for member in everyone if dict(step.room).get(member, 0) > 0)
    given[step.member] += 1


def by_turn(replay, tp, step):
    everyone = replay.in_order(replay.known) if replay.knows_order else [*step.ring]
    ring = [member for member in everyone if member in step.ring]
    assert list(step.ring) == ring
    if step.before == UNASSIGNED:
        assert step.member == (ring[0] if replay.knows_order else step.ring[0])
    elif step.before in everyone:
        start = everyone.index(step.before) + 1
        assert step.member == next(
            member for member in everyone[start:] + everyone[:start] if member in ring
        )
    else:
        assert step.member in ring


def by_lag(replay, tp, step):
    group, topic, lag = replay.group, replay.topic(tp), assignor_lag(replay.group).tolist()
    tps = sorted(
        range(group.first_tp[topic], group.first_tp[topic + 1]), key=lambda each: (-lag[each], each)
    )
    assert (tps[step.rank], len(tps), lag[tp]) == (tp, step.partitions, step.lag)
    count, total, members = (
        replay.of_topic[topic],
        replay.lag_of_topic[topic],
        replay.in_order(replay.subscribers(tp)),
    )
    assert dict(step.count) == {member: count[member] for member in members}
    assert dict(step.total) == {member: total[member] for member in members}
    assert step.member == min(members, key=lambda member: (count[member], total[member]))
    count[step.member] += 1
    total[step.member] += lag[tp]


def by_claim(replay, tp, step):
    assert (step.member, tp) in replay.claims
    if replay.name == "java simple":
        replay.shares.check(tp, step.member, step.count, step.limit)
        replay.shares.kept.append((step.member, tp))
    elif step.limit is not None:
        assert replay.count[step.member] < step.limit


def by_release(replay, tp, step):
    claimants = [member for member, claimed in replay.claims if claimed == tp]
    if step.reason == Reason.CLAIMED_TWICE:
        assert len(claimants) > 1
        return
    assert step.owner in claimants
    if replay.name == "java simple":
        replay.shares.check(tp, step.owner, step.count, step.limit)
        assert (step.reason == Reason.SURPLUS) == (step.count > step.limit)
    if step.reason == Reason.SURPLUS:
        assert step.count > step.limit
    if step.reason == Reason.LEFT_TOPIC:
        assert step.owner not in replay.subscribers(tp)


def by_places(replay, tp, step):
    line = replay.in_order(dict(step.places))
    if step.is_above_least:
        # As they came to the least: those that had it from the start, then those that got it first.
        line = sorted(line, key=lambda member: replay.lacked.get(member, 0))
    else:
        replay.lacked = dict(step.places)
    # Where racks fill members first, they come to the least in another order.
    assert [member for member, _ in step.places] == line or (
        step.is_above_least and replay.group.rack_name
    )
    if replay.name == "java simple":
        replay.shares.deal(tp, step)
        return
    left, line = dict(step.places), []
    while step.in_rounds and any(left.values()):
        turn = [member for member in left if left[member]]
        line += turn
        left = {member: places - (member in turn) for member, places in left.items()}
    line = line or [member for member, places in step.places for _ in range(places)]
    assert line[step.number] == step.member


def by_fewest(replay, tp, step):
    if replay.knows_counts:
        assert dict(step.count) == {member: replay.count[member] for member, _ in step.count}
    if not step.is_near and not replay.name.startswith(("franz-go", "librdkafka", "platformatic")):
        assert sorted(dict(step.count)) == sorted(set(replay.subscribers(tp)))
    if replay.name.startswith("franz-go"):
        assert (step.member, step.count) == replay.top_of_heap()
        return
    candidates = replay.in_order(dict(step.count))
    if replay.name == "java uniform":
        # In each round of a topic, members with fewer at its start come first.
        first = replay.at_start(tp)
        candidates = sorted(candidates, key=first.__getitem__)
    assert step.member == min(candidates, key=dict(step.count).__getitem__)


def by_move(replay, tp, step):
    assert step.giver in replay.holders[tp] or replay.name.startswith("librdkafka")
    if replay.knows_counts:
        assert (step.had, step.has) == (replay.count[step.giver], replay.count[step.member])
    if step.in_place_of is not None:
        assert replay.topic(step.in_place_of) == replay.topic(tp)
    elif step.to_former_owner:
        assert (step.member, tp) in replay.claims
    else:
        assert step.had > step.has + 1
        if replay.knows_counts and not replay.name.startswith("platformatic"):
            assert step.has == min(replay.count[member] for member in replay.subscribers(tp))


def by_undoing(replay, tp, step):
    assert step.member == replay.unmoved[tp]


def by_withholding(replay, tp, step):
    assert step.member == replay.owners[tp]
    assert any(claimed == tp and member != step.member for member, claimed in replay.claims)


def by_return(replay, tp, step):
    assert (step.member, tp) in replay.claims


RULES = {
    Slice: by_slice,
    FirstWithRoom: by_room,
    Turn: by_turn,
    ByLag: by_lag,
    KeepStep: by_claim,
    ReleaseStep: by_release,
    Lacking: by_places,
    Fewest: by_fewest,
    MoveStep: by_move,
    Undone: by_undoing,
    Withheld: by_withholding,
    HandBackStep: by_return,
}


def test_every_kind_of_step_has_its_rule():
    # Rooms with steps of their own have rules of their own.
    kinds = {kind for kind in Step.__subclasses__() if kind.__module__ == Step.__module__}
    assert set(RULES) == kinds - {NoSubscriber}


@some_groups
@given(groups())
def test_the_steps_of_every_partition_lead_by_hand_written_rules_to_its_owner(snapshot):
    for name in EVERY:
        note(name)
        require_steps_to_owners(name, snapshot)


def require_steps_to_owners(name, snapshot):
    try:
        with recording(Trace()) as trace:
            answer = EVERY[name]().assign(snapshot)
    except AssignorError:
        return

    replay = Replay(name, snapshot)
    for tp, step in trace.steps:
        # Numbers from there on stand for claims beyond a topic's size.
        if tp < snapshot.tp_count:
            replay.take(tp, step)

    owners = answer.handed_out().owner.tolist()
    also = {
        (member, int(snapshot.first_tp[topic]) + partition)
        for member, topic, partition in answer.extra.tolist()
    }
    found = [replay.owners.get(tp, UNASSIGNED) for tp in range(snapshot.tp_count)]
    assert [
        tp for tp, owner in enumerate(owners) if found[tp] != owner and (found[tp], tp) not in also
    ] == []


@some_groups
@given(groups())
def test_an_answer_is_the_same_with_and_without_a_trace_and_without_one_nothing_is_recorded(
    snapshot,
):
    for name in EVERY:
        note(name)
        require_same_without_trace(name, snapshot)


def require_same_without_trace(name, snapshot):
    assignor = EVERY[name]()
    try:
        plain = assignor.assign(snapshot)
    except AssignorError as error:
        with recording(Trace()), pytest.raises(type(error)):
            assignor.assign(snapshot)
        return

    with recording(Trace()):
        told = assignor.assign(snapshot)

    assert asked() is None
    assert plain.owner.tolist() == told.owner.tolist()
    assert (plain.extra.tolist(), plain.withheld.tolist()) == (
        told.extra.tolist(),
        told.withheld.tolist(),
    )
