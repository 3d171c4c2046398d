"""Members before and after a step."""

import numpy as np

from evenkeel.assignors.errors import AssignorError
from evenkeel.dashboard.charts.numbers.step_members import MOST, WORST, finding, member_rows
from evenkeel.dashboard.charts.numbers.step_sides import where_it_went
from evenkeel.data.scenarios.run.group_step import StepAnswer
from tests.dashboard.stepped import JOINS, RESTARTS, STOPS, stepped


def rows_of(edit, **more):
    answers = stepped(edit, **more).steps[1]
    return member_rows(answers["range"], answers.get("lag"))


def test_members_stand_by_the_higher_lag_of_both_sides_with_what_they_had_before():
    rows = rows_of(JOINS)
    in_use, candidate = rows.sides

    assert [name.split("-")[0] for name in rows.names] == ["C0", "C1", "C1"]
    assert (in_use.name, in_use.is_candidate, candidate.name, candidate.is_candidate) == ("range", False, "lag", True)
    assert in_use.after.tolist() == [100_000, 60_000, 50_000]
    assert (in_use.before[0], sorted(text for text, _ in in_use.texts)) == (160_000, ["+", "160\u202fk", "50.0\u202fk"])


def test_a_new_member_has_a_plus_and_nothing_before():
    rows = rows_of(JOINS)
    place = next(place for place, name in enumerate(rows.names) if name.endswith(" +"))

    assert [side.texts[place][0] for side in rows.sides] == ["+", "+"]
    assert np.isnan(rows.sides[0].before[place])


def test_a_restarted_member_is_matched_to_its_former_id():
    rows = rows_of(RESTARTS)
    place = next(place for place, name in enumerate(rows.names) if name.endswith(" ↻"))

    assert rows.sides[0].before[place] == 50_000
    assert rows.stopped == []


def test_a_stopped_member_stands_apart_with_its_number_of_partitions():
    rows = rows_of(STOPS)

    assert (rows.names, rows.stopped) == (["C0"], ["C1 ✕"])
    assert where_it_went(rows.sides, 0) == ["1"]
    assert rows.sides[0].after.tolist() == [210_000]


def test_one_answer_for_both_is_the_assignor_in_use():
    answer = stepped(JOINS).steps[1]["range"]

    assert [(side.name, side.is_candidate) for side in member_rows(answer, answer).sides] == [("range", False)]


def test_a_side_that_throws_has_no_bars():
    answers, thrown = stepped(JOINS).steps[1], StepAnswer("lag", error=AssignorError("ArithmeticException", "/ by zero"))

    assert [side.name for side in member_rows(answers["range"], thrown).sides] == ["range"]
    assert member_rows(None, thrown) is None


def test_of_a_large_group_the_worst_have_rows_and_the_others_their_mean():
    rows = rows_of(JOINS | {"count": MOST})
    in_use = rows.sides[0]

    assert (len(rows.names), rows.others) == (WORST, MOST + 2 - WORST)
    assert in_use.after[:4].tolist() == [100_000, 60_000, 50_000, 0]
    assert (in_use.after[-1], len(in_use.texts)) == (0, WORST + 1)


def test_the_finding_names_the_member_with_most_lag_of_each_side():
    assert finding(rows_of(STOPS), 1) == (
        "Load per member after step 1: under “range” C0 has most, 210,000 records, under “lag” C0 has most, 210,000 records; 1 stopped"
    )


def test_where_no_member_has_lag_partitions_stand_in_its_place():
    rows = rows_of({"op": "scale_lag", "topic": "t0", "factor": 0})

    assert rows.without_lag == "no member has lag"
    assert sorted(rows.sides[0].after.tolist()) == [1, 2]


def test_the_finding_of_the_group_as_listed_names_no_assignor():
    answers = stepped(JOINS).steps[0]

    assert finding(member_rows(answers["range"], answers["lag"], step=0), 0) == "Load per member as listed: C0 has most, 160,000 records"
