"""Work in threads of this process."""

import threading

import pytest

from evenkeel.data.threads import in_daemon_thread, in_threads


def test_results_have_the_order_of_the_items_and_each_item_may_wait_for_the_others():
    together = threading.Barrier(3, timeout=10)

    def work(item: int) -> int:
        together.wait()
        return item * item

    assert in_threads(work, [3, 1, 2], at_once=3) == [9, 1, 4]


def test_a_single_item_needs_no_thread():
    assert in_threads(lambda item: threading.current_thread(), [1]) == [threading.current_thread()]
    assert in_threads(str, []) == []


def test_a_daemon_thread_hands_on_the_result_or_the_error():
    def fail() -> None:
        raise ValueError("no answer")

    assert in_daemon_thread(lambda: 7).result(10) == 7
    with pytest.raises(ValueError, match="no answer"):
        in_daemon_thread(fail).result(10)
