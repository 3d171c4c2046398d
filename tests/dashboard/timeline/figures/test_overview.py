"""The strip above the Timeline."""

import numpy as np

from evenkeel.dashboard.timeline.figures.lag_panel import Strip, overview

STRIP = Strip(
    0.0,
    1000.0,
    np.array([0.0, 100.0, 900.0, 1000.0]),
    np.array([0, 0, 1, 1]),
    np.array([5, 7, 2, 1]),
    "total lag",
)


def boxes(figure) -> list[tuple[float, float]]:
    return [(one.x0, one.x1) for one in figure.layout.shapes]


def test_a_gap_stays_open():
    assert [line.y.tolist() for line in overview(STRIP, 0.0, 1000.0).data] == [[5, 7], [2, 1]]


def test_what_is_not_in_the_range_is_dim_and_the_range_has_a_frame_with_two_grips():
    before, after, frame, *grips = boxes(overview(STRIP, 400.0, 800.0))

    assert (before, after, frame) == ((0, 400_000), (800_000, 1_000_000), (400_000, 800_000))
    assert grips == [(396_000, 404_000), (796_000, 804_000)]


def test_a_range_of_seconds_in_a_week_can_be_seen_and_stays_inside_the_strip():
    _, _, (first, last), *_ = boxes(overview(STRIP, 999.0, 1000.0))

    assert (first, last) == (996_500, 1_000_000)


def test_a_drag_to_the_side_chooses():
    layout = overview(STRIP, 0.0, 1000.0).layout

    assert (layout.dragmode, layout.selectdirection) == ("select", "h")


def test_a_lake_with_one_reading_has_a_strip():
    one = Strip(5.0, 5.0, np.array([5.0]), np.array([0]), np.array([0]), "total lag")

    assert overview(one, 5.0, 5.0).layout.xaxis.range == (5_000, 6_000)
