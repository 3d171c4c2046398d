"""The list of pages."""

from pathlib import Path

import pytest

from evenkeel.dashboard.shell.navigation import PLACES, TABS
from tests.dashboard.conftest import ENTRY


def test_every_page_has_its_address():
    assert {place.url_path for place in PLACES} == {
        "",
        "groups",
        "overview",
        "open",
        "compare",
        "best",
        "moves",
        "whatif",
        "timeline",
        "rebalances",
        "streams",
        "readiness",
        "shared",
    }


def test_the_first_row_has_four_words_and_the_second_the_pages_of_a_group():
    assert [place.title for place in PLACES if place.is_in_menu] == [
        "Groups",
        "Streams",
        "Rebalances",
        "Readiness",
    ]
    assert [place.title for place in TABS] == [
        "Overview",
        "Assignors",
        "Best",
        "Moves",
        "What-if",
        "Timeline",
        "Rebalances",
    ]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.url_path)
def test_the_script_of_a_page_is_there(place):
    assert (Path(ENTRY).parent / place.script).is_file()
