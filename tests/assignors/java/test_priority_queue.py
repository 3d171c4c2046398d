from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.java.priority_queue import PriorityQueue


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
