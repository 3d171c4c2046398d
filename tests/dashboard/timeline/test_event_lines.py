"""The list of events beside the Timeline."""

from evenkeel.dashboard.timeline.tables import lines
from evenkeel.dashboard.timeline.words import UNSTABLE, TimelineEvent


def test_an_unstable_member_has_a_word_in_the_list():
    (line,) = lines([TimelineEvent(0.0, UNSTABLE, "pay-2", "…")])

    assert (line["word"], line["tone"], line["title"], line["at"]) == (
        "Unstable",
        "warn",
        "pay-2",
        "00:00",
    )
