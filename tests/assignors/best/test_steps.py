"""The steps of the search, replayed by hand-written rules over state of its own, lead to the owners
of the best assignment.
"""

import json
from fractions import Fraction

import numpy as np
import pytest

from evenkeel.assignors.best.objective import NEVER
from evenkeel.assignors.best.problem import NO_HOME
from evenkeel.assignors.best.request import Infeasible
from evenkeel.assignors.best.search import best
from evenkeel.assignors.best.steps import (
    Began,
    Enumeration,
    Gave,
    MadeRoom,
    OwnerWeight,
    PartitionLimit,
    Placement,
    Relief,
    SearchStep,
    SolverAnswer,
    Spread,
    Took,
    WentHome,
)
from evenkeel.assignors.trace import Trace, recording
from evenkeel.data.best.answer import assignors_answers
from evenkeel.data.best.request import decode_request, request_of
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import decode
from tests.assignors.best.everything import may_own, random_request

_NEAR = 1 + 1e-9


class Replay:
    """Owners by partition as the steps change them; loads and values are computed from the request
    alone.
    """

    def __init__(self, request, found, starts):
        self.request, self.found, self.starts = request, found, starts
        problem, names = found.problem, found.problem.group.member_id
        allowed, home = may_own(request)
        self.keys = {tp: self.key(tp) for tp in problem.tp.tolist()}
        self.allowed = {
            tp: {names.index(name) for name in allowed[key]} for tp, key in self.keys.items()
        }
        self.home = {
            tp: names.index(home[key]) if key in home else NO_HOME for tp, key in self.keys.items()
        }
        self.lag, self.rate = (
            dict(zip(self.keys, problem.lag.tolist(), strict=False)),
            dict(zip(self.keys, problem.rate.tolist(), strict=False)),
        )
        self.capacity, self.cap = problem.capacity.tolist(), problem.cap.tolist()
        self.owner = dict(self.home)
        self.last, self.weighed = {}, set()

    def key(self, tp):
        group = self.found.problem.group
        return group.topic_name[group.tp_topic[tp]], int(group.tp_partition[tp])

    def held(self, member, owner=None):
        return [tp for tp, one in (owner or self.owner).items() if one == member]

    def value(self, member, owner=None):
        held = self.held(member, owner)
        return self.value_of(
            sum(self.lag[tp] for tp in held),
            sum(self.rate[tp] for tp in held),
            self.capacity[member],
        )

    def value_of(self, lag, rate, capacity):
        if self.request["objective"] != "drain":
            return Fraction(lag) if self.request["objective"] == "lag" else Fraction(rate, capacity)
        if lag == 0 and rate <= capacity:
            return Fraction(0)
        return Fraction(1000 * lag, capacity - rate) if rate < capacity else NEVER

    def weight(self, tp):
        return self.rate[tp] if self.request["objective"] == "rate" else self.lag[tp]

    def is_weightless(self, tp):
        return (
            bool(self.found.problem.unknown[list(self.keys).index(tp)])
            and self.lag[tp] == self.rate[tp] == 0
        )

    def worst(self, owner=None):
        return max(self.value(member, owner) for member in range(len(self.capacity)))

    def take(self, tp, step):
        RULES[type(step)](self, tp, step)
        self.owner[tp] = step.member
        self.last[tp] = step


def gave(replay, tp, step):
    has_too_many = len(replay.held(step.giver, replay.home)) > replay.cap[step.giver]
    assert step.giver == replay.home[tp]
    assert len(replay.allowed[tp]) > 1
    assert step.value == replay.value(step.giver, replay.home)
    assert step.value * (1 + Fraction(1, 1000)) > step.level or has_too_many


def made_room(replay, tp, step):
    others = [
        one
        for one in replay.held(step.giver, replay.home)
        if one != step.large and len(replay.allowed[one]) > 1
    ]
    mine = sorted(map(replay.weight, others), reverse=True)
    assert step.giver == replay.home[tp]
    assert tp != step.large
    assert replay.weight(tp) >= mine[step.number - 1]
    assert step.number <= replay.request.get("moves", 64)


def took(replay, tp, step):
    assert step.member in replay.allowed[tp] - {replay.home[tp]}


def placed(replay, tp, step):
    if step.rank == 0 and step.count == len(replay.keys):
        replay.owner = dict.fromkeys(replay.owner, NO_HOME)
    room = {
        member for member in replay.allowed[tp] if len(replay.held(member)) < replay.cap[member]
    }
    assert replay.owner[tp] == NO_HOME
    assert step.member in room
    if step.had is None:
        return
    assert step.had == replay.value(step.member)
    after = {
        member: replay.value_of(
            *[sum(map(replay.weight, [*replay.held(member), tp]))] * 2, replay.capacity[member]
        )
        for member in room
    }
    if replay.request["objective"] == "rate" and replay.request["rates"]["capacity"] is None:
        after = {member: load * 1000 for member, load in after.items()}
    assert after[step.member] <= min(after.values()) * Fraction(_NEAR)


def helped(replay, tp, step):
    other = step.swapped
    if (
        other is not None
        and replay.owner[other] == step.giver
        and isinstance(replay.last.get(other), Relief)
    ):
        # The other half of a swap, which was checked with its first half.
        before = replay.last[other]
        if before.swapped == tp and before.member == step.giver:
            assert (before.before, before.after) == (step.before, step.after)
            return
    assert replay.owner[tp] == step.giver
    assert step.member in replay.allowed[tp]
    # Both may never be drained, the one less than the other.
    assert step.after < step.before or step.after == NEVER
    assert step.before == replay.value(step.giver)
    assert replay.worst() <= step.before * _NEAR if step.before != NEVER else True
    then = replay.owner | {tp: step.member} | ({} if other is None else {other: step.giver})
    assert other is None or replay.owner[other] == step.member
    assert step.after == max(replay.value(step.giver, then), replay.value(step.member, then))


def went_home(replay, tp, step):
    assert step.member == replay.home[tp] != replay.owner[tp]
    assert step.value == replay.value(step.member, replay.owner | {tp: step.member})
    tolerance = 1 + Fraction(repr(float(replay.request.get("tolerance", 0.001))))
    assert step.value <= max(replay.worst(), replay.found.bound * tolerance)
    assert len(replay.held(step.member)) < replay.cap[step.member]


def began(replay, tp, step):
    assert replay.starts[step.number].owner[tp] == step.member


def within_limits(replay, tp, step):
    assert step.member in replay.allowed[tp]
    if isinstance(step, PartitionLimit):
        assert replay.request["partitions_per_member"] is not None
    if isinstance(step, Enumeration):
        assert len(replay.keys) <= 14


def spread(replay, tp, step):
    if not any(isinstance(step, Spread) for step in replay.last.values()):
        owner = dict(zip(replay.keys, replay.found.owner.tolist(), strict=False))
        replay.owner |= {
            one: owner[one]
            for one, home in replay.home.items()
            if home == NO_HOME and replay.is_weightless(one)
        }
    assert replay.is_weightless(tp)
    assert replay.home[tp] == NO_HOME
    assert replay.owner[tp] == step.member in replay.allowed[tp]
    beside = replay.owner | {tp: NO_HOME}
    count = {member: len(replay.held(member, beside)) for member in replay.allowed[tp]}
    assert (
        step.count
        == count[step.member]
        == min(count[member] for member in count if count[member] < replay.cap[member])
    )


def weighed(replay, tp, step):
    owner = dict(zip(replay.keys, replay.found.owner.tolist(), strict=False))
    assert (step.member, step.home) == (owner[tp], replay.home[tp])
    assert (step.value, step.own) == (replay.worst(owner), replay.value(step.member, owner))
    away = step.home not in (NO_HOME, step.member)
    assert step.at_home == (replay.worst(owner | {tp: step.home}) if away else None)


RULES = {
    Gave: gave,
    MadeRoom: made_room,
    Took: took,
    Placement: placed,
    Relief: helped,
    WentHome: went_home,
    Began: began,
    PartitionLimit: within_limits,
    Enumeration: within_limits,
    SolverAnswer: within_limits,
    Spread: spread,
    OwnerWeight: weighed,
}


def test_every_kind_of_step_has_its_rule():
    assert set(RULES) == set(SearchStep.__subclasses__())


def searched(request, trace=None):
    asked = decode_request(json.dumps(request).encode())
    observed = observed_from_document(decode(asked.group))
    starts = list(assignors_answers(observed).values())
    with recording(trace):
        return best(observed.snapshot, request_of(asked, observed.snapshot), starts), starts


def replayed(request):
    """Return the kinds of steps that led to the answer."""
    trace = Trace()
    try:
        found, starts = searched(request, trace)
    except Infeasible:
        return set()
    replay = Replay(request, found, starts)
    for tp, step in trace.steps:
        replay.take(tp, step)
    assert replay.owner == dict(zip(found.problem.tp.tolist(), found.owner.tolist(), strict=False))
    plain, _ = searched(request)
    assert plain.owner.tolist() == found.owner.tolist()
    return {type(step) for _, step in trace.steps}


@pytest.mark.parametrize(("seed", "sizes"), [(1, (7, 4)), (2, (12, 3)), (3, (24, 4)), (4, (40, 6))])
def test_the_steps_of_every_partition_lead_by_hand_written_rules_to_its_owner(seed, sizes):
    for number in range(20):
        replayed(random_request(np.random.default_rng([seed, number]), *sizes))
