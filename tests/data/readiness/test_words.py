"""Readiness in words: how a group goes back from the middle of its restarts."""

import pytest

from evenkeel.assignors.readiness.bounces import Back
from evenkeel.data.readiness.restart_words import goes_back


@pytest.mark.parametrize(
    ("may", "said"),
    [
        (True, "back: restart pay-a, 8 moves"),
        (None, "back, if the policy allows: restart pay-a, 8 moves"),
        (False, "no way back: 3 partitions without owner"),
    ],
)
def test_the_way_back_is_a_condition_where_the_policy_is_unknown_and_none_where_it_forbids_it(
    may, said
):
    assert goes_back(["pay-a"], may, False, Back(1, moved=8, left=3)) == said


def test_where_only_an_extra_member_has_joined_it_is_stopped():
    assert (
        goes_back([], True, False, Back(0, moved=2, left=2))
        == "back: stop the extra member, 2 moves"
    )
    assert goes_back(["pay-a", "pay-b"], True, False, Back(2, moved=8, left=3), has_extra=True) == (
        "back: restart both, then stop the extra member, 8 moves"
    )
    assert goes_back([], True, False, None) == "nothing to undo"
