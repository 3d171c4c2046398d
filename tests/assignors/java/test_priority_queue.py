"""PriorityQueue; expected arrays from a JVM 17."""

import heapq

from hypothesis import given
from hypothesis import strategies as st

from assignors.java.priority_queue import PriorityQueue


def by_size(words):
    queue = PriorityQueue(len)
    for word in words.split():
        queue.offer(word)
    return queue


def test_equal_elements_stand_as_the_array_of_the_heap_leaves_them():
    queue = by_size("00000 111 22222 3 444 5 6666 77 88")

    assert " ".join(queue) == "3 77 5 88 444 22222 6666 00000 111"

    assert queue.poll() == "3"
    assert " ".join(queue) == "5 77 111 88 444 22222 6666 00000"

    assert queue.poll() == "5"
    assert " ".join(queue) == "77 88 111 00000 444 22222 6666"

    queue.remove("444")
    assert " ".join(queue) == "77 88 111 00000 6666 22222"


def test_a_queue_made_from_a_collection_is_put_in_order_from_the_middle_down():
    queue = PriorityQueue(int, [9, 8, 7, 6, 5, 4, 3, 2, 1])

    assert list(queue) == [1, 2, 3, 6, 5, 4, 7, 8, 9]

    queue.remove(8)
    queue.remove(4)
    queue.remove(99)
    assert list(queue) == [1, 2, 3, 6, 5, 9, 7]


def test_the_element_that_fills_a_gap_rises_where_it_does_not_sink():
    queue = PriorityQueue(int, [0, 10, 1, 11, 12, 2, 3, 13, 14, 15, 16, 4])

    queue.remove(13)

    assert list(queue) == [0, 4, 1, 10, 12, 2, 3, 11, 14, 15, 16]


@given(st.lists(st.integers(-9, 9)))
def test_a_queue_hands_out_the_least_element_first(numbers):
    queue = PriorityQueue(int)
    for number in numbers:
        queue.offer(number)

    assert [queue.poll() for _ in numbers] == heapq.nsmallest(len(numbers), numbers)
