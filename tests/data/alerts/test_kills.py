"""Messages of a process that is killed with signal 9 while it pushes."""

from tests.data.alerts.kills import Moment, expected, killed_at


def test_a_killed_process_leaves_no_start_and_no_end_untold():
    moments = [Moment("before", 2), Moment("after", 3), Moment("slot", 2, 0.01)]

    killer = killed_at(moments)

    assert killer.kills == 3
    assert set(killer.keys) == expected()
    # The two messages under way at a kill come twice.
    assert len(killer.keys) <= len(expected()) + 3
