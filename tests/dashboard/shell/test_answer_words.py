"""Words about a step."""

from evenkeel.dashboard.shell.answer_words import heading, tone_of
from tests.dashboard.stepped import step


def test_the_heading_says_where_each_assignor_starts():
    assert heading(0, "as listed", step("lag")) == (
        "0 · as listed",
        "2 members · what each assignor would do now",
    )
    assert heading(1, "joins", step("lag")) == (
        "1 · joins",
        "2 → 3 members · each assignor starts from the group as listed",
    )
    assert (
        heading(2, "joins", step("lag"))[1]
        == "2 → 3 members · each assignor starts from where its own step 1 ended"
    )


def test_a_fall_is_better_from_the_gain_on_that_is_asked_for_and_never_by_a_rounded_number():
    assert [tone_of(1000, after, 0.1) for after in (710, 900, 901, 904)] == [
        "better",
        "better",
        "",
        "",
    ]
    assert [tone_of(100, 87, gain) for gain in (0.3, 0.13, 0.125)] == ["", "better", "better"]
    # 0.07 * 100 is 7.000000000000001.
    assert [tone_of(100, 100 - percent, percent / 100) for percent in range(1, 101)] == [
        "better"
    ] * 100


def test_a_bound_that_may_go_either_way_is_neither_better_nor_worse():
    # Before and after, and whether each is a lower bound.
    assert [
        tone_of(100, 71, 0.1, *least)
        for least in ((False, False), (True, False), (True, True), (False, True))
    ] == [
        *["better"] * 3,
        "",
    ]
    assert [
        tone_of(100, 129, 0.1, *least)
        for least in ((False, False), (False, True), (True, True), (True, False))
    ] == [
        *["worse"] * 3,
        "",
    ]
    assert [tone_of(*lags, 0.1) for lags in ((0, 5), (100, 101))] == ["worse"] * 2
    assert [tone_of(*lags, 0.1) for lags in ((0, 0), (7, 7), (None, 7), (7, None))] == [""] * 4
    assert [tone_of(0, 5, 0.1, True, least) for least in (False, True)] == [""] * 2
