"""Rounds of heartbeats; expected values from Kafka 4.3.1's CurrentAssignmentBuilder."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.rounds.reconciliation import MemberState, reconciliation

STABLE, UNREVOKED, UNRELEASED = MemberState
TARGET_EPOCH = 10


def rounds(owned, target, epoch):
    return reconciliation(
        *(np.array(column, dtype=np.int32) for column in (owned, target, epoch)), TARGET_EPOCH
    )


def spelled(each):
    return {
        name: getattr(each, name).tolist()
        for name in ("assigned", "pending", "added", "revoked", "state", "epoch")
    }


def test_a_partition_goes_to_a_later_member_in_the_round_in_which_the_earlier_one_has_let_go():
    told, done = map(spelled, rounds(owned=[0, 0], target=[0, 1], epoch=[9, 9]))

    assert told == {
        "assigned": [0, -1],
        "pending": [-1, 0],
        "added": [],
        "revoked": [1],
        "state": [UNREVOKED, UNRELEASED],
        "epoch": [9, 10],
    }
    assert done == {
        "assigned": [0, 1],
        "pending": [-1, -1],
        "added": [1],
        "revoked": [],
        "state": [STABLE, STABLE],
        "epoch": [10, 10],
    }


def test_an_earlier_member_waits_one_round_longer():
    told, released, done = map(spelled, rounds(owned=[1, 1], target=[1, 0], epoch=[9, 9]))

    assert told == {
        "assigned": [1, -1],
        "pending": [-1, 1],
        "added": [],
        "revoked": [1],
        "state": [UNRELEASED, UNREVOKED],
        "epoch": [10, 9],
    }
    assert released == {
        "assigned": [1, -1],
        "pending": [-1, -1],
        "added": [],
        "revoked": [],
        "state": [UNRELEASED, STABLE],
        "epoch": [10, 10],
    }
    assert done == {
        "assigned": [1, 0],
        "pending": [-1, -1],
        "added": [1],
        "revoked": [],
        "state": [STABLE, STABLE],
        "epoch": [10, 10],
    }


def test_a_partition_that_nobody_has_is_added_at_once_but_not_by_a_member_that_must_revoke():
    first, second = rounds(owned=[-1, -1, 1, -1], target=[0, 1, -1, -1], epoch=[9, 9])

    assert (first.assigned.tolist(), second.assigned.tolist()) == ([0, -1, -1, -1], [0, 1, -1, -1])
    assert (first.state.tolist(), second.state.tolist()) == ([STABLE, UNREVOKED], [STABLE, STABLE])


def test_members_that_keep_everything_only_take_the_epoch():
    (only,) = rounds(owned=[0, 1], target=[0, 1], epoch=[9, 10])

    assert spelled(only) == {
        "assigned": [0, 1],
        "pending": [-1, -1],
        "added": [],
        "revoked": [],
        "state": [STABLE, STABLE],
        "epoch": [10, 10],
    }
    assert rounds(owned=[0, 1], target=[0, 1], epoch=[10, 10]) == ()


def test_a_member_at_the_target_epoch_must_have_nothing_to_give_up():
    with pytest.raises(
        ValueError,
        match=(
            "topic-partition 1 is owned by member 0, expected 1, because that member is at epoch 10"
            " already"
        ),
    ):
        rounds(owned=[0, 0], target=[0, 1], epoch=[10, 9])


@given(
    st.integers(1, 6).flatmap(
        lambda members: st.tuples(
            st.just(members), st.lists(st.tuples(*[st.integers(-1, members - 1)] * 2), max_size=20)
        )
    )
)
def test_every_member_gets_its_target_in_three_rounds_and_no_partition_is_with_two(case):
    member_count, pairs = case
    owned, target = np.array(pairs, dtype=np.int32).reshape(-1, 2).T

    history = rounds(owned, target, [9] * member_count)

    assert 1 <= len(history) <= 3
    assert history[-1].assigned.tolist() == target.tolist()
    for before, after in zip(history, history[1:], strict=False):
        assert not ((after.assigned != -1) & (after.pending != -1)).any()
        assert (before.pending[after.added] < after.assigned[after.added]).all()
