import numpy as np

from evenkeel.dashboard.streams.role_bars import RoleCounts, role_bars

COUNTS = RoleCounts(
    np.array([4, 5, 6]), np.array([2, 1, 0]), np.array([6, 6, 6]), np.array([2, 2, 0]), 6
)


def test_each_role_is_a_row_of_bars_above_the_one_before_it_and_none_where_there_are_none():
    figure = role_bars(COUNTS, 1)

    assert {bar.name: list(bar.y) for bar in figure.data} == {
        "active, in place": [4, 5, 6],
        "active, still to move": [2, 1],
        "standby": [6, 6, 6],
        "warm-up (extra)": [2, 2],
    }
    assert list(figure.data[1].customdata) == [0, 1]
    assert all(base > 4 for base in figure.data[1].base)


def test_the_band_is_behind_the_round_that_is_shown():
    figure = role_bars(COUNTS, 1)

    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (0.55, 1.45)
