"""A trace replayed by hand-written rules, step by step over state of its own, gives the owners of the answer, for every assignor."""

from collections import Counter, defaultdict

import pytest
from hypothesis import Phase, given, settings

from evenkeel.assignors import ASSIGNORS, CLIENTS
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.group import NO_RACK, NO_TP
from evenkeel.assignors.group.lag import assignor_lag
from evenkeel.assignors.protocol import Gap
from evenkeel.assignors.trace import (
    ByLag,
    Fewest,
    FirstWithRoom,
    Kept,
    Lacking,
    Moved,
    NoSubscriber,
    Reason,
    Released,
    Returned,
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

EVERY = {f"java {name}": made for name, made in ASSIGNORS.items() if made is not WeightedAssignor} | {
    f"{client} {name}": made
    for client, family in CLIENTS.items()
    if client != "java"
    for name, made in family.assignors.items()
    if not isinstance(made, Gap)
}
every_assignor = pytest.mark.parametrize("name", EVERY)
some_groups = settings(max_examples=25, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))


def utf16(text):
    return text.encode("utf-16-be", "surrogatepass")


def static_first(text):
    """Static members by instance id, then dynamic ones by member id."""

    def key(group, member):
        instance = group.instance_id[member]
        return (instance is None, text(group.member_id[member] if instance is None else instance))

    return key


def by_id(text):
    return lambda group, member: text(group.member_id[member])


STATIC_FIRST = JAVAS, GOS = static_first(utf16), static_first(str)
ORDERS = {
    "java range": JAVAS,
    "java broker-range": JAVAS,
    "java roundrobin": JAVAS,
    "java lag": by_id(utf16),
    "java sticky": by_id(utf16),
    "java cooperative-sticky": by_id(utf16),
    "aiokafka range": by_id(str),
    "aiokafka roundrobin": by_id(str),
    "sarama range": by_id(str),
    "sarama roundrobin": by_id(str),
    "kafka-go range": by_id(str),
    "kafka-go roundrobin": by_id(str),
    "franz-go range": GOS,
    "franz-go roundrobin": GOS,
}
"""The order in which members stand, where it is a function of their names alone; elsewhere the trace's own order is taken."""


class Replay:
    """Owners and counts as the steps change them; each step is checked by a rule that knows the group and this state alone."""

    def __init__(self, name, group):
        self.name, self.group = name, group
        self.owners, self.count, self.unmoved = {}, Counter(), {}
        self.of_topic, self.lag_of_topic = defaultdict(Counter), defaultdict(Counter)
        self.claims = {(int(member), int(tp)) for member, tp in zip(group.claim_member, group.claim_tp, strict=True)}
        # Partitions beyond a topic's size count too, and no step is about them.
        self.knows_counts = bool((group.claim_tp != NO_TP).all()) and name != "java simple"

    def take(self, tp, step):
        RULES[type(step)](self, tp, step)
        if step.member == UNASSIGNED:
            return
        if isinstance(step, Moved | Undone):
            self.unmoved.setdefault(tp, self.owners[tp])
            self.count[self.owners[tp]] -= 1
        if not isinstance(step, Withheld | Returned):
            self.count[step.member] += 1
        self.owners[tp] = step.member

    def topic(self, tp):
        return int(self.group.tp_topic[tp])

    def subscribers(self, tp):
        group, topic = self.group, self.topic(tp)
        return [member for member, row in enumerate(group.subscription.tolist()) if topic in group.topic_lists[row]]

    def in_order(self, members):
        return sorted(members, key=lambda member: ORDERS[self.name](self.group, member)) if self.knows_order else list(members)

    @property
    def knows_order(self):
        """Of two members with one instance id a hash map decides."""
        names = Counter(instance for instance in self.group.instance_id if instance is not None)
        key = ORDERS.get(self.name)
        return key is not None and not (key in STATIC_FIRST and max(names.values(), default=0) > 1)


def by_slice(replay, tp, step):
    number, members = int(replay.group.partition_count[replay.topic(tp)]), replay.in_order(step.members)
    if replay.name == "kafka-go range":
        sizes = [number * (place + 1) // len(members) - number * place // len(members) for place in range(len(members))]
    else:
        sizes = [number // len(members) + (place < number % len(members)) for place in range(len(members))]
    if not replay.name.startswith(("kafka-python", "librdkafka")):
        assert sorted(members) == replay.subscribers(tp)
    owners = [member for member, size in zip(members, sizes, strict=True) for _ in range(size)]
    assert owners[int(replay.group.tp_partition[tp])] == step.member


def by_room(replay, tp, step):
    group, given = replay.group, replay.of_topic[replay.topic(tp)]
    number = replay.group.partition_count[replay.topic(tp)]
    members = replay.subscribers(tp) if not replay.name.startswith("librdkafka") else sorted({*given, *dict(step.room)})
    if step.is_near:
        racks = set(group.replica_rack[group.replica_start[tp] : group.replica_start[tp + 1]].tolist())
        assert all(group.member_rack[member] in racks or group.member_rack[member] == NO_RACK for member, _ in step.room)
    if not replay.name.startswith("librdkafka"):
        base, extra = divmod(int(number), len(members))
        extra -= sum(given[member] > base for member in members)
        assert [room for _, room in step.room] == [max(0, base + (extra > 0) - given[member]) for member, _ in step.room]
    assert step.member == next(member for member in replay.in_order(dict(step.room)) if dict(step.room)[member] > 0)
    given[step.member] += 1


def by_turn(replay, tp, step):
    everyone = replay.in_order(range(replay.group.member_count)) if replay.knows_order else [*step.ring]
    ring = replay.in_order(step.ring)
    if step.before == UNASSIGNED:
        assert step.member == (ring[0] if replay.knows_order else step.ring[0])
    elif step.before in everyone:
        start = everyone.index(step.before) + 1
        assert step.member == next(member for member in everyone[start:] + everyone[:start] if member in ring)
    else:
        assert step.member in ring


def by_lag(replay, tp, step):
    group, topic, lag = replay.group, replay.topic(tp), assignor_lag(replay.group).tolist()
    tps = sorted(range(group.first_tp[topic], group.first_tp[topic + 1]), key=lambda each: (-lag[each], each))
    assert (tps[step.rank], len(tps), lag[tp]) == (tp, step.partitions, step.lag)
    count, total, members = replay.of_topic[topic], replay.lag_of_topic[topic], replay.in_order(replay.subscribers(tp))
    assert dict(step.count) == {member: count[member] for member in members}
    assert dict(step.total) == {member: total[member] for member in members}
    assert step.member == min(members, key=lambda member: (count[member], total[member]))
    count[step.member] += 1
    total[step.member] += lag[tp]


def by_claim(replay, tp, step):
    assert (step.member, tp) in replay.claims
    if step.limit is not None and replay.name != "java simple":
        assert replay.count[step.member] < step.limit


def by_release(replay, tp, step):
    claimants = [member for member, claimed in replay.claims if claimed == tp]
    if step.reason == Reason.CLAIMED_TWICE:
        assert len(claimants) > 1
        return
    assert step.owner in claimants
    if step.reason == Reason.SURPLUS:
        assert step.count > step.limit
    if step.reason == Reason.LEFT_TOPIC:
        assert step.owner not in replay.subscribers(tp)


def by_places(replay, tp, step):
    if replay.name == "java simple":
        # Several members share one partition, so a member that has it already is passed over.
        assert step.member in dict(step.places)
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
        assert {member: number for member, number in step.count} == {member: replay.count[member] for member, _ in step.count}
    if not step.is_near and not replay.name.startswith(("franz-go", "librdkafka", "platformatic")):
        assert sorted(dict(step.count)) == sorted(set(replay.subscribers(tp)))
    candidates = replay.in_order(dict(step.count)) if "sticky" in replay.name else dict(step.count)
    assert step.member == min(candidates, key=dict(step.count).__getitem__)


def by_move(replay, tp, step):
    assert replay.owners[tp] == step.giver or replay.name.startswith("librdkafka")
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
    Kept: by_claim,
    Released: by_release,
    Lacking: by_places,
    Fewest: by_fewest,
    Moved: by_move,
    Undone: by_undoing,
    Withheld: by_withholding,
    Returned: by_return,
}


def test_every_kind_of_step_has_its_rule():
    assert set(RULES) == set(Step.__subclasses__()) - {NoSubscriber}


@every_assignor
@some_groups
@given(groups())
def test_the_steps_of_every_partition_lead_by_hand_written_rules_to_its_owner(name, snapshot):
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
    also = {(member, int(snapshot.first_tp[topic]) + partition) for member, topic, partition in answer.extra.tolist()}
    found = [replay.owners.get(tp, UNASSIGNED) for tp in range(snapshot.tp_count)]
    assert [tp for tp, owner in enumerate(owners) if found[tp] != owner and (found[tp], tp) not in also] == []


@every_assignor
@some_groups
@given(groups())
def test_an_answer_is_the_same_with_and_without_a_trace_and_without_one_nothing_is_recorded(name, snapshot):
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
    assert (plain.extra.tolist(), plain.withheld.tolist()) == (told.extra.tolist(), told.withheld.tolist())
