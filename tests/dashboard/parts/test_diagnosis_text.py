"""The mark of a finding."""

import pytest

from evenkeel.assignors.diagnosis.finding import Class, Code, Severity
from evenkeel.dashboard.parts.diagnosis_text import mark


@pytest.mark.parametrize(
    ("code", "group_class", "severity", "shape_and_tone"),
    [
        (Code.DOWN, Class.NEED, Severity.CRITICAL, ("octagon", "bad")),
        (Code.STALLED, Class.NEED, Severity.WARNING, ("octagon", "bad")),
        (Code.STUCK, Class.NEED, Severity.WARNING, ("bars", "bad")),
        (Code.UNREAD, Class.NEED, Severity.WARNING, ("triangle", "warn")),
        (Code.UNEVEN, Class.NEED, Severity.WARNING, ("diamond", "candidate")),
        (Code.UNEVEN, Class.LATER, Severity.WARNING, ("ring", "muted")),
        (Code.REBALANCING, Class.NEED, Severity.WARNING, ("turn", "muted")),
        (Code.STALLED, Class.RECOVER, Severity.INFO, ("down", "better")),
    ],
)
def test_a_mark_says_what_kind_of_trouble_it_is(code, group_class, severity, shape_and_tone):
    assert mark(code, group_class, severity) == shape_and_tone
