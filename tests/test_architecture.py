"""The walks of docs/architecture.md go through files that exist, and through every room."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs/architecture.md").read_text()
FILES = re.findall(r"`((?:assignors|data|dashboard|evenkeel|tests)/[\w/]+\.\w+)`", TEXT)
ROOMS = sorted(
    f"{floor}/{folder.name}"
    for floor in ("assignors", "data", "dashboard")
    for folder in (ROOT / floor).iterdir()
    if (folder / "__init__.py").is_file()
)


@pytest.mark.parametrize("file", dict.fromkeys(FILES))
def test_a_file_that_a_walk_names_exists(file):
    assert (ROOT / file).is_file()


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_named(room):
    floor, _, name = room.partition("/")

    assert f"{room}/" in TEXT or re.search(rf"^\| `{floor}/` .*`{name}/`", TEXT, re.MULTILINE)


@pytest.mark.parametrize(
    "way", ["A pasted listing", "An ingest", "A live group", "A step of What-if"]
)
def test_each_walk_is_at_most_a_page_long(way):
    words = TEXT.split(f"## {way}\n")[1].split("\n## ")[0].split()

    assert 150 < len(words) < 500
