"""Words about a step."""

from evenkeel.dashboard.shell.answer_words import heading
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
        == "2 → 3 members · each assignor starts from the end of its own step 1"
    )
