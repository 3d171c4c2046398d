"""docs/architecture.md is short, names every room, and its ways go through files that exist."""

import re

import pytest

from tests.house import ROOT, SHARED, today

TEXT = (ROOT / "docs/architecture.md").read_text()
PICTURE = TEXT.split("```")[1]
FILES = re.findall(r"`((?:assignors|data|dashboard|evenkeel|tests)/[\w/]+\.\w+)`", TEXT)
FOLDERS = re.findall(r"`((?:assignors|data|dashboard|evenkeel)/[\w/]+/)`", TEXT)
WAYS = {
    title: text for title, _, text in (part.partition("\n") for part in TEXT.split("\n### ")[1:])
}


@pytest.mark.parametrize("place", dict.fromkeys([*FILES, *FOLDERS]))
def test_a_place_that_is_named_exists(place):
    assert (ROOT / place).exists()


def test_the_picture_has_every_room_of_each_floor():
    house = today()
    rooms = {*house.features} | {
        f"{above}.{name}" for above, names in SHARED.items() for name in names.split()
    }
    drawn = {
        f"{above}.{name}"
        for above, text in re.findall(r"(\w+)/ (.*?)(?= \w+/ |$)", PICTURE, re.DOTALL)
        for name in re.findall(r"\w+", text)
    }

    assert sorted(rooms - drawn) == []


def test_it_is_a_page_of_text():
    assert len(TEXT.replace(PICTURE, "").split()) <= 900


def test_there_are_three_ways_of_at_most_twelve_files():
    counts = {title: len(set(re.findall(r"`[\w/]+\.py`", text))) for title, text in WAYS.items()}

    assert len(counts) == 3
    assert [title for title, count in counts.items() if not 5 <= count <= 12] == []
