import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.java import hash_map, strings
from tests.literal.hash_map import LiteralHashMap


def iterated(keys: list[str]) -> list[str]:
    return [keys[row] for row in hash_map.put_order(strings.hashes(keys)).rows]


def iterated_numbers(hashes: list[int]) -> list[int]:
    return [hashes[row] for row in hash_map.put_order(np.array(hashes, dtype=np.uint32)).rows]


def numbered(prefix: str, numbers) -> list[str]:
    return [f"{prefix}{number}" for number in numbers]


@pytest.mark.parametrize(
    ("inserted", "expected"),
    [
        (numbered("consumer", range(1, 5)), numbered("consumer", (4, 3, 2, 1))),
        (numbered("consumer", range(10)), numbered("consumer", range(9, -1, -1))),
        (numbered("c", range(1, 21)), numbered("c", (20, 11, 10, 13, 12, 15, 14, 17, 16, 19, 18, 1, 2, 3, 4, 5, 6, 7, 8, 9))),
        (["topic", *numbered("topic", range(1, 6))], [*numbered("topic", (1, 2, 5, 3, 4)), "topic"]),
        (numbered("member", range(13)), numbered("member", (8, 11, 9, 12, 6, 7, 10, 4, 5, 2, 3, 0, 1))),
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
        f"{subtopology}_{partition}": 31 * (31 * (31 + subtopology) + partition) for subtopology in range(3) for partition in range(4)
    }

    order = hash_map.put_order(np.array(list(hash_of.values()), dtype=np.uint32))

    assert [list(hash_of)[row] for row in order.rows] == "1_0 2_1 2_0 0_3 0_2 1_3 0_1 1_2 2_3 0_0 1_1 2_2".split()


# Multiples of 16 meet in one bucket of a small table, multiples of 64 in one of a bigger one.
@given(
    st.lists(
        st.integers(0, 12).map(lambda n: 16 * n) | st.integers(0, 60).map(lambda n: 64 * n) | st.integers(0, 2**32 - 1),
        unique=True,
        max_size=200,
    )
)
def test_a_map_iterates_as_one_whose_chains_are_walked(hashes):
    literal = LiteralHashMap()
    for number in hashes:
        literal.put(number, number)

    order = hash_map.put_order(np.array(hashes, dtype=np.uint32))

    assert order.tree_bin == literal.tree_bin
    if not literal.tree_bin:
        assert [hashes[row] for row in order.rows] == list(literal)


def test_nine_keys_in_one_bucket_of_a_small_table_double_it_and_of_a_big_one_are_reported():
    same_bucket = np.arange(11, dtype=np.uint32) << np.uint32(8)

    assert not hash_map.put_order(same_bucket[:10]).tree_bin
    assert hash_map.put_order(same_bucket).tree_bin
