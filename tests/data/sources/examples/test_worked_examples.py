import subprocess
import sys
import time

import numpy as np
import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.group.lag import page_lag
from evenkeel.data.group.columns import assignment_by_name, document_of
from evenkeel.data.sources.examples.worked_examples import WORKED_EXAMPLES, worked_example


def answers(slug: str, assignor: str) -> dict:
    """Return what a strategy gives each member of an example."""
    observed = worked_example(slug).load()
    return assignment_by_name(observed, ASSIGNORS[assignor]().assign(observed.snapshot))


def loads(slug: str, assignor: str | None = None):
    """Return the balance of an example, of what it has now where no strategy is named."""
    observed = worked_example(slug).load()
    assignment = ASSIGNORS[assignor]().assign(observed.snapshot) if assignor else observed.current
    return balance(observed.snapshot, assignment, page_lag(observed.snapshot))


def test_range_splits_two_topics_of_three_partitions_four_to_two():
    assert answers("two-consumers", "range") == {
        "consumer1": {"topic1": [0, 1], "topic2": [0, 1]},
        "consumer2": {"topic1": [2], "topic2": [2]},
    }


def test_roundrobin_splits_two_topics_of_three_partitions_three_to_three():
    assert answers("two-consumers", "roundrobin") == {
        "consumer1": {"topic1": [0, 2], "topic2": [1]},
        "consumer2": {"topic1": [1], "topic2": [0, 2]},
    }


def test_range_gives_a_third_consumer_one_partition_of_each_topic():
    assert answers("third-consumer-joins", "range") == {
        f"consumer{number + 1}": {"topic1": [number], "topic2": [number]} for number in range(3)
    }


def test_what_the_third_consumer_finds_is_the_assignment_of_two():
    observed = worked_example("third-consumer-joins").load()

    assert assignment_by_name(observed, observed.current) == {
        **answers("two-consumers", "range"),
        "consumer3": {},
    }


def test_lag_gives_the_largest_lag_to_one_member_alone():
    assert answers("lag-aware", "lag") == {"C0": {"t0": [0]}, "C1": {"t0": [1, 2]}}
    assert loads("lag-aware", "lag").lag.tolist() == [100_000, 110_000]


@pytest.mark.parametrize(("assignor", "worst"), [("range", 160_000), ("roundrobin", 150_000)])
def test_who_counts_partitions_loads_one_member_with_most_of_the_lag(assignor, worst):
    assert loads("lag-aware", assignor).max_lag == worst


def test_the_listing_of_ten_consumers_has_a_partition_for_each():
    observed = worked_example("ten-consumers-kafka-0.10").load()

    assert (observed.group_id, observed.level, observed.snapshot.topic_name) == (
        "test-group02",
        2,
        ("topic01",),
    )
    assert observed.snapshot.member_id[:2] == ("client-6_/192.168.1.13", "client-2_/192.168.1.13")
    assert (observed.client_id[0], observed.host[0]) == ("client-6", "/192.168.1.13")
    lag = page_lag(observed.snapshot)
    assert lag.tolist() == [
        637691,
        654020,
        673096,
        719966,
        716874,
        638532,
        652868,
        673727,
        719866,
        717543,
    ]
    assert (lag.min(), lag.max()) == (637_691, 719_966)
    assert loads("ten-consumers-kafka-0.10").partition_count.tolist() == [1] * 10


def test_the_listing_of_three_consumers_has_two_topics_on_each():
    observed = worked_example("three-consumers-kafka-0.10").load()

    assert observed.group_id == "test-group03"
    assert page_lag(observed.snapshot).tolist() == [2833, 3334, 2833, 3333, 2834, 3333]
    assert assignment_by_name(observed, observed.current) == {
        f"client-{number}_/192.168.1.13": {"topic1": [number], "topic2": [number]}
        for number in (0, 2, 1)
    }


def test_one_member_of_twelve_holds_half_the_lag_of_a_hundred_partitions():
    observed = worked_example("one-hot-partition").load()
    current = loads("one-hot-partition")

    assert dict(
        zip(observed.snapshot.topic_name, observed.snapshot.partition_count.tolist(), strict=True)
    ) == {
        "orders": 60,
        "payments": 32,
        "refunds": 8,
    }
    assert observed.client_id == tuple(f"pay-eu-{number:02}" for number in range(1, 13))
    assert (current.total_lag, current.max_lag, current.idle_members) == (416_387, 218_304, 1)
    assert current.max_lag_share == pytest.approx(6.29, abs=0.005)
    assert page_lag(observed.snapshot).max() == 141_386


def test_its_eleven_owners_are_as_even_as_sticky_leaves_them():
    counts = loads("one-hot-partition").partition_count

    assert sorted(counts[counts > 0].tolist()) == [9] * 10 + [10]


def test_range_leaves_four_of_ten_members_idle_on_five_topics_of_six_partitions():
    found = loads("idle-under-range", "range")

    assert found.partition_count.tolist() == [5] * 6 + [0] * 4
    assert loads("idle-under-range").partition_count.tolist() == found.partition_count.tolist()


def test_members_of_differing_subscriptions_get_only_what_they_read():
    observed = worked_example("differing-subscriptions").load()

    assert len(observed.snapshot.topic_lists) == 3
    assert assignment_by_name(observed, observed.current) == answers(
        "differing-subscriptions", "roundrobin"
    )


def test_as_many_members_as_partitions_get_one_each_at_once():
    started = time.process_time()
    found = loads("kafka-9987", "range")

    assert np.unique(found.partition_count, return_counts=True)[1].tolist() == [2_100]
    assert time.process_time() - started < 1


@pytest.mark.parametrize("example", WORKED_EXAMPLES, ids=lambda example: example.slug)
def test_an_example_is_read_once_and_written_as_a_document(example):
    assert example.load() is example.load()
    assert document_of(example.load())["format"] == "evenkeel.group/1"
    assert worked_example(example.slug) is example


def test_the_four_groups_of_2100_members_are_variants_of_one_title():
    many = [example for example in WORKED_EXAMPLES if example.title == "2,100 on 2,100"]

    assert [example.slug for example in many] == [
        "kafka-9987",
        "kafka-9987-fresh",
        "kafka-9987-leave",
        "kafka-9987-join",
    ]
    assert len({example.variant for example in many}) == 4


def test_there_is_no_example_of_an_unknown_name():
    assert worked_example("nope") is None


def test_worked_examples_load_without_spark():
    code = (
        "import sys; from evenkeel.data.sources.examples.worked_examples import WORKED_EXAMPLES;"
        " [example.load() for example in WORKED_EXAMPLES]; print('pyspark' in sys.modules)"
    )

    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )
