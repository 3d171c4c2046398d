"""Scenarios side by side, as rows."""

from evenkeel.dashboard.whatif.tables import Cell, end_lines, listed_end, scenario_end
from evenkeel.data.scenarios.run.step_figures import balance_before
from tests.dashboard.stepped import JOINS, STOPS, stepped


def lines(*scenarios, name="range"):
    answers = [[step[name] for step in stepped(*edits).steps] for edits in scenarios]
    listed = answers[0][0]
    ends = [scenario_end(title, each) for title, each in zip("AB", answers, strict=False)]
    return listed_end(listed, balance_before(listed), "range"), ends


def rows(*scenarios, **more):
    return {line.name: line.cells for line in end_lines(*lines(*scenarios, **more))}


def test_each_column_says_its_members_and_its_assignor():
    now, (joins, stops) = lines([JOINS], [JOINS, STOPS])

    assert (now.title, now.note) == ("Now", "2 members, range")
    assert [joins.note, stops.note] == ["3 members, range", "2 members, range"]


def test_a_scenario_of_lag_alone_says_that_nothing_rebalances():
    late = {"op": "scale_lag", "topic": "t0", "factor": 2}
    _, (lag, both) = lines([late], [late, JOINS])

    assert [lag.note, both.note] == ["2 members, no rebalance", "3 members, range"]


def test_the_change_is_against_the_group_as_listed_and_the_better_scenario_has_the_star():
    found = rows([JOINS], [STOPS])

    assert found["Worst member, lag"] == [
        Cell("160\u202fk"),
        Cell("100\u202fk", "−38\u202f%", is_best=True),
        Cell("210\u202fk", "+31\u202f%"),
    ]
    assert found["Partitions, max / min"][1:] == [
        Cell("1 / 1", "−1", is_best=True),
        Cell("3 / 3", "+1"),
    ]
    assert found["Idle members"][1:] == [Cell("0", "="), Cell("0", "=")]


def test_moves_are_those_of_all_steps_and_unknown_now():
    found = rows([JOINS, STOPS, JOINS | {"like": "C0", "count": 2}], [JOINS])

    assert [cell.text for cell in found["Moved partitions"]] == ["–", "5", "2"]
    assert [cell.beside for cell in found["Moved partitions"]] == ["", "1.7×", "67\u202f%"]
    assert found["Moved lag"][2] == Cell("110\u202fk", "52\u202f%", is_best=True)


def test_one_scenario_alone_is_the_best_of_nothing():
    assert not any(cell.is_best for cells in rows([JOINS]).values() for cell in cells)


def test_a_scenario_without_steps_is_what_its_assignor_would_do_now():
    assert rows([], name="lag")["Worst member, lag"][1].text == "110\u202fk"
