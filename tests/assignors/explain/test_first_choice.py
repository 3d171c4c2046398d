"""The answer to look at first."""

import pytest

from assignors import ASSIGNORS
from assignors.explain.first_choice import best
from assignors.figures.comparison import compare
from assignors.rounds.switch import Kind, Step, Switch
from data.scenarios.examples.worked_examples import worked_example
from tests.assignors.groups import Member, assignment, group


def rows_of(snapshot, *names, **owned):
    return compare(snapshot, assignment(snapshot, **owned), [ASSIGNORS[name]() for name in names]).rows


def chosen(rows, names, switches=None, in_use=None):
    found = best(rows, names, switches or {}, in_use)
    return found and found.name


def test_the_least_lag_of_the_worst_member_comes_first_of_what_ships_with_kafka():
    observed = worked_example("lag-aware").load()
    of_kafka = ["range", "roundrobin", "sticky", "cooperative-sticky"]
    rows = compare(observed.snapshot, observed.current, [ASSIGNORS[name]() for name in (*of_kafka, "lag", "uniform", "broker-range")]).rows

    assert chosen(rows, [row.name for row in rows]) == "lag"
    assert chosen(rows, of_kafka) == "roundrobin"


def test_of_equal_answers_the_one_in_use_comes_first_else_the_one_that_moves_least():
    snapshot = group({"t": 2}, A=Member("t", owned="t-1"), B=Member("t", owned="t-0"), lag=[5, 5])
    rows = rows_of(snapshot, "range", "roundrobin", "sticky", A="t-1", B="t-0")

    assert chosen(rows, ["range", "roundrobin", "sticky"]) == "sticky"
    assert chosen(rows, ["range", "roundrobin", "sticky"], in_use="roundrobin") == "roundrobin"


def test_without_a_known_lag_idle_members_and_then_counts_decide():
    snapshot = group({"t": 1, "u": 1}, A="t u", B="t u")
    rows = rows_of(snapshot, "range", "roundrobin", A="t-0 u-0")

    assert chosen(rows, ["range", "roundrobin"], in_use="range") == "roundrobin"


def test_an_answer_that_the_group_never_comes_to_is_not_the_best():
    snapshot = group({"t": 2}, A=Member("t", owned="t-0 t-1"), B="t", lag=[5, 5])
    rows = rows_of(snapshot, "range", "sticky", A="t-0 t-1")
    endless = Switch(Kind.EAGER, (Step(2, 2, 0),), *[group({"t": 2}, A="t").given_lag[:0]] * 2, is_settled=False, is_endless=True)

    assert chosen(rows, ["range", "sticky"], {"range": endless}) == "sticky"
    assert chosen(rows, ["range"], {"range": endless}) is None


@pytest.mark.parametrize("names", [[], ["uniform"]])
def test_there_may_be_none(names):
    assert chosen(rows_of(group({"t": 1}, A="t"), "range", A="t-0"), names) is None
