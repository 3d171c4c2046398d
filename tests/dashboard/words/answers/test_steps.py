"""Words about a step."""

from dashboard.words.answers.steps import heading, tone_of
from tests.dashboard.stepped import step


def test_the_heading_says_where_each_assignor_starts():
    assert heading(0, "as listed", step("lag")) == ("0 · as listed", "2 members · what each assignor would do now")
    assert heading(1, "joins", step("lag")) == ("1 · joins", "2 → 3 members · each assignor starts from the group as listed")
    assert heading(2, "joins", step("lag"))[1] == "2 → 3 members · each assignor starts from where its own step 1 ended"


def test_a_bound_that_may_go_either_way_is_neither_better_nor_worse():
    assert [tone_of(text) for text in ("−29 %", "≤ −29 %", "−10 %", "≈ −13 %")] == ["better"] * 4
    assert [tone_of(text) for text in ("+29 %", "≥ +15 %", "+1 %", "from 0")] == ["worse"] * 4
    assert [tone_of(text) for text in ("−9 %", "≈ −3 %", "less than 1 %")] == [""] * 3
    assert [tone_of(text) for text in ("≥ −29 %", "≤ +15 %", "=", "–")] == [""] * 4
