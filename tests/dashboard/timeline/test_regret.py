"""What a replay shows, in a sentence."""

import numpy as np

from evenkeel.assignors.timeline.replay import Regret
from evenkeel.dashboard.timeline.words import finding


def regret(*worst) -> Regret:
    return Regret(
        np.zeros(1), np.zeros(1, dtype=np.int64), ("current", "range", "lag"), np.array([worst])
    )


def test_the_best_assignor_is_named_with_what_its_peak_would_have_been_lower():
    assert (
        finding(regret(218_000, 251_000, 156_000), False)
        == "lag would have lowered the worst member's peak by 62.0\u202fk"
    )


def test_nothing_better_is_said_as_such():
    assert finding(regret(100, 120, 96), False) == "no assignor would have been clearly better"
    assert finding(regret(100, -1, -1), False) == "no assignor has an answer at every reading"


def test_a_stall_is_not_the_assignors():
    assert (
        finding(regret(218_000, 251_000, 156_000), True)
        == "a stalled member stalls under any assignor"
    )
