from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from tests.assignors.groups import assignment, group
from tests.generated.owners import groups_with_owners

FIGURES = (
    "max_partitions",
    "min_partitions",
    "max_lag",
    "mean_lag",
    "total_lag",
    "lag_cv",
    "max_lag_share",
    "idle_members",
)


def balanced(snapshot, **owned):
    return balance(snapshot, assignment(snapshot, **owned), page_lag(snapshot))


def figures(snapshot, **owned) -> dict:
    result = balanced(snapshot, **owned)
    return {name: getattr(result, name) for name in FIGURES}


def test_two_loaded_members_and_an_idle_one():
    snapshot = group({"t0": 3}, A="t0", B="t0", C="t0", lag=[40, 20, 0])

    assert figures(snapshot, A="t0-0", B="t0-1 t0-2") == {
        "max_partitions": 2,
        "min_partitions": 0,
        "max_lag": 40,
        "mean_lag": 20.0,
        "total_lag": 60,
        "lag_cv": pytest.approx((800 / 3) ** 0.5 / 20),
        "max_lag_share": 2.0,
        "idle_members": 1,
    }


def test_unknown_lag_is_left_out_and_counted():
    result = balanced(
        group({"t0": 3}, A="t0", B="t0", lag=[None, 5, None]), A="t0-0 t0-1", B="t0-2"
    )

    assert result.lag.tolist() == [5, 0]
    assert result.unknown_lag_count.tolist() == [1, 1]
    assert (result.max_lag, result.total_lag) == (5, 5)


def test_a_partition_with_two_owners_counts_for_both_and_one_beyond_the_topic_has_unknown_lag():
    result = balanced(group({"t0": 2}, A="t0", B="t0", lag=[7, 1]), A="t0-0", B="t0-0 t0-1 t0-9")

    assert result.partition_count.tolist() == [1, 3]
    assert result.lag.tolist() == [7, 8]
    assert result.unknown_lag_count.tolist() == [0, 1]


def test_the_total_counts_a_partition_once_that_two_members_share():
    result = balanced(group({"t0": 2}, A="t0", B="t0", lag=[7, 1]), A="t0-0", B="t0-0 t0-1")

    assert (result.lag.tolist(), result.total_lag) == ([7, 8], 8)


def test_what_nobody_reads_counts_in_the_total_and_as_the_most():
    result = balanced(group({"t0": 3}, A="t0", B="t0", lag=[7, 1, 50]), A="t0-0", B="t0-1")

    assert (result.total_lag, result.unread_lag, result.max_lag, result.worst_lag) == (
        58,
        50,
        50,
        7,
    )
    assert (result.mean_lag, result.max_lag_share) == (4.0, 1.75)


def test_what_nobody_subscribes_to_counts_in_the_total_but_is_not_unread():
    known = group({"t0": 1, "t1": 1}, A="t0", lag=[7, 50])
    assumed = replace(known, are_subscriptions_known=False)

    left, unread = balanced(known, A="t0-0"), balanced(assumed, A="t0-0")

    assert (left.total_lag, left.unread_lag, left.max_lag) == (57, 0, 7)
    assert (unread.total_lag, unread.unread_lag, unread.max_lag) == (57, 50, 50)


def test_an_unknown_lag_without_owner_makes_sums_lower_bounds():
    result = balanced(group({"t0": 2}, A="t0", lag=[7, -1]), A="t0-0")

    assert (result.max_lag, result.lag_is_partial, result.unknown_lag_partitions) == (7, True, 1)


@pytest.mark.parametrize(
    ("snapshot", "owned", "expected"),
    [
        (group({"t0": 2}, lag=[1, 2]), {}, (None, None, None, None, None, None, None, None)),
        (group({"t0": 2}, A="t0", B="t0", lag=[1, 2]), {}, (0, 0, 3, 0.0, 3, None, None, 2)),
        (
            group({"t0": 2}, A="t0", B="t0"),
            {"A": "t0-0", "B": "t0-1"},
            (1, 1, None, None, None, None, None, 0),
        ),
        (
            group({"t0": 2}, A="t0", B="t0", lag=[0, 0]),
            {"A": "t0-0", "B": "t0-1"},
            (1, 1, 0, 0.0, 0, None, None, 0),
        ),
    ],
    ids=["no members", "nothing assigned", "no lag known", "nobody lags"],
)
def test_a_figure_is_none_where_there_is_nothing_to_say(snapshot, owned, expected):
    assert tuple(figures(snapshot, **owned).values()) == expected


def test_lags_are_added_to_the_record_beyond_what_a_float_holds():
    result = balanced(group({"t0": 2}, A="t0", lag=[2**60 + 1, 1]), A="t0-0 t0-1")

    assert result.total_lag == 2**60 + 2


@given(groups_with_owners(1), st.data())
def test_the_members_loads_are_those_of_their_partitions_one_by_one(drawn, data):
    snapshot, (owned,) = drawn
    lag = page_lag(snapshot)
    count, lags, unknown = ([0] * snapshot.member_count for _ in range(3))
    rows = [(member, tp) for tp, member in enumerate(owned.owner.tolist()) if member >= 0]
    for member, topic, partition in owned.extra.tolist():
        exists = partition < snapshot.partition_count[topic]
        rows.append((member, int(snapshot.first_tp[topic]) + partition if exists else None))

    for member, tp in rows:
        known = tp is not None and lag[tp] != UNKNOWN_LAG
        count[member] += 1
        lags[member] += int(lag[tp]) if known else 0
        unknown[member] += not known

    result = balance(snapshot, owned, lag)
    assert (
        result.partition_count.tolist(),
        result.lag.tolist(),
        result.unknown_lag_count.tolist(),
    ) == (count, lags, unknown)
