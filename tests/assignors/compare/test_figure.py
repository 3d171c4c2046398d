"""Between what a figure lies where some lags are unknown."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.compare.comparison import row_of
from evenkeel.assignors.compare.figure import Bounds, bounds, figure_input
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.assignors.rounds.switch import switch
from tests.assignors.groups import assignment, group
from tests.generated.owners import groups_with_owners

LAG_FIGURES = ("max_lag", "mean_lag", "total_lag", "max_lag_share", "lag_cv")


def bounds_of(snapshot, before, after):
    now, then = (assignment(snapshot, **owned) for owned in (before, after))
    return bounds(figure_input(row_of(snapshot, page_lag(snapshot), now, "then", then)))


def test_sums_have_no_most_and_ratios_lie_between_even_and_all_on_one_member():
    snapshot = group({"t": 3}, A="t", B="t", C="t", lag=[60, 30, None])

    found = bounds_of(snapshot, {"A": "t-0", "B": "t-1 t-2"}, {"A": "t-0", "B": "t-1", "C": "t-2"})

    assert found["max_lag"] == Bounds(60, math.inf)
    assert found["total_lag"] == Bounds(90, math.inf)
    assert found["mean_lag"] == Bounds(30, math.inf)
    assert found["max_lag_share"] == pytest.approx((60 / 50, 3))
    assert found["lag_cv"] == pytest.approx((0.2 / math.sqrt(2), math.sqrt(2)))
    assert "moved_lag" not in found, "only t-2 of unknown lag moves: nothing of it is known"


def test_where_every_lag_is_known_every_figure_is_exact():
    assert (
        bounds_of(
            group({"t": 2}, A="t", B="t", lag=[6, 3]), {"A": "t-0 t-1"}, {"A": "t-0", "B": "t-1"}
        )
        == {}
    )


def test_lag_that_moves_is_a_lower_bound_where_some_of_it_is_unknown():
    found = bounds_of(
        group({"t": 3}, A="t", B="t", lag=[6, 3, None]),
        {"A": "t-0 t-1 t-2"},
        {"A": "t-0", "B": "t-1 t-2"},
    )

    assert found["moved_lag"] == Bounds(3, math.inf)


def test_the_total_is_a_lower_bound_if_a_partition_that_nobody_reads_has_an_unknown_lag():
    found = bounds_of(group({"t": 1, "old": 1}, A="t", lag=[6, None]), {"A": "t-0"}, {"A": "t-0"})

    assert found == {"total_lag": Bounds(6, math.inf)}


def test_rounds_that_never_end_are_more_than_any_number():
    snapshot = group({"t": 4}, {"consumer1": "t", "consumer2": ""})
    row = row_of(
        snapshot,
        page_lag(snapshot),
        assignment(snapshot),
        "sticky",
        answer := ASSIGNORS["sticky"]().assign(snapshot),
    )

    assert bounds(
        figure_input(row, switch(snapshot, assignment(snapshot), ASSIGNORS["sticky"](), answer))
    )["rounds"] == Bounds(math.inf, math.inf)


@given(groups_with_owners(2), st.data())
def test_whatever_the_unknown_lags_are_the_figures_lie_inside(drawn, data):
    snapshot, (before, after) = drawn
    assume(snapshot.member_count)
    size = {"min_size": snapshot.tp_count, "max_size": snapshot.tp_count}
    true = np.array(
        data.draw(st.lists(st.integers(0, 10_000) | st.just(0), **size)), dtype=np.int64
    )
    listed = np.where(
        np.array(data.draw(st.lists(st.booleans(), **size)), dtype=bool), true, UNKNOWN_LAG
    )

    partial, whole = (row_of(snapshot, lag, before, "after", after) for lag in (listed, true))

    found = bounds(figure_input(partial))
    for name in (*LAG_FIGURES, "moved_lag"):
        said, truth = (
            getattr(row if name == "moved_lag" else row.balance, name) for row in (partial, whole)
        )
        if name in found and truth is not None:
            assert found[name].low <= truth * (1 + 1e-9) + 1e-9
            assert truth <= found[name].high * (1 + 1e-9)
            assert found[name].low <= said * (1 + 1e-9) + 1e-9
        elif said is not None and not whole.balance.lag_is_partial:
            assert said == truth
