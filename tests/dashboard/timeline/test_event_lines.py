"""The list of events beside the Timeline."""

import pytest

from evenkeel.assignors.timeline.now import GROUP, MEMBER, PARTITION, UNSTABLE
from evenkeel.dashboard.timeline.tables import lines
from evenkeel.dashboard.timeline.words import TimelineEvent


@pytest.mark.parametrize(
    ("what", "word"),
    [
        (MEMBER, "Member"),
        (PARTITION, "Hot"),
        (GROUP, "Too small"),
        (UNSTABLE, "Unstable"),
    ],
)
def test_every_finding_has_a_word_in_the_list(what, word):
    (line,) = lines([TimelineEvent(0.0, what, "pay-2", "…")])

    assert (line["word"], line["tone"], line["title"], line["at"]) == (
        word,
        "warn",
        "pay-2",
        "00:00",
    )
