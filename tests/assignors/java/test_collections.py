"""Orders of Java's, Scala's and Kafka's collections: what a JVM iterated, slow readings, and the
same for whole insertions at once.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.java.collections import (
    PriorityQueue,
    least_timeline_slots,
    put_order,
    scala_order,
)
from evenkeel.assignors.java.hashing import string_hashes
from tests.literal.hash_map import LiteralHashMap

WITH_EQUAL_HASH_CODES = [
    "orders",
    "payments",
    "returns",
    "Aa",
    "BB",
    "AaAa",
    "BBBB",
    "AaBB",
    "BBAa",
]


def iterated(keys: list[str]) -> list[str]:
    return [keys[row] for row in put_order(string_hashes(keys)).rows]


def iterated_numbers(hashes: list[int]) -> list[int]:
    return [hashes[row] for row in put_order(np.array(hashes, dtype=np.uint32)).rows]


def numbered(prefix: str, numbers) -> list[str]:
    return [f"{prefix}{number}" for number in numbers]


@pytest.mark.parametrize(
    ("inserted", "expected"),
    [
        (numbered("consumer", range(1, 5)), numbered("consumer", (4, 3, 2, 1))),
        (numbered("consumer", range(10)), numbered("consumer", range(9, -1, -1))),
        (
            numbered("c", range(1, 21)),
            numbered("c", (20, 11, 10, 13, 12, 15, 14, 17, 16, 19, 18, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
        ),
        (
            ["topic", *numbered("topic", range(1, 6))],
            [*numbered("topic", (1, 2, 5, 3, 4)), "topic"],
        ),
        (
            numbered("member", range(13)),
            numbered("member", (8, 11, 9, 12, 6, 7, 10, 4, 5, 2, 3, 0, 1)),
        ),
        (["A", "B", "C"], ["A", "B", "C"]),
        (["t1", "t2", "t3"], ["t1", "t2", "t3"]),
        (numbered("worker", range(1, 6)), numbered("worker", range(1, 6))),
        (["Aa", "BB"], ["Aa", "BB"]),
        (["BB", "Aa"], ["BB", "Aa"]),
        ([], []),
    ],
)
def test_strings_iterate_as_in_java(inserted, expected):
    assert iterated(inserted) == expected


def test_integers_iterate_as_in_java():
    assert iterated_numbers([0, 17, 33, 5, 16]) == [0, 16, 17, 33, 5]


def test_task_ids_iterate_as_in_java():
    hash_of = {
        f"{subtopology}_{partition}": 31 * (31 * (31 + subtopology) + partition)
        for subtopology in range(3)
        for partition in range(4)
    }

    order = put_order(np.array(list(hash_of.values()), dtype=np.uint32))

    assert [list(hash_of)[row] for row in order.rows] == [
        "1_0",
        "2_1",
        "2_0",
        "0_3",
        "0_2",
        "1_3",
        "0_1",
        "1_2",
        "2_3",
        "0_0",
        "1_1",
        "2_2",
    ]


# Multiples of 16 meet in one bucket of a small table, multiples of 64 in one of a bigger one.
@given(
    st.lists(
        st.integers(0, 12).map(lambda n: 16 * n)
        | st.integers(0, 60).map(lambda n: 64 * n)
        | st.integers(0, 2**32 - 1),
        unique=True,
        max_size=200,
    )
)
def test_a_map_iterates_as_one_whose_chains_are_walked(hashes):
    literal = LiteralHashMap()
    for number in hashes:
        literal.put(number, number)

    order = put_order(np.array(hashes, dtype=np.uint32))

    assert order.tree_bin == literal.tree_bin
    if not literal.tree_bin:
        assert [hashes[row] for row in order.rows] == list(literal)


def test_nine_keys_in_one_bucket_of_a_small_table_double_it_and_of_a_big_one_are_reported():
    same_bucket = np.arange(11, dtype=np.uint32) << np.uint32(8)

    assert not put_order(same_bucket[:10]).tree_bin
    assert put_order(same_bucket).tree_bin


def test_a_queue_made_from_a_collection_is_laid_out_as_javas():
    assert list(PriorityQueue(elements=[5, 3, 8, 1])) == [1, 3, 8, 5]


def test_elements_rise_and_sink_as_in_java():
    queue = PriorityQueue()
    for element in (4, 3, 2, 1, 0):
        queue.offer(element)

    assert list(queue) == [0, 1, 3, 4, 2]
    assert queue.poll() == 0
    assert list(queue) == [1, 2, 3, 4]


def test_what_fills_the_place_of_a_removed_element_may_rise():
    queue = PriorityQueue(elements=[0, 10, 1, 11, 12, 2, 3])
    queue.remove(11)

    assert list(queue) == [0, 3, 1, 10, 12, 2]


def test_a_key_that_changes_does_not_move_its_element():
    weight = {"a": 1, "b": 2, "c": 3}
    queue = PriorityQueue(weight.__getitem__, "abc")
    weight["c"] = 0

    assert queue.poll() == "a"
    assert list(queue) == ["c", "b"]


@given(st.lists(st.integers(0, 9)), st.lists(st.integers(0, 9)))
def test_every_element_comes_out_in_order(first, later):
    queue = PriorityQueue(elements=first)
    for element in later:
        queue.offer(element)

    assert [queue.poll() for _ in range(len(queue))] == sorted([*first, *later])


def test_a_map_has_room_for_one_key_more_than_it_holds():
    assert [least_timeline_slots(count) for count in range(12)] == [
        2,
        2,
        4,
        4,
        4,
        8,
        8,
        8,
        8,
        8,
        16,
        16,
    ]


def test_names_alone_in_their_slot_come_first_and_those_with_one_hash_code_keep_their_order():
    iterated = ["payments", "returns", "orders", "Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa"]

    assert scala_order(WITH_EQUAL_HASH_CODES) == iterated


def test_names_that_share_a_slot_come_after_the_others_by_their_next_five_bits():
    iterated = (
        "t36 t14 t39 t17 t15 t27 t38 t21 t10 t30 t19 t22 t11 t31 t20 t29 t13 t4 t5 t35 t24 t18 t0"
        " t9 t3 t32 t25 t28 t6 t2 t7 t37 t16 t33 t26 t23 t8 t12 t1 t34"
    )

    assert scala_order([f"t{number}" for number in range(40)]) == iterated.split()
