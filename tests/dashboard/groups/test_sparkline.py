"""A lag as a small drawing."""

from evenkeel.dashboard.groups.columns import sparkline


def test_a_lag_is_drawn_from_the_left_edge_to_a_dot_at_the_last_slot():
    drawn = sparkline([0, 1, 2], [0, 50, 100])

    assert drawn["line"] == "M1.0 19.0L47.2 10.8L93.5 2.5"
    assert drawn["dot"] == [93.5, 2.5]


def test_a_missing_slot_and_an_unknown_lag_are_gaps():
    missing, unknown = (
        sparkline([0, 1, 4, 5], [1, 1, 1, 1]),
        sparkline([0, 1, 2, 3, 4], [1, 1, None, 1, 1]),
    )

    assert missing["line"].count("M") == unknown["line"].count("M") == 2


def test_a_lag_that_is_unknown_now_has_no_dot_and_one_that_is_never_known_no_drawing():
    assert "dot" not in sparkline([0, 1], [5, None])
    assert sparkline([0, 1], [None, None]) is None


def test_the_retention_is_drawn_up_to_three_times_the_longest_time():
    assert sparkline([0, 1], [0, 50], 100)["kept"] == 2.5
    assert sparkline([0, 1], [0, 50], 100)["dot"][1] == 10.8
    assert sparkline([0, 1], [0, 50], 151)["kept"] is None
