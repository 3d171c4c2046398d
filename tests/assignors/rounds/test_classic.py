"""Rebalances in a row."""

import time

import numpy as np
import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group.owned import with_owned
from evenkeel.assignors.rounds.classic import MOST_ROUNDS, rounds
from tests.assignors.groups import Member, group, spelled
from tests.benchmarks.assignors.shapes import columns

cooperative = ASSIGNORS["cooperative-sticky"]()
both = pytest.mark.parametrize("name", ["sticky", "cooperative-sticky"])
FORMER_OWNER = {
    "A": Member("t1", owned="t0-0", generation=1),
    "B": Member("t0", owned="t0-0 t0-1 t0-2 t0-3 t0-4 t0-5", generation=2),
    "C": Member("t0 t1", generation=2),
}


def names(snapshot, rows):
    return [
        f"{snapshot.member_id[row[0]]}:{snapshot.topic_name[row[1]]}"
        + "".join(f"-{number}" for number in row[2:])
        for row in rows.tolist()
    ]


def test_what_moves_is_revoked_in_the_first_round_and_assigned_in_the_second():
    snapshot = group({"t": 4}, A=Member("t", owned="t-0 t-1 t-2 t-3", generation=7), B="t")

    result = rounds(snapshot, cooperative)

    assert [spelled(each.group, each.assignment) for each in result.rounds] == [
        {"A": "t-0 t-1", "B": ""},
        {"A": "t-0 t-1", "B": "t-2 t-3"},
    ]
    assert [names(snapshot, each.revoked) for each in result.rounds] == [["A:t-2", "A:t-3"], []]
    assert [each.group.generation.tolist() for each in result.rounds] == [[7, -1], [8, 8]]
    assert result.is_settled


def test_a_balanced_group_needs_one_round():
    snapshot = group(
        {"t": 2}, A=Member("t", owned="t-0", generation=1), B=Member("t", owned="t-1", generation=1)
    )

    result = rounds(snapshot, cooperative)

    assert len(result.rounds) == 1
    assert (result.is_settled, result.is_endless) == (True, False)


def test_what_is_owned_of_a_topic_that_is_gone_is_revoked():
    snapshot = group({"t": 1}, A=Member("t", owned="gone-0 t-0", generation=1))

    result = rounds(snapshot, cooperative)

    assert [names(snapshot, each.revoked) for each in result.rounds] == [["A:gone-0"], []]


@both
def test_a_member_that_rejects_what_it_never_subscribed_to_is_reported_and_does_not_loop_for_ever(
    name,
):
    snapshot = group({"t": 4}, {"consumer1": Member("t"), "consumer2": Member("")})

    result = rounds(snapshot, ASSIGNORS[name]())

    assert (result.is_settled, result.is_endless) == (False, True)
    assert len(result.rounds) < MOST_ROUNDS
    assert [names(snapshot, each.rejected) for each in result.rounds] == [["consumer2:t"]] * len(
        result.rounds
    )


def test_a_partition_back_at_a_former_owner_is_rejected_once_if_older_claims_are_forgotten():
    snapshot = group({"t0": 6, "t1": 2}, FORMER_OWNER)

    result = rounds(snapshot, cooperative)

    assert [names(snapshot, each.rejected) for each in result.rounds] == [["A:t0"], [], []]
    assert result.is_settled
    assert spelled(snapshot, result.rounds[-1].assignment) == {
        "A": "t1-0 t1-1",
        "B": "t0-3 t0-4 t0-5",
        "C": "t0-0 t0-1 t0-2",
    }


def test_a_partition_back_at_a_former_owner_is_rejected_for_ever_if_the_owner_claims_it_again():
    snapshot = group({"t0": 6, "t1": 2}, FORMER_OWNER)

    result = rounds(snapshot, ASSIGNORS["sticky"]())

    assert (result.is_settled, result.is_endless) == (False, True)
    assert [names(snapshot, each.rejected) for each in result.rounds] == [["A:t0"]] * len(
        result.rounds
    )
    assert [each.group.generation.tolist() for each in result.rounds] == [[1, 2, 2], [1, 3, 3]]


def test_an_eager_group_needs_one_round_whatever_moves():
    snapshot = group({"t": 4}, A=Member("t", owned="t-0 t-1 t-2 t-3", generation=7), B="t")

    result = rounds(snapshot, ASSIGNORS["sticky"]())

    assert [names(snapshot, each.revoked) for each in result.rounds] == [["A:t-2", "A:t-3"]]
    assert result.is_settled


def test_what_kafkas_class_throws_ends_the_rounds():
    with pytest.raises(AssignorError, match="0 members"):
        rounds(group({"t": 1}), cooperative)


def test_the_rounds_of_many_partitions_take_as_long_as_some_sorts_of_as_many_numbers():
    snapshot = columns(100, 3_000, 300)
    snapshot = with_owned(snapshot, ASSIGNORS["range"]().assign(snapshot), 1)
    begin = time.process_time()
    for _ in range(20):
        np.sort(np.random.default_rng(0).permutation(300_000))
    sorts = time.process_time() - begin

    begin = time.process_time()
    rounds(snapshot, cooperative)

    assert time.process_time() - begin < 2 * sorts
