"""The list of pages."""

from pathlib import Path

import pytest

from evenkeel.dashboard.shell.navigation import PLACES
from tests.dashboard.conftest import ENTRY


def test_every_page_has_its_address():
    assert [place.url_path for place in PLACES] == [
        "",
        "groups",
        "overview",
        "compare",
        "best",
        "moves",
        "whatif",
        "timeline",
        "rebalances",
        "streams",
        "readiness",
        "shared",
    ]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.title)
def test_the_script_of_a_page_is_there(place):
    assert (Path(ENTRY).parent / place.script).is_file()
