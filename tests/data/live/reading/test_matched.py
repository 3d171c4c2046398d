"""Topics that members subscribe to by an expression."""

from evenkeel.data.group.document import Member
from evenkeel.data.live.reading.described import GroupDescription
from evenkeel.data.live.reading.documents import _live, _matched

LONG = "a" * 5_000


def group(expression):
    member = Member(member_id="m", subscribed=[], subscribed_regex=expression)
    return GroupDescription("consumer", "Stable", members=[member])


def test_an_expression_that_is_refused_is_a_problem_of_its_group_alone():
    good, long = (_matched(group(text), [text], ["orders", "kyc"]) for text in ("ord.*", LONG))

    assert good.matched == {"orders"}
    assert long.matched == frozenset()
    read = _live("payments", long, None, None, None)
    assert read.document is None
    assert read.problems == [
        "members[0].subscribed_regex: found an RE2 expression of 5,000 characters, expected at most"
        " 4,096"
    ]
