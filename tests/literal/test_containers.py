"""HashMap and HashSet iteration; expected orders from a JVM 17, and 25 where the rule for copies
changed.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.java import collections
from evenkeel.assignors.java.collections import compute_order, put_order, put_orders
from evenkeel.assignors.java.hashing import set_capacity, string_hashes
from tests.literal.containers import HashMap, HashSet

STRIDE_8 = list(range(0, 120, 10))
KEYS = st.lists(
    st.one_of(
        st.integers(0, 400),
        st.integers(0, 60).map(lambda number: number * 64),
        st.integers(-(2**31), 2**31 - 1),
    ),
    unique=True,
    max_size=120,
)
"""Hash codes: dense, colliding and any."""


def text_set(*texts):
    codes = dict(zip(texts, string_hashes(texts).tolist(), strict=False))
    result = HashSet(codes.__getitem__)
    for text in texts:
        result.add(text)
    return list(result)


def codes_of(keys):
    return np.array(keys, dtype=np.int64).astype(np.uint32)


@pytest.mark.parametrize(
    ("added", "iterates"),
    [
        ("consumer1 consumer2 consumer3 consumer4", "consumer4 consumer3 consumer2 consumer1"),
        (
            " ".join(f"consumer{number}" for number in range(10)),
            " ".join(f"consumer{number}" for number in reversed(range(10))),
        ),
        (
            " ".join(f"c{number}" for number in range(1, 21)),
            "c20 c11 c10 c13 c12 c15 c14 c17 c16 c19 c18 c1 c2 c3 c4 c5 c6 c7 c8 c9",
        ),
        ("topic topic1 topic2 topic3 topic4 topic5", "topic1 topic2 topic5 topic3 topic4 topic"),
        (
            " ".join(f"member{number}" for number in range(13)),
            " ".join(f"member{number}" for number in (8, 11, 9, 12, 6, 7, 10, 4, 5, 2, 3, 0, 1)),
        ),
        ("A B C", "A B C"),
        ("t1 t2 t3", "t1 t2 t3"),
        ("Aa BB", "Aa BB"),
        ("BB Aa", "BB Aa"),
    ],
)
def test_strings_iterate_by_bucket_and_in_insertion_order_inside_one(added, iterates):
    assert text_set(*added.split()) == iterates.split()


def test_integers_iterate_by_value_modulo_the_capacity():
    numbers = HashSet(int)

    for number in (0, 17, 33, 5, 16):
        numbers.add(number)

    assert list(numbers) == [0, 16, 17, 33, 5]


@pytest.mark.parametrize(
    ("jdk", "numbers", "iterates"),
    [
        (17, STRIDE_8, [0, 100, 70, 40, 10, 110, 80, 50, 20, 90, 60, 30]),
        (18, STRIDE_8, [0, 100, 70, 40, 10, 110, 80, 50, 20, 90, 60, 30]),
        (19, STRIDE_8, [0, 80, 50, 20, 100, 70, 40, 10, 90, 60, 30, 110]),
        (25, STRIDE_8, [0, 80, 50, 20, 100, 70, 40, 10, 90, 60, 30, 110]),
        (17, [*STRIDE_8, 120], [0, 100, 70, 40, 10, 110, 80, 50, 20, 120, 90, 60, 30]),
        (25, [*STRIDE_8, 120], [0, 100, 70, 40, 10, 110, 80, 50, 20, 120, 90, 60, 30]),
    ],
)
def test_a_set_made_from_a_list_is_sized_by_the_rule_of_its_jdk(jdk, numbers, iterates):
    assert list(HashSet.of(int, numbers, jdk)) == iterates


def test_compute_if_absent_inserts_at_the_head_and_doubles_one_entry_later():
    by_put, by_compute = HashMap(int), HashMap(int)

    for number in [*range(12), 16]:
        by_put.put(number)
        by_compute.compute_if_absent(number, list)

    assert list(by_put) == [*range(12), 16]
    assert list(by_compute) == [16, *range(12)]


def test_a_removed_entry_leaves_the_order_and_the_capacity_as_they_are():
    map = HashMap(int)
    for number in [*range(13), 33]:
        map.put(number, str(number))

    assert map.remove(1) == "1"
    assert map.remove(99) is None
    assert list(map)[:3] == [0, 33, 2]


def test_a_map_made_for_no_entries_begins_with_one_bucket():
    map = HashMap(int, 0)

    for number in (1, 0, 3, 2):
        map.compute_if_absent(number, list)

    assert list(map) == [0, 1, 2, 3]


def test_nine_keys_in_one_bucket_double_a_small_table_and_make_a_tree_of_a_large_one():
    small, large = HashMap(int), HashMap(int, 64)

    for number in range(9):
        small.put(16 * number)
        large.put(64 * number)

    assert list(small) == [0, 32, 64, 96, 128, 16, 48, 80, 112]
    assert (small.tree_bin, large.tree_bin) == (False, True)


@given(KEYS, st.sampled_from([1, 2, 16, 64, 256]))
def test_the_order_of_whole_insertions_is_that_of_entry_by_entry(keys, first_capacity):
    by_put, by_compute = HashMap(int, first_capacity), HashMap(int, first_capacity)
    for key in keys:
        by_put.put(key)
        by_compute.compute_if_absent(key, list)

    put, computed = (
        put_order(codes_of(keys), first_capacity),
        compute_order(codes_of(keys), first_capacity),
    )

    assert (put.tree_bin, computed.tree_bin) == (by_put.tree_bin, by_compute.tree_bin)
    assert by_put.tree_bin or [keys[row] for row in put.rows] == list(by_put)
    assert by_compute.tree_bin or [keys[row] for row in computed.rows] == list(by_compute)


@given(st.lists(KEYS, max_size=6), st.sampled_from([17, 21]))
def test_the_orders_of_many_sets_at_once_are_those_of_one_by_one(lists, jdk):
    sets = [HashSet.of(int, keys, jdk) for keys in lists]
    start = np.cumsum([0, *map(len, lists)])
    keys = [key for keys in lists for key in keys]

    orders = put_orders(
        codes_of(keys),
        start,
        np.array([set_capacity(len(keys), jdk) for keys in lists], dtype=np.int64),
    )

    assert orders.tree_bin == any(one.tree_bin for one in sets)
    assert orders.tree_bin or [keys[row] for row in orders.rows] == [
        key for one in sets for key in one
    ]


@given(KEYS, st.integers(0, 120), st.sampled_from([1, 64]))
def test_a_set_between_changes_iterates_as_the_map_of_the_same_changes(keys, removed_count, stride):
    one, map = collections.HashSet(lambda key: stride * key), HashMap(lambda key: stride * key)
    for key in [*keys, *keys[:3]]:
        one.add(key)
        map.put(key)
    for key in keys[:removed_count]:
        one.remove(key)
        map.remove(key)

    assert (len(one), one.tree_bin) == (len(map), map.tree_bin)
    assert one.tree_bin or list(one) == list(map)
