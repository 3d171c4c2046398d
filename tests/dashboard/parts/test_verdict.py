"""The sentence about a candidate, in many situations."""

import numpy as np
import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.compare.comparison import Row, compare
from evenkeel.assignors.group.drain import Band
from evenkeel.assignors.rounds.switch import switch
from evenkeel.dashboard.parts.verdict import Situation, verdict
from evenkeel.data.scenarios.drains import GroupDrain
from tests.assignors.groups import Member, assignment, group


def said(snapshot, name, owned, **known):
    """Return the whole sentence about an assignor; `owned` None: nobody knows who owns what."""
    current = None if owned is None else assignment(snapshot, **owned)
    rows = compare(snapshot, current, [ASSIGNORS[name]()]).rows
    way = (
        switch(snapshot, current, ASSIGNORS[name](), rows[1].assignment)
        if current and rows[1].assignment
        else None
    )
    return "".join(verdict(Situation(rows[0], rows[1], way, snapshot.tp_count, **known)))


TWO = {"A": Member("t", owned="t-0 t-1"), "B": Member("t")}
ALL_ON_A = {"A": "t-0 t-1"}


def test_it_says_by_how_much_a_switch_helps_what_it_moves_and_what_pauses():
    assert said(group({"t": 2}, TWO, lag=[40, 60]), "range", ALL_ON_A) == (
        "Switching to range lowers the worst member's lag from 100 to 60 (−40\u202f%); idle members fall from 1 to 0; "
        "it moves 1 of 2 partitions and pauses all 2 in 1 round."
    )


def test_a_cooperative_switch_pauses_what_moves():
    sentence = said(group({"t": 2}, TWO, lag=[40, 60]), "cooperative-sticky", ALL_ON_A)

    assert "it moves 1 of 2 partitions and pauses 1 in 2 rounds" in sentence


def test_a_worse_answer_is_said_to_be_worse():
    members = {"A": Member("t", owned="t-0"), "B": Member("t", owned="t-1 t-2")}
    sentence = said(
        group({"t": 3}, members, lag=[60, 10, 50]), "range", {"A": "t-0", "B": "t-1 t-2"}
    )

    assert sentence.startswith(
        "Switching to range makes it worse: the worst member's lag grows from 60 to 70 (+17\u202f%); it moves 1 of 3 partitions"
    )


def test_the_same_lag_is_no_help():
    sentence = said(
        group({"t": 2}, {"A": Member("t", owned="t-0"), "B": Member("t", owned="t-1")}, lag=[5, 7]),
        "range",
        {"A": "t-0", "B": "t-1"},
    )

    assert (
        sentence
        == "Switching to range does not change the worst member's lag of 7; it moves nothing and pauses all 2 in 1 round."
    )


def test_an_answer_that_moves_nothing_changes_no_lag_whatever_is_unknown():
    sentence = said(
        group(
            {"t": 2}, {"A": Member("t", owned="t-0"), "B": Member("t", owned="t-1")}, lag=[5, None]
        ),
        "range",
        {"A": "t-0", "B": "t-1"},
    )

    assert sentence.startswith(
        "Switching to range does not change the worst member's lag of at least 5;"
    )


@pytest.mark.parametrize(
    ("lag", "answer"),
    [
        (
            [40, None],
            "Whether switching to range helps is unknown, because some lags are: the worst member has at least 40 now and 40 under it",
        ),
        ([None, None], "Whether switching to range helps is unknown, because every lag is"),
        ([0, 0], "No partition with an owner lags, now or under range"),
    ],
)
def test_unknown_lags_and_no_lag_claim_nothing(lag, answer):
    sentence = said(group({"t": 2}, TWO, lag=lag), "range", ALL_ON_A)

    assert sentence.startswith(answer.replace("and 40 under it", "and at least 40 under it"))
    assert "; idle members fall from 1 to 0; it moves 1 of 2 partitions" in sentence


def test_a_lower_bound_now_that_is_above_an_exact_answer_is_help():
    snapshot = group({"t": 2, "u": 1}, {"A": Member("t u"), "B": Member("t u")}, lag=[40, 60, None])

    now, after = compare(
        snapshot, assignment(snapshot, A="t-0 t-1 u-0"), [ASSIGNORS["range"]()]
    ).rows
    exact = compare(
        group({"t": 2}, TWO, lag=[40, 50]),
        assignment(group({"t": 2}, TWO), A="t-0 t-1"),
        [ASSIGNORS["range"]()],
    ).rows[1]

    assert "lowers the worst member's lag from at least 100 to 50 (≤ −50\u202f%)" in "".join(
        verdict(Situation(now, exact, None, 2))
    )
    assert verdict(Situation(now, after, None, 3)).answer.startswith(
        "Whether switching to range helps is unknown"
    )


def test_without_known_owners_help_and_moves_are_unknown():
    assert said(group({"t": 2}, A="t", B="t", lag=[40, 60]), "range", None) == (
        "Whether range helps is unknown, because the current owners are; under it the worst member has a lag of 60; "
        "what it moves and pauses is unknown."
    )


def test_one_member_gets_everything_whatever_is_chosen():
    assert said(
        group({"t": 1}, A=Member("t", owned="t-0"), lag=[4]), "range", {"A": "t-0"}
    ).startswith("The only member gets every partition under range")


def test_without_members_there_is_nothing_to_assign():
    assert (
        said(group({"t": 1}, {}, lag=[4]), "range", {})
        == "The group has no members: there is nothing to assign."
    )


def test_an_assignor_in_use_that_would_move_partitions_is_not_called_no_change():
    assert said(group({"t": 2}, TWO, lag=[40, 60]), "range", ALL_ON_A, is_in_use=True) == (
        "The group uses range now; its next rebalance would give 1 partition another owner."
    )


def test_an_assignor_in_use_that_would_keep_everything_is_no_change():
    evenly = {"A": "t-0", "B": "t-1"}

    assert said(group({"t": 2}, TWO, lag=[40, 60]), "range", evenly, is_in_use=True) == (
        "No change: the group uses range now; its next rebalance would keep every partition where it is."
    )


def test_an_assignor_of_evenkeel_s_package_says_so():
    needs = {"needs_jar": True, "needs_package": True, "client": "aiokafka"}

    assert "; it needs the package evenkeel-assignors in each member." in said(
        group({"t": 2}, TWO, lag=[40, 60]), "lag", ALL_ON_A, **needs
    )


def test_an_assignor_that_needs_a_jar_says_so():
    assert "; it needs a jar of your own." in said(
        group({"t": 2}, TWO, lag=[40, 60]), "lag", ALL_ON_A, needs_jar=True
    )


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        (Row("range", error=AssignorError("X", "y")), "range has no answer for this group."),
        (Row("odd"), "odd has not answered yet."),
    ],
)
def test_without_an_answer_it_says_only_that(row, answer):
    assert "".join(verdict(Situation(Row("current"), row, None, 2))) == answer


def drained(seconds):
    """Two readings' time until the group is drained, infinite for never."""
    low = np.inf if np.isinf(seconds) else np.nan
    return GroupDrain(Band(*map(np.float64, (low, seconds, low))), 0.0)


def test_less_lag_is_no_help_under_an_answer_that_never_drains():
    sentence = said(
        group({"t": 2}, TWO, lag=[40, 60]),
        "range",
        ALL_ON_A,
        drains_now=drained(960),
        drains=drained(np.inf),
    )

    assert sentence.startswith(
        "Switching to range does not help: the worst member's lag falls from 100 to 60 (−40\u202f%), but under it the group never drains "
        "(now in ≈ 16 m); idle members"
    )


@pytest.mark.parametrize(
    ("now", "then", "answer"),
    [
        (
            960,
            1200,
            "Switching to range does not help: the worst member's lag falls from 100 to 60 (−40\u202f%), but under it the group drains",
        ),
        (
            960,
            1000,
            "Switching to range lowers the worst member's lag from 100 to 60 (−40\u202f%); idle",
        ),
        (
            960,
            300,
            "Switching to range lowers the worst member's lag from 100 to 60 (−40\u202f%); under it the group drains in ≈ 5 m (now",
        ),
        (
            np.inf,
            np.inf,
            "Switching to range is not enough: the worst member's lag falls from 100 to 60 (−40\u202f%), and the group still never",
        ),
        (
            np.nan,
            np.inf,
            "Switching to range does not help: the worst member's lag falls from 100 to 60 (−40\u202f%), but under it the group never",
        ),
    ],
)
def test_times_to_drain_decide_whether_less_lag_helps(now, then, answer):
    times = {"drains_now": drained(now), "drains": drained(then)}

    assert said(group({"t": 2}, TWO, lag=[40, 60]), "range", ALL_ON_A, **times).startswith(answer)


def test_a_client_that_loads_no_jar_cannot_use_an_assignor_of_your_own():
    sentence = said(
        group({"t": 2}, TWO, lag=[40, 60]), "lag", ALL_ON_A, needs_jar=True, client="librdkafka"
    )

    assert sentence == (
        "librdkafka has no lag assignor, and loads no jar: only Java members can use it; "
        "in a group of Java members the worst member's lag would fall from 100 to 60."
    )
