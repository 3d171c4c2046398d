"""What pauses while a group goes over to an answer."""

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.rounds.switch import Kind, switch
from tests.assignors.groups import Member, assignment, group


def asked(snapshot, name, **owned):
    assignor = ASSIGNORS[name]()
    return switch(snapshot, assignment(snapshot, **owned), assignor, assignor.assign(snapshot))


def spelled(found):
    """Kind, revoked, handed out and waiting of each round, rounds without owner by partition."""
    return (
        found.kind,
        [step[:3] for step in found.steps],
        dict(zip(found.paused.tolist(), found.paused_rounds.tolist(), strict=False)),
    )


@pytest.mark.parametrize("name", ["range", "roundrobin", "sticky", "lag"])
def test_an_eager_assignor_pauses_every_partition_for_one_round(name):
    snapshot = group({"t": 3}, A=Member("t", owned="t-0 t-1", generation=1), B="t")

    assert spelled(asked(snapshot, name, A="t-0 t-1")) == (Kind.EAGER, [(2, 3, 0)], {0: 1, 1: 1})


def test_cooperative_sticky_pauses_what_moves_for_one_round():
    snapshot = group({"t": 4}, A=Member("t", owned="t-0 t-1 t-2 t-3", generation=7), B="t")

    assert spelled(asked(snapshot, "cooperative-sticky", A="t-0 t-1 t-2 t-3")) == (
        Kind.COOPERATIVE,
        [(2, 0, 2), (0, 2, 0)],
        {2: 1, 3: 1},
    )


def test_what_nobody_had_does_not_pause():
    snapshot = group({"t": 2}, A=Member("t", owned="t-0", generation=1), B="t")

    assert spelled(asked(snapshot, "cooperative-sticky", A="t-0")) == (
        Kind.COOPERATIVE,
        [(0, 1, 0)],
        {},
    )


def test_an_assignment_that_a_member_refuses_again_and_again_does_not_settle():
    snapshot = group({"t": 4}, {"consumer1": Member("t"), "consumer2": Member("")})

    found = asked(snapshot, "cooperative-sticky")

    assert not found.is_settled
    assert found.is_endless
    assert found.steps[0] == (0, 2, 0, 2, 0)


def test_with_an_eager_assignor_everybody_stops_again_each_time():
    snapshot = group(
        {"t": 4},
        {"consumer1": Member("t", owned="t-0 t-1 t-2 t-3", generation=1), "consumer2": Member("")},
    )

    found = asked(snapshot, "sticky", consumer1="t-0 t-1 t-2 t-3")

    assert (found.is_settled, found.is_endless, found.paused_count) == (False, True, 4)
    assert found.steps[:2] == ((4, 2, 0, 2, 0), (2, 2, 0, 2, 0))


def test_what_a_member_refuses_is_counted_where_it_was_meant_to_go():
    members = {
        "a": Member(""),
        "b": Member("t", owned="t-0 t-1 t-2", generation=5),
        "c": Member("t", owned="t-3 t-4 t-5", generation=5),
    }

    found = asked(group({"t": 6}, members), "cooperative-sticky", b="t-0 t-1 t-2", c="t-3 t-4 t-5")

    assert found.steps == ((2, 0, 2, 0, 0), (0, 0, 0, 2, 0))


def test_claims_to_what_another_member_has_or_to_what_does_not_exist_are_stale():
    older = {
        "a": Member("t u", owned="u-0 u-1", generation=7),
        "b": Member("t", owned="u-0 u-1", generation=6),
    }
    beyond = {
        "a": Member("t", owned="t-0 t-1 t-7", generation=5),
        "b": Member("t", owned="t-2 t-3", generation=5),
    }

    assert asked(group({"t": 2, "u": 2}, older), "cooperative-sticky", a="u-0 u-1").steps == (
        (2, 2, 0, 0, 2),
        (0, 0, 0, 0, 0),
    )
    assert asked(group({"t": 4}, beyond), "cooperative-sticky", a="t-0 t-1", b="t-2 t-3").steps == (
        (1, 0, 0, 0, 1),
        (0, 0, 0, 0, 0),
    )


def test_a_former_owner_refuses_once_and_the_group_needs_three_rounds():
    members = {
        "A": Member("t1", owned="t0-0", generation=1),
        "B": Member("t0", owned="t0-0 t0-1 t0-2 t0-3 t0-4 t0-5", generation=2),
    }
    found = asked(
        group({"t0": 6, "t1": 2}, members | {"C": Member("t0 t1", generation=2)}),
        "cooperative-sticky",
        B="t0-0 t0-1 t0-2 t0-3 t0-4 t0-5",
    )

    assert (found.round_count, found.is_settled) == (3, True)


def test_a_broker_gives_to_a_later_member_in_the_next_round_and_to_an_earlier_one_a_round_later():
    later = group({"t": 4}, A=Member("t", owned="t-0 t-1 t-2 t-3"), B="t")
    earlier = group({"t": 4}, A="t", B=Member("t", owned="t-0 t-1 t-2 t-3"))

    assert spelled(asked(later, "broker-range", A="t-0 t-1 t-2 t-3")) == (
        Kind.RECONCILED,
        [(2, 0, 2), (0, 2, 0)],
        {2: 1, 3: 1},
    )
    assert spelled(asked(earlier, "broker-range", B="t-0 t-1 t-2 t-3")) == (
        Kind.RECONCILED,
        [(2, 0, 2), (0, 0, 2), (0, 2, 0)],
        {0: 2, 1: 2},
    )


def test_a_share_group_pauses_nothing():
    assert spelled(
        asked(group({"t": 2}, A=Member("t", owned="t-0 t-1"), B="t"), "simple", A="t-0 t-1")
    ) == (Kind.SHARED, [(0, 2, 0)], {})
