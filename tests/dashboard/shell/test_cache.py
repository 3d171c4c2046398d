"""Kept: values by key under a number of bytes."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evenkeel.dashboard.shell.cache import ValueCache, size_of
from evenkeel.data.rebalances.event import Trigger

THOUSAND = np.zeros(125)


def made(values):
    """Return a maker that notes down what it makes."""
    return lambda key, value: lambda: values.append(key) or value


def test_the_least_recently_used_goes_first_so_that_all_stay_under_the_limit():
    kept, makes = ValueCache(lambda: 3_500), []
    make = made(makes)
    for key in ("a", "b", "c", "a", "d", "a", "b"):
        kept.get(key, make(key, THOUSAND.copy()))

    assert makes == ["a", "b", "c", "d", "b"]
    assert kept.byte_count <= 3_500


def test_what_is_larger_than_the_limit_is_returned_and_not_kept():
    kept, makes = ValueCache(lambda: 3_500), []
    make = made(makes)
    kept.get("small", make("small", THOUSAND.copy()))
    for _ in range(2):
        assert len(kept.get("large", make("large", np.zeros(1_000)))) == 1_000

    kept.get("small", make("small", THOUSAND.copy()))

    assert makes == ["small", "large", "large"]
    assert kept.byte_count <= 3_500


def test_a_value_ends_after_its_time():
    now = [0.0]
    kept, makes = ValueCache(lambda: 1_000, clock=lambda: now[0]), []
    for now[0] in (0.0, 9.0, 10.0):
        kept.get("a", made(makes)("a", 1), seconds=10)

    assert makes == ["a", "a"]


def test_two_who_ask_at_once_get_what_one_of_them_makes():
    kept, makes, begun, go = ValueCache(lambda: 1_000), [], threading.Event(), threading.Event()

    def make():
        begun.set()
        assert go.wait(60)
        makes.append(1)
        return "made"

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(kept.get, "a", make)
        assert begun.wait(60)
        second = threads.submit(kept.get, "a", make)
        go.set()

        assert [first.result(60), second.result(60)] == ["made", "made"]
    assert makes == [1]


def test_what_could_not_be_made_is_made_by_the_next_who_asks():
    kept = ValueCache(lambda: 1_000)
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 / 0)

    assert kept.get("a", lambda: 1) == 1


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        (np.zeros(1_000), 8_000, 8_300),
        ((np.zeros(1_000),) * 5, 8_000, 8_500),
        ([np.zeros(1_000)[:10], {"a": np.zeros(1_000)}], 16_000, 17_000),
        (np.broadcast_to(np.zeros(1), (10**9,)), 8, 500),
        (Trigger("unknown", None, "x" * 8_000), 8_000, 8_500),
        ([str(number).rjust(1_000) for number in range(5_000)], 5_000_000, 5_500_000),
    ],
)
def test_the_size_of_a_value_counts_what_it_holds_once(value, least, most):
    assert least <= size_of(value) <= most
