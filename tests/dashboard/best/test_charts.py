"""The two charts of Best: round values on the axes, and texts that neither cover each other nor are
struck through by the curve.
"""

import pytest

from evenkeel.dashboard.best.frontier import frontier
from evenkeel.dashboard.best.plans import Frontier, Other, Plan
from evenkeel.dashboard.best.right_size import Size, Sizes, right_size
from evenkeel.dashboard.best.value_axis import axis


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [
        (113_000, 546_000, [200_000, 300_000, 400_000, 500_000]),
        (1_500, 37_000, [2_000, 5_000, 10_000, 20_000]),
        (90, 30_000, [100, 1_000, 10_000]),
    ],
)
def test_a_logarithmic_axis_has_round_values(low, high, values):
    assert axis("lag", low, high, is_log=True)[0] == values


def test_an_axis_of_seconds_has_few_values_whatever_its_range():
    values, words = axis("drain", 0, 1.7e10)

    assert 2 <= len(values) <= 7
    assert len({*words}) == len(words)


def texts(figure) -> dict[str, tuple[float, float, str]]:
    """The texts beside marks: pixels to the right and up of the mark, and which side of the text is
    there.
    """
    return {
        note.text: (note.xshift, note.yshift, note.xanchor)
        for note in figure.layout.annotations
        if note.xshift is not None
    }


def sizes(now, plan, floor="floor 10 k: the largest partition alone"):
    points = [
        Size(members, value, value)
        for members, value in ((1, 60_000.0), (2, 30_000.0), (3, 20_000.0), (6, 10_000.0))
    ]
    return Sizes("lag", points, None, now, plan, floor)


def test_members_now_and_of_the_plan_at_one_place_share_a_text():
    said = texts(right_size(sizes((6, 10_000.0), (6, 10_000.0))))

    assert list(said) == [
        "now and this plan: 10.0\N{NARROW NO-BREAK SPACE}k",
        "floor 10 k: the largest partition alone",
    ]


def test_the_floor_is_named_below_the_end_of_the_curve_and_left_of_what_stands_there():
    right, up, anchor = texts(right_size(sizes((3, 50_000.0), (6, 10_000.0))))[
        "floor 10 k: the largest partition alone"
    ]

    # Left of the mark, whose middle is at 0, and its top not above it.
    assert (anchor, right < -7, up + 8 <= 0) == ("right", True, True)


def test_an_assignor_on_the_curve_of_best_plans_has_its_name_above_the_line():
    plans = [Plan(0, 700.0, 700.0, True)]
    shown = Frontier(
        "lag", plans, [Other("lag", 9, 700.0)], 700.0, 10, "orders-3 alone: 700, whoever owns it"
    )

    _, up, _ = texts(frontier(shown, 0))["lag 700"]

    assert up >= 8


def test_the_axis_of_moves_ends_with_all_that_can_move():
    shown = Frontier("lag", [Plan(0, 9.0, 9.0, True)], [], 9.0, 10, "")

    assert list(frontier(shown, 0).layout.xaxis.ticktext) == ["0", "1", "2", "3", "5", "8", "10"]
