"""Names beside marks."""

from dashboard.charts.labels import ABOVE, BELOW, placed


def test_a_name_stands_on_the_right_where_nothing_is_in_the_way():
    assert [place.xanchor for place in placed([(50, 50)], [("range",)], [None], 300)] == ["left"]


def test_near_the_right_edge_it_stands_on_the_left():
    assert [place.xanchor for place in placed([(280, 50)], [("roundrobin",)], [None], 300)] == ["right"]


def test_a_name_covers_no_other_name_and_no_mark():
    first, second = placed([(100, 50), (110, 60)], [("range",), ("sticky",)], [None, None], 300)

    assert first.xanchor == "right"
    assert second.xanchor == "left"


def test_the_wanted_side_is_taken_while_it_is_free():
    free, blocked = placed([(100, 100), (200, 100), (200, 80)], [("a",), ("b",), ("c",)], [ABOVE, BELOW, None], 300)[:2]

    assert free == ABOVE
    assert blocked.xanchor == "right"
