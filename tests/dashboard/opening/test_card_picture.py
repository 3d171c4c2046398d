"""The pictures of the example cards show what the sentences beside them speak of."""

import re

import pytest

from evenkeel.dashboard.opening.example_cards import picture
from evenkeel.dashboard.shell.loading.views import view
from evenkeel.dashboard.view import Opened
from evenkeel.data.sources.examples.worked_examples import WORKED_EXAMPLES, worked_example

SMALL = [example.slug for example in WORKED_EXAMPLES if not example.slug.startswith("kafka-9987")]
ABOUT_LAG = {"one-hot-partition", "lag-aware", "ten-consumers-kafka-0.10"}


def drawn(slug: str) -> str:
    example = worked_example(slug)
    return picture(view(Opened(slug=slug)), example)


def heights(html: str, side: str) -> list[int]:
    """Return the heights of the bars of one side in percent, 0 for an idle member."""
    return [
        int(height or 0)
        for height in re.findall(rf'<i class="{side}(?: idle"|" style="height:(\d+)%")>', html)
    ]


@pytest.mark.parametrize("slug", SMALL)
def test_a_picture_shows_lag_where_the_sentence_speaks_of_lag_else_partitions(slug):
    sentence, html = worked_example(slug).sentence, drawn(slug)

    assert ("lag" in re.findall(r"\w+", sentence.lower())) == (slug in ABOUT_LAG)
    assert f"{'lag' if slug in ABOUT_LAG else 'partitions'} per member" in html


def test_bars_of_partitions_are_as_high_as_the_members_have_partitions():
    assert (
        heights(drawn("idle-under-range"), "now"),
        heights(drawn("idle-under-range"), "after"),
    ) == ([100] * 6 + [0] * 4, [60] * 10)
    assert (
        heights(drawn("differing-subscriptions"), "now"),
        heights(drawn("differing-subscriptions"), "after"),
    ) == (
        [100, 50, 50, 50],
        [75, 50, 50, 75],
    )
    assert heights(drawn("three-consumers-kafka-0.10"), "now") == [100] * 3


def test_bars_of_lag_are_as_high_as_the_members_are_behind():
    assert (heights(drawn("lag-aware"), "now"), heights(drawn("lag-aware"), "after")) == (
        [100, 31],
        [62, 69],
    )


def test_the_line_below_names_both_sides_of_the_bars():
    assert re.sub("<.*?>", "", drawn("lag-aware")) == "lag per member: now, under lag"
    assert re.sub("<.*?>", "", drawn("kafka-9987")) == "a box is 35 members"
