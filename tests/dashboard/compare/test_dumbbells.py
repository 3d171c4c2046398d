"""Two marks and a line for each member."""

import numpy as np

from evenkeel.dashboard.compare.member_bars import all_members, worst, worst_members
from evenkeel.dashboard.names import worst_of_both


def marks(figure, name, axis="x"):
    return next(trace for trace in figure.data if trace.name == name and trace.xaxis == axis)


def test_every_member_has_both_values_in_both_panels(three):
    names, current, candidate = three

    figure = all_members(names, np.array([0, 1, 2]), current, candidate, "lag")

    assert marks(figure, "current").x.tolist() == [300, 30, 0]
    assert marks(figure, "lag").x.tolist() == [120, 110, 100]
    assert marks(figure, "current", "x2").x.tolist() == [4, 2, 0]
    assert marks(figure, "current").marker.symbol == ("square", "square", "square-open")


def test_the_members_beyond_the_worst_are_one_row_with_their_mean(balance):
    current, candidate = balance([1] * 4, [90, 50, 20, 10]), balance([1] * 4, [40, 40, 40, 50])

    figure = worst_members(["a", "b", "c", "d"], np.arange(4), current, candidate, "lag", most=2)

    assert list(figure.layout.yaxis.ticktext) == ["a", "b", "2 others, mean"]
    assert marks(figure, "current").x.tolist() == [90, 50, 15]
    assert marks(figure, "lag").x.tolist() == [40, 40, 45]
    assert marks(figure, "lag").customdata.tolist() == [0, 1, -1]


def test_the_mean_of_the_others_leaves_unknown_lag_out(balance):
    current, candidate = (
        balance([1] * 4, [90, 50, 20, 0], [0, 0, 0, 1]),
        balance([1] * 4, [40, 40, 0, 0], [0, 0, 1, 1]),
    )

    figure = worst_members(["a", "b", "c", "d"], np.arange(4), current, candidate, "lag", most=2)

    assert marks(figure, "current").x.tolist() == [90, 50, 20]
    assert np.isnan(marks(figure, "lag").x[2])
    assert marks(figure, "lag").text[2] == "mean of the others<br>lag: –"


def test_there_are_no_others_where_all_have_a_row(three):
    names, current, candidate = three

    assert worst(names, np.arange(3), current, candidate, "lag", 15).others is None


def test_the_member_that_is_worst_with_the_candidate_has_a_row():
    order = np.arange(100)
    lag_after = np.zeros(100)
    lag_after[[98, 1]] = 70, 90

    shown = worst_of_both(order, lag_after, 15)

    assert shown[:15].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 98, 10, 11, 12, 13]
    assert sorted(shown.tolist()) == order.tolist()
