"""Two bars for each member."""

import numpy as np

from evenkeel.dashboard import theme
from evenkeel.dashboard.compare.member_bars import member_bars


def drawn(three, order=(0, 1, 2)):
    names, current, candidate = three
    return member_bars(names, np.array(order), current, candidate, "lag")


def bars(figure, name, axis):
    return next(trace for trace in figure.data if trace.name == name and trace.xaxis == axis)


def texts(figure):
    return [note.text for note in figure.layout.annotations]


def test_bars_are_lag_and_partitions_in_the_order_given(three):
    figure = drawn(three, order=(1, 0, 2))

    assert bars(figure, "current", "x").x[:2].tolist() == [30, 300]
    assert bars(figure, "lag", "x").x.tolist() == [110, 120, 100]
    assert bars(figure, "current", "x2").x[:2].tolist() == [2, 4]
    assert bars(figure, "lag", "x2").x.tolist() == [2, 2, 2]
    assert list(figure.layout.yaxis.ticktext) == ["b", "a", "c"]


def test_an_idle_member_is_a_hollow_bar_with_the_word(three):
    figure = drawn(three)

    hollow = bars(figure, "current", "x").marker
    assert (hollow.color[2], hollow.line.width[2]) == (theme.PAPER, 1.4)
    assert texts(figure).count("idle") == 2
    assert bars(figure, "current", "x").text[2] == "idle, 0"


def test_over_twice_the_fair_share_of_the_own_assignment_is_hatched(three):
    figure = drawn(three)

    assert list(bars(figure, "current", "x").marker.pattern.shape) == ["/", "", ""]
    assert list(bars(figure, "lag", "x").marker.pattern.shape) == ["", "", ""]


def test_the_fair_share_is_a_line_in_each_panel_with_its_value(three):
    figure = drawn(three)

    assert [(line.xref, line.x0) for line in figure.layout.shapes] == [("x", 110.0), ("x2", 2.0)]
    assert [text for text in texts(figure) if text.startswith("fair share")] == [
        "fair share 110 records",
        "fair share 2 partitions",
    ]


def test_two_assignments_that_hand_out_different_lag_have_two_lines(balance):
    figure = member_bars(
        ["a", "b"], np.array([0, 1]), balance([1, 0], [100, 0]), balance([1, 1], [100, 100]), "lag"
    )

    assert [line.x0 for line in figure.layout.shapes if line.xref == "x"] == [50.0, 100.0]
    assert [text for text in texts(figure) if text.startswith("fair share")][
        0
    ] == "fair share 50 records now, 100 after"


def test_where_no_member_lags_there_are_partitions_alone_and_words(balance):
    figure = member_bars(
        ["a", "b"], np.array([0, 1]), balance([2, 0], [0, 0]), balance([1, 1], [0, 0]), "lag"
    )
    partly = member_bars(
        ["a", "b"],
        np.array([0, 1]),
        balance([2, 0], [0, 0], [1, 0]),
        balance([1, 1], [0, 0], [1, 0]),
        "lag",
    )

    assert {trace.xaxis for trace in figure.data} == {"x"}
    assert "<b>Partitions per member</b>, no member has lag" in texts(figure)
    assert "<b>Partitions per member</b>, no known lag; some lags are unknown" in texts(partly)


def test_a_click_carries_the_row_of_the_member(three):
    figure = drawn(three, order=(2, 0, 1))

    assert all(trace.customdata.tolist() == [2, 0, 1] for trace in figure.data)


def test_unknown_lag_is_a_dash_and_a_partly_known_sum_says_at_least(balance):
    figure = member_bars(
        ["a", "b"],
        np.array([0, 1]),
        balance([2, 2], [0, 40], [2, 1]),
        balance([2, 2], [40, 0], [1, 2]),
        "lag",
    )

    assert [text for text in texts(figure) if text in ("–", "≥ 40", "0")] == [
        "–",
        "≥ 40",
        "≥ 40",
        "–",
    ]
    assert np.isnan(bars(figure, "current", "x").x[0])


def test_without_any_lag_only_partitions_are_drawn(balance):
    figure = member_bars(
        ["a", "b"],
        np.array([0, 1]),
        balance([2, 1], [0, 0], [2, 1]),
        balance([1, 2], [0, 0], [1, 2]),
        "lag",
    )

    assert {trace.xaxis for trace in figure.data} == {"x"}
    assert any("lag is unknown" in text for text in texts(figure))


def test_a_member_name_with_markup_is_shown_letter_by_letter(balance):
    figure = member_bars(
        ["<a href='javascript:alert(1)'>"],
        np.array([0]),
        balance([1], [1]),
        balance([1], [1]),
        "lag",
    )

    assert figure.layout.yaxis.ticktext[0].endswith("&gt;")
    assert all("<a" not in text for trace in figure.data for text in trace.hovertext)
