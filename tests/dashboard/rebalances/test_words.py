"""The sentence of Rebalances: what it says of the longest one, by rebalances that are made
by hand.
"""

from evenkeel.dashboard.rebalances.words import held_up
from evenkeel.data.rebalances.event import Member, Rebalance, Trigger

SLOW = Member("pay-b-1", "pay-b", None)


def waited_for_b(*later):
    """A rebalance of 6.4 s that a member began and `pay-b` held up; `later`: its further triggers
    in order.
    """
    one = Rebalance("pay", "classic", 3)
    one.start, one.joined, one.assigned = 0, 6_400, 6_400
    one.slowest = SLOW, 6_400
    causes = [
        ("member_joined", Member("pay-c-1", "pay-c", None)),
        *((cause, SLOW) for cause in later),
    ]
    one.triggers = [Trigger(cause, 0, "server.log:1", member) for cause, member in causes]
    return one


def test_the_longest_waited_for_whoever_went_last_whatever_it_did_before():
    said = "The longest, 6.4 s, waited 6.4 s for pay-b, which ran out of its poll interval."

    assert held_up(waited_for_b("member_joined", "poll_timeout")) == said
    assert (
        held_up(waited_for_b("member_left", "member_joined", "poll_timeout", "member_joined"))
        == said
    )
    assert held_up(waited_for_b("member_joined")) == ""


def test_the_longest_is_said_to_be_that_of_known_length_where_others_have_none():
    said = "The longest of known length, 6.4 s, waited 6.4 s for pay-b, which was thrown out."

    assert held_up(waited_for_b("session_timeout"), partial=True) == said
