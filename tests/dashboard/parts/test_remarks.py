"""What the page says of a behaviour is what the documentation says of it."""

import re
from pathlib import Path

import pytest

from evenkeel.assignors.kafka.streams.task_quirks import SENTENCES
from evenkeel.dashboard.parts.remarks import MEANINGS

_DOCUMENT = (Path(__file__).parents[3] / "docs/assignors.md").read_text().replace("`", "")
DOCUMENTED = dict(re.findall(r"^\* \*\*(Q-\d+)\*\* (.*)$", _DOCUMENT, re.MULTILINE))
NOT_SHOWN = {"Q-7", "Q-11", "Q-28", *SENTENCES}
"""Harmless ones, those that no input shows, and those of the Streams page, which has sentences of
its own.
"""


def test_every_behaviour_that_the_page_names_has_a_meaning():
    assert MEANINGS.keys() == DOCUMENTED.keys() - NOT_SHOWN


@pytest.mark.parametrize("name", MEANINGS)
def test_a_meaning_is_the_beginning_of_what_is_documented(name):
    said, documented = MEANINGS[name].text.removesuffix("."), DOCUMENTED[name]

    assert documented.startswith(said)
