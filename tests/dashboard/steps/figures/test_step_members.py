"""Two bars for each member after a step, and a tick before."""

import numpy as np

from evenkeel.assignors.assignment import AssignorError
from evenkeel.dashboard import theme
from evenkeel.dashboard.steps.figures.step_members import step_members
from evenkeel.dashboard.steps.figures.step_sides import (
    MOST,
    WORST,
    finding,
    member_rows,
    where_it_went,
)
from evenkeel.data.scenarios.run.group_step import StepAnswer
from tests.dashboard.stepped import JOINS, RESTARTS, STOPS, stepped


def drawn(edit=JOINS, **more):
    answers = stepped(edit).steps[1]
    return step_members(member_rows(answers["range"], answers["lag"]), 1, **more)


def trace(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


def notes(figure):
    return [note.text for note in figure.layout.annotations]


def test_bars_are_the_lag_after_and_ticks_the_lag_before():
    figure = drawn()

    assert trace(figure, "range").x.tolist() == [100_000, 60_000, 50_000]
    assert trace(figure, "range, before").x[0] == 160_000
    assert trace(figure, "range, before").marker.symbol == "line-ns"
    assert trace(figure, "range").hovertext[0] == "C0"


def test_in_use_is_blue_and_above_the_candidate_in_orange():
    figure = drawn()

    assert trace(figure, "range").marker.color[0] == theme.CURRENT
    assert trace(figure, "lag").marker.color[0] == theme.CANDIDATE
    assert trace(figure, "range").offset < trace(figure, "lag").offset
    assert trace(figure, "range, before").y[0] < trace(figure, "lag, before").y[0]


def test_before_and_after_are_columns_at_the_right_edge():
    columns = [trace for trace in drawn().data if trace.xaxis == "x2"]

    assert [column.text[0] for column in columns[:3]] == ["160\u202fk", "→", "100\u202fk"]


def test_the_fair_share_of_both_is_one_line_with_its_value():
    figure = drawn()

    assert [line.x0 for line in figure.layout.shapes] == [70_000]
    assert "fair share 70.0\u202fk" in notes(figure)


def test_over_twice_the_fair_share_is_hatched_and_in_the_legend_only_if_there_is_such_a_bar():
    figure, wide = drawn(), drawn(JOINS | {"count": 6})

    assert not any(any(bar.marker.pattern.shape) for bar in figure.data if bar.type == "bar")
    assert list(trace(wide, "range").marker.pattern.shape[:3]) == ["/", "/", ""]
    assert [any("over 2×" in text for text in notes(one)) for one in (figure, wide)] == [
        False,
        True,
    ]


def test_an_idle_member_is_a_hollow_bar_and_says_idle():
    figure = drawn(JOINS | {"count": 6})

    assert trace(figure, "range").marker.line.width[-1] == 1.4
    assert figure.data[4].text[-1] == "idle"


def test_a_stopped_member_stands_last_and_says_where_its_partitions_went():
    figure = drawn(STOPS)

    assert list(figure.layout.yaxis.ticktext) == ["C0", "C1 ✕"]
    assert "its 1 partition went to others" in notes(figure)
    assert [text.text for text in figure.data if text.text and text.text[0] == "stopped"] == [
        ("stopped",)
    ]


def test_a_large_group_is_as_high_as_a_small_one():
    figure = drawn(JOINS | {"count": MOST})

    assert list(figure.layout.yaxis.ticktext)[-1] == f"{MOST + 2 - WORST} others, mean"
    assert trace(figure, "range").customdata[-1] is None
    assert figure.layout.height < 500


def test_the_legend_stands_beside_the_title_where_there_is_room():
    assert notes(drawn(width=900))[-2].startswith("<b>Lag per member after step 1</b>   <span")
    assert notes(drawn(width=200))[-3] == "<b>Lag per member after step 1</b>"


def test_the_group_as_listed_has_one_bar_for_each_member_and_no_assignors_name():
    answers = stepped(JOINS).steps[0]
    figure = step_members(member_rows(answers["range"], answers["lag"], step=0), 0)

    assert [(bar.name, bar.x.tolist()) for bar in figure.data if bar.type == "bar"] == [
        ("as listed", [160_000, 50_000])
    ]
    assert "<b>Lag per member as listed</b>" in notes(figure)
    assert not any(word in text for text in notes(figure) for word in ("range", "lag<", "before"))


# Members before and after a step.


def rows_of(edit, **more):
    answers = stepped(edit, **more).steps[1]
    return member_rows(answers["range"], answers.get("lag"))


def test_members_stand_by_the_higher_lag_of_both_sides_with_what_they_had_before():
    rows = rows_of(JOINS)
    in_use, candidate = rows.sides

    assert [name.split("-")[0] for name in rows.names] == ["C0", "C1", "C1"]
    assert (in_use.name, in_use.is_candidate, candidate.name, candidate.is_candidate) == (
        "range",
        False,
        "lag",
        True,
    )
    assert in_use.after.tolist() == [100_000, 60_000, 50_000]
    assert (in_use.before[0], sorted(text for text, _ in in_use.texts)) == (
        160_000,
        ["+", "160\u202fk", "50.0\u202fk"],
    )


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

    assert [(side.name, side.is_candidate) for side in member_rows(answer, answer).sides] == [
        ("range", False)
    ]


def test_a_side_that_throws_has_no_bars():
    answers, thrown = (
        stepped(JOINS).steps[1],
        StepAnswer("lag", error=AssignorError("ArithmeticException", "/ by zero")),
    )

    assert [side.name for side in member_rows(answers["range"], thrown).sides] == ["range"]
    assert member_rows(None, thrown) is None


def test_of_a_large_group_the_worst_have_rows_and_the_others_their_mean():
    rows = rows_of(JOINS | {"count": MOST})
    in_use = rows.sides[0]

    assert (len(rows.names), rows.others) == (WORST, MOST + 2 - WORST)
    assert in_use.after[:4].tolist() == [100_000, 60_000, 50_000, 0]
    assert (in_use.after[-1], len(in_use.texts)) == (0, WORST + 1)


def test_the_finding_names_the_member_with_most_lag_of_each_side():
    assert (
        finding(rows_of(STOPS), 1)
        == "Load per member after step 1: under “range” C0 has most, 210,000 records, under “lag”"
        " C0 has most, 210,000 records; 1 stopped"
    )


def test_where_no_member_has_lag_partitions_stand_in_its_place():
    rows = rows_of({"op": "scale_lag", "topic": "t0", "factor": 0})

    assert rows.without_lag == "no member has lag"
    assert sorted(rows.sides[0].after.tolist()) == [1, 2]


def test_the_finding_of_the_group_as_listed_names_no_assignor():
    answers = stepped(JOINS).steps[0]

    assert (
        finding(member_rows(answers["range"], answers["lag"], step=0), 0)
        == "Load per member as listed: C0 has most, 160,000 records"
    )
