"""What members own, as rows, as integers and as claims."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.group.owned import (
    are_among,
    distinct_rows,
    held_rows,
    numbers_of,
    with_owned,
    with_target,
)
from tests.assignors.groups import Member, assignment, group

SNAPSHOT = group({"a": 3, "b": 3}, A="a b", B="a b", C="a b")


def test_an_answer_becomes_claims_of_its_generation_by_topic_and_partition():
    snapshot = group(
        {"t0": 3, "t1": 2}, A=Member("t0 t1", owned="t1-1", generation=4), B="t0 t1", C="t0"
    )

    following = with_owned(
        snapshot, assignment(snapshot, B="t1-0 t0-2 t0-0", A="t0-1 t1-1 t0-7"), generation=5
    )

    claims = np.column_stack(
        (following.claim_member, following.claim_topic, following.claim_partition)
    ).tolist()
    assert claims == [[0, 0, 1], [0, 0, 7], [0, 1, 1], [1, 0, 0], [1, 0, 2], [1, 1, 0]]
    assert following.generation.tolist() == [5, 5, 5]
    assert snapshot.claim_member.tolist() == [0]


def test_a_partition_of_two_owners_is_claimed_by_both():
    snapshot = group({"t0": 1}, A="t0", B="t0")

    rows = held_rows(snapshot, assignment(snapshot, A="t0-0", B="t0-0"))

    assert rows.tolist() == [[0, 0, 0], [1, 0, 0]]


def test_what_a_member_owned_nothing_of_is_not_claimed_again():
    snapshot = group({"t0": 1, "t1": 1}, A=Member("t0 t1", owned="t0- t1-0"))

    assert snapshot.owned_empty.tolist() == [[0, 0, 0]]
    assert (
        with_owned(snapshot, assignment(snapshot, A="t0-0"), generation=1).owned_empty.tolist()
        == []
    )


# The hash code of an id (0, n) is n: a HashMap of 16 buckets has 1 and 17 in one bucket.
def test_a_new_target_is_stored_in_the_order_of_a_map_of_topic_ids():
    snapshot = group({"t0": 1, "t1": 1}, A="t0 t1", ids={"t0": (0, 2), "t1": (0, 1)})

    assert with_target(snapshot, assignment(snapshot, A="t0-0 t1-0")).claim_topic.tolist() == [1, 0]


def test_where_topic_ids_share_a_bucket_a_topic_that_is_new_for_the_member_comes_first():
    snapshot = group(
        {"t0": 1, "t1": 1}, A=Member("t0 t1", owned="t0-0"), ids={"t0": (0, 1), "t1": (0, 17)}
    )

    assert with_target(snapshot, assignment(snapshot, A="t0-0 t1-0")).claim_topic.tolist() == [1, 0]


def test_of_new_topics_in_one_bucket_the_one_that_was_dealt_last_comes_first():
    snapshot = group({"t0": 1, "t1": 1}, A="t0 t1", ids={"t0": (0, 1), "t1": (0, 17)})
    answer = assignment(snapshot, A="t0-0 t1-0")

    dealt = [
        replace(answer, dealt=(np.zeros(2, dtype=int), np.array(topics)))
        for topics in ([0, 1], [1, 0])
    ]

    assert [with_target(snapshot, one).claim_topic.tolist() for one in dealt] == [[1, 0], [0, 1]]


def test_a_target_that_stays_keeps_the_order_in_which_it_is_stored():
    snapshot = group(
        {"t0": 1, "t1": 1}, A=Member("t0 t1", owned="t0-0 t1-0"), ids={"t0": (0, 2), "t1": (0, 1)}
    )

    assert with_target(snapshot, assignment(snapshot, A="t0-0 t1-0")).claim_topic.tolist() == [0, 1]


def test_a_target_without_partitions_is_stored_as_nothing():
    snapshot = group({"t0": 1}, A=Member("t0", owned="t0-0"))

    assert with_target(snapshot, assignment(snapshot)).claim_topic.tolist() == []


def rows(*triples):
    return np.array(triples, dtype=np.int32).reshape(-1, 3)


def test_a_smaller_row_has_the_smaller_number_also_beyond_a_topics_size():
    ascending = rows((0, 0, 0), (0, 0, 2**31 - 1), (0, 1, 0), (1, 0, 1), (2, 1, 2))

    assert (np.diff(numbers_of(SNAPSHOT, ascending)) > 0).all()


def test_rows_come_ascending_and_each_once():
    assert distinct_rows(
        SNAPSHOT, rows((2, 1, 2**31 - 1), (0, 1, 1), (0, 0, 2), (0, 1, 1))
    ).tolist() == [
        [0, 0, 2],
        [0, 1, 1],
        [2, 1, 2**31 - 1],
    ]
    assert distinct_rows(SNAPSHOT, rows()).tolist() == []


def test_which_numbers_are_among_others():
    assert are_among(np.array([5, 1, 9, 3]), np.array([1, 3, 5])).tolist() == [
        True,
        True,
        False,
        True,
    ]
    assert are_among(np.array([5]), np.array([], dtype=np.int64)).tolist() == [False]
