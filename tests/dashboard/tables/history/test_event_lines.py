"""The list of events beside the Timeline."""

import pytest

from evenkeel.assignors.history.now import GROUP, MEMBER, PARTITION, TOPIC, UNSTABLE
from evenkeel.dashboard.tables.timeline import lines
from evenkeel.dashboard.words.events import TimelineEvent


@pytest.mark.parametrize(
    ("what", "word"),
    [
        (MEMBER, "Member"),
        (PARTITION, "Hot"),
        (TOPIC, "Topic"),
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
