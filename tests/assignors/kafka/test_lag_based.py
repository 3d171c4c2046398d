"""LagBasedPartitionAssignorTest, and the sizes at which the arrays change their way."""

import numpy as np
import pytest

from evenkeel.assignors.kafka.lag_based import LagBasedAssignor
from tests.assignors.groups import group, spelled, tps
from tests.benchmarks.assignors.shapes import columns
from tests.literal.classic import literal_lag, plain

CASES = [
    (
        "testAssign",
        {"topic1": 4, "topic2": 2},
        [100_000, 100_000, 500, 1, 900_000, 100_000],
        {"consumer-1": "topic1 topic2", "consumer-2": "topic1"},
        {"consumer-1": "topic1-0,2 topic2-0,1", "consumer-2": "topic1-1,3"},
    ),
    (
        "testAssignWithZeroLags",
        {"t": 7},
        [0] * 7,
        {"consumer-1": "t", "consumer-2": "t"},
        {"consumer-1": "t-0,2,4,6", "consumer-2": "t-1,3,5"},
    ),
    (
        "testAssignWithHeavilySkewedLags",
        {"t": 10},
        [360, 359, 230, 118, 444, 122, 65, 111, 455_000, 424_000],
        {"consumer-1": "t", "consumer-2": "t", "consumer-3": "t"},
        {"consumer-1": "t-2,7,8", "consumer-2": "t-1,3,9", "consumer-3": "t-0,4,5,6"},
    ),
    (
        "README",
        {"t0": 3},
        [100_000, 50_000, 60_000],
        {"C0": "t0", "C1": "t0"},
        {"C0": "t0-0", "C1": "t0-1,2"},
    ),
    (
        "the smallest id wins every topic (Q-24)",
        {f"t{number}": 1 for number in range(6)},
        [0, 10, 20, 30, 40, 50],
        {"C0": "t0 t1 t2 t3 t4 t5", "C1": "t0 t1 t2 t3 t4 t5"},
        {"C0": "t0,t1,t2,t3,t4,t5-0", "C1": ""},
    ),
    ("no members", {"t": 3}, [1, 2, 3], {}, {}),
    ("nobody subscribes", {"t": 3, "u": 1}, [1, 2, 3, 4], {"A": "u"}, {"A": "u-0"}),
    (
        "a topic subscribed twice counts once",
        {"t": 4},
        [4, 3, 2, 1],
        {"A": "t t", "B": "t"},
        {"A": "t-0,3", "B": "t-1,2"},
    ),
]


def answered(snapshot) -> dict[str, str]:
    return spelled(snapshot, LagBasedAssignor().assign(snapshot))


@pytest.mark.parametrize(
    ("topics", "lag", "members", "expected"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_lag_gives_what_the_reference_class_gives(topics, lag, members, expected):
    assert answered(group(topics, members, lag=lag)) == {
        member: tps(runs) for member, runs in expected.items()
    }


def test_the_bundled_example_gives_totals_of_100_000_and_110_000():
    snapshot = group({"t0": 3}, C0="t0", C1="t0", lag=[100_000, 60_000, 50_000])

    owner = LagBasedAssignor().assign(snapshot).owner

    assert owner.tolist() == [0, 1, 1]
    assert [int(snapshot.given_lag[owner == member].sum()) for member in (0, 1)] == [
        100_000,
        110_000,
    ]


@pytest.mark.parametrize(
    "most",
    [2**20, 2**44, 2**62, 2**63 - 1],
    ids=["both packed", "totals near the limit", "totals wide", "both wide"],
)
@pytest.mark.parametrize(
    ("member_count", "partition_count"), [(1, 5), (3, 20), (7, 7), (9, 4), (5, 100)]
)
def test_lags_of_any_size_are_dealt_as_the_specification_words_it(
    member_count, partition_count, most
):
    rng = np.random.default_rng(member_count)
    # Totals of Java's longs wrap around, the literal reading's do not: few big lags keep the sum
    # below the limit.
    lag = rng.integers(0, 1000, size=2 * partition_count)
    lag[[0, partition_count]] = most - 1000 * partition_count
    snapshot = group(
        {"t": partition_count, "u": partition_count},
        {f"m{row}": "t u" for row in range(member_count)},
        lag=lag.tolist(),
    )

    assert answered(snapshot) == {
        member: " ".join(f"{topic}-{number}" for topic, number in sorted(owned))
        for member, owned in literal_lag(plain(snapshot)).items()
    }


def test_totals_beyond_63_bits_wrap_around_as_javas_long_does():
    snapshot = group({"t": 6}, A="t", B="t", lag=[2**62, 2**62, 2**62, 2**62, 5, 5])

    # After two rounds each total is 2 ** 63, which Java reads as the smallest number; both are
    # equal, so the smaller id goes first again.
    assert answered(snapshot) == {"A": "t-0 t-2 t-4", "B": "t-1 t-3 t-5"}


@pytest.mark.parametrize(
    ("topics", "members", "expected"),
    [
        ({"t": 3}, {"A": "t", "B": "t"}, [("lag", [0, 2])]),
        ({"t": 3}, {"A": "t"}, []),
        ({"t": 3}, {"A": "", "B": ""}, []),
        ({"t": 1, "u": 1, "v": 1}, {"A": "t u v", "B": "t u v"}, []),
    ],
    ids=[
        "two subscribers",
        "one subscriber gets everything anyhow",
        "nobody subscribes",
        "one partition goes to the smallest id anyhow",
    ],
)
def test_unknown_lags_are_named_as_assumed_where_the_answer_depends_on_them(
    topics, members, expected
):
    snapshot = group(topics, members, lag=[None, 7, None])

    assumed = LagBasedAssignor().assign(snapshot).assumed

    assert [(column, rows.tolist()) for column, rows in assumed] == expected


@pytest.mark.parametrize("count", [1 << 15, (1 << 15) + 1])
def test_the_last_member_gets_its_partition_where_two_bytes_name_all_members_and_where_they_do_not(
    count,
):
    owner = (
        LagBasedAssignor()
        .assign(columns(1, count, count, lag=np.zeros(count, dtype=np.int64)))
        .owner
    )

    assert (owner == np.arange(count)).all()
