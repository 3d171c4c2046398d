"""Names beside marks."""

import time

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evenkeel.dashboard.parts.labels import (
    ABOVE,
    BELOW,
    LEFT,
    LINE,
    MARK,
    RIGHT,
    SIDES,
    SIZE,
    WIDTHS,
    Side,
    Text,
    apart,
    placed,
    ticks,
)
from evenkeel.dashboard.parts.text_width import text_width

HEIGHT = 220
SOME_WIDTHS = np.linspace(*WIDTHS, 25)


def text(x, y, *names, sides=SIDES):
    return Text(x, y, [names, (names[0],)], sides)


def sides_of(*texts, marks=None, arrow=None):
    places = placed(
        texts, marks if marks is not None else [(one.x, one.y) for one in texts], HEIGHT, arrow
    )
    return [place and place.xanchor for place in places]


def box(one, place, width):
    wide, high = max(text_width(line, SIZE) for line in place.lines), LINE * len(place.lines)
    left = (
        one.x * width + place.right - {"left": 0, "center": wide / 2, "right": wide}[place.xanchor]
    )
    return left, one.y + place.up - high / 2, left + wide, one.y + place.up + high / 2


def cover(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def points_of(arrow, width):
    (x, y), (end, top) = arrow
    part = np.linspace(0, 1, 300)
    return np.column_stack((width * (x + (end - x) * part), y + (top - y) * part))


def test_a_name_stands_on_the_right_where_nothing_is_in_the_way():
    assert sides_of(text(0.2, 50, "range")) == ["left"]


def test_near_the_right_edge_it_stands_on_the_left():
    assert sides_of(text(0.95, 50, "roundrobin")) == ["right"]


def test_a_name_covers_no_other_name_and_no_mark():
    assert sides_of(text(0.4, 50, "range"), text(0.44, 60, "sticky")) == ["right", "left"]


def test_a_name_that_is_free_in_a_narrow_plot_but_under_the_arrow_in_a_wide_one_goes_elsewhere():
    # Its right end is 80 pixels from the mark: the arrow is there, at this height, only where the
    # plot is wide.
    arrow = ((0.9, 110), (0.1, 20))
    crossed = text(0.5, 100, "sticky, uniform", sides=(RIGHT, ABOVE))

    assert sides_of(crossed, arrow=arrow) == ["center"]


def test_the_wanted_side_is_taken_while_it_is_free():
    wanted, blocked = (
        text(0.3, 100, "a", sides=(ABOVE, LEFT)),
        text(0.6, 100, "b", sides=(BELOW, LEFT)),
    )

    assert sides_of(wanted, blocked, marks=[(0.3, 100), (0.6, 100), (0.6, 88)]) == [
        "center",
        "right",
    ]


def test_where_the_whole_text_has_no_place_its_shorter_shape_has_one_or_it_is_dropped():
    around = [(0.5 + dx, 100 + dy) for dx in (-0.02, 0.16) for dy in (-14, 0, 14)]
    short, none = (
        text(0.5, 100, "a", sides=(RIGHT,)),
        text(0.5, 100, "much too long", sides=(RIGHT,)),
    )

    assert placed([short], around, HEIGHT)[0].lines == ("a",)
    assert placed([none], around, HEIGHT) == [None]


def test_a_name_does_not_stand_beside_another_mark():
    marks = [(0.4, 100), (0.4, 130)]

    texts = [
        text(0.4, 100, "a", sides=(Side(1, 0, 30 / LINE),)),
        text(0.4, 100, "b", sides=(Side(1, 0, 12 / LINE),)),
    ]
    near, far = placed(texts, marks, HEIGHT)

    assert near is None
    assert far.lines == ("b",)


@st.composite
def crowds(draw):
    """2 to 300 marks, some in one place, each with a text; perhaps an arrow from the first to the
    second.
    """
    count = draw(st.sampled_from((2, 3, 8, 20, 20, 60)) | st.integers(2, 300))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.sampled_from((0.02, 0.3, 1.0)))
    shares, heights = (
        rng.uniform(0.06, 0.06 + 0.85 * spread, count),
        rng.uniform(10, 10 + (HEIGHT - 45) * spread, count),
    )
    places = np.column_stack((shares, heights)).round(draw(st.sampled_from((1, 6))))
    names = ["sticky", "cooperative-sticky", "org.example.KeyAffinity", "a", "日本"]
    return [
        text(x, y, *names[: rng.integers(1, 4)][:: rng.choice((1, -1))]) for x, y in places.tolist()
    ], draw(st.booleans())


@example(([text(0.1, 10, "a"), text(0.1, 10, "b")], True))
@given(crowds())
@settings(max_examples=40, deadline=None)
def test_no_name_covers_a_name_a_mark_the_arrow_or_the_border_at_any_width(crowd):
    texts, has_arrow = crowd
    marks = [(one.x, one.y) for one in texts]
    arrow = (marks[0], marks[1]) if has_arrow else None

    places = placed(texts, marks, HEIGHT, arrow)

    named = [(one, place) for one, place in zip(texts, places, strict=True) if place]
    assert named or len(texts) > 2
    for width in SOME_WIDTHS:
        boxes = np.array([box(one, place, width) for one, place in named]).reshape(-1, 4)
        assert (boxes[:, :2] >= 0).all()
        assert (boxes[:, 2] <= width).all()
        assert (boxes[:, 3] <= HEIGHT).all()
        x, y = np.array(marks).T * [[width], [1]]
        assert not _any_cover(boxes, np.column_stack((x - MARK, y - MARK, x + MARK, y + MARK)))
        assert not _any_cover(boxes, boxes, but_itself=True)
        if arrow:
            assert not _any_cover(boxes, np.tile(points_of(arrow, width), 2))


def _any_cover(ones, others, but_itself=False):
    one, other = ones[:, None], others[None]
    found = (
        (one[..., 0] < other[..., 2])
        & (other[..., 0] < one[..., 2])
        & (one[..., 1] < other[..., 3])
        & (other[..., 1] < one[..., 3])
    )
    return (found & ~np.eye(len(ones), dtype=bool) if but_itself else found).any()


@pytest.mark.parametrize("count", [2, 8, 20])
def test_the_same_marks_have_the_same_names_each_time_and_soon(count):
    rng = np.random.default_rng(5)
    xs, ys = rng.uniform(0.1, 0.9, count).tolist(), rng.uniform(10, 200, count).tolist()
    texts = [text(x, y, "cooperative-sticky", "uniform") for x, y in zip(xs, ys, strict=True)]

    start = time.process_time()
    first, *others = (
        placed(texts, [(one.x, one.y) for one in texts], HEIGHT, ((0.1, 20), (0.9, 200)))
        for _ in range(20)
    )

    assert (time.process_time() - start) / 20 < 0.02
    assert all(other == first for other in others)


# Texts that would cover each other.


@pytest.mark.parametrize(
    ("places", "moved"),
    [
        ([], []),
        ([5.0], [5.0]),
        ([0.0, 20.0], [0.0, 20.0]),
        ([10.0, 10.0], [5.0, 15.0]),
        ([12.0, 10.0, 40.0], [16.0, 6.0, 40.0]),
        ([0.0, 8.0, 16.0], [-2.0, 8.0, 18.0]),
    ],
)
def test_texts_stand_ten_apart_in_their_order_and_move_as_little_as_needed(places, moved):
    assert apart(places, 10) == pytest.approx(moved)


def test_texts_end_at_the_highest_place_and_begin_at_the_lowest_if_there_is_room():
    assert apart([95.0, 95.0, 96.0], 10, 0, 100) == [80.0, 90.0, 100.0]
    assert apart([1.0, 2.0], 10, 0, 100) == [0.0, 10.0]
    assert apart([1.0, 2.0, 3.0], 10, 0, 20) == [0.0, 10.0, 20.0]
    assert apart([5.0] * 4, 10, 0, 20) == [-10.0, 0.0, 10.0, 20.0]


# Values and texts of axes.


@pytest.mark.parametrize(
    ("high", "low", "whole", "texts"),
    [
        (218_000, 0, True, ["0", "50\u202fk", "100\u202fk", "150\u202fk", "200\u202fk"]),
        (1_290_000, 0, True, ["0", "500\u202fk", "1\u202fM"]),
        (2_000_000_000, 0, True, ["0", "500\u202fM", "1\u202fG", "1.5\u202fG", "2\u202fG"]),
        (11, 0, True, ["0", "5", "10"]),
        (3, 0, True, ["0", "1", "2", "3"]),
        (1, 0, True, ["0", "1"]),
        (2.0, 1.0, False, ["1.0", "1.2", "1.4", "1.6", "1.8", "2.0"]),
        (2.1, 0.95, False, ["1.00", "1.25", "1.50", "1.75", "2.00"]),
        (1.32, 0.97, False, ["1.0", "1.1", "1.2", "1.3"]),
        (0, 0, True, ["0"]),
    ],
)
def test_ticks_are_round_and_say_what_they_stand_at(high, low, whole, texts):
    assert ticks(high, low, whole=whole)[1] == texts


@given(st.floats(0.01, 1e12), st.booleans())
def test_ticks_lie_on_the_axis_and_are_few(high, whole):
    values, texts = ticks(high, whole=whole)

    assert len(values) == len(texts) == len(set(texts)) <= 7
    assert all(0 <= value <= high * 1.001 for value in values)
