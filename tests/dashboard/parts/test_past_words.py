"""Since when, and when data is lost, as home and Overview say it."""

from datetime import UTC, datetime

import pytest

from evenkeel.dashboard.parts.past_words import loss, since
from evenkeel.data.episodes.past import Outlook

NOW = datetime(2026, 11, 27, 14, 2, tzinfo=UTC).timestamp()
HOUR = 3600.0


@pytest.mark.parametrize(
    ("hours", "text"),
    [(0.5, "13:32"), (22, "Thu 16:02"), (24 * 19, "8 Nov 14:02")],
)
def test_a_time_names_its_day_unless_it_is_today(hours, text):
    assert since(NOW - hours * HOUR, NOW) == text
    assert since(NOW - hours * HOUR, NOW, is_least=True) == f"≤ {text}"


@pytest.mark.parametrize(
    ("outlook", "text"),
    [
        (Outlook(expected=NOW + 87 * 60, not_before=NOW + HOUR), "≈ 1h 27m"),
        (Outlook(not_before=NOW + 23.5 * HOUR), "≥ 23h 30m"),
        (Outlook(not_before=NOW - HOUR), "any time"),
        (Outlook(is_safe=True), "safe"),
        (Outlook(expected=NOW + HOUR, is_losing=True), "already"),
        (Outlook(), "–"),
        (None, "–"),
    ],
)
def test_steps_of_deletion_foretell_and_the_retention_is_a_bound(outlook, text):
    assert loss(outlook, NOW).text == text
