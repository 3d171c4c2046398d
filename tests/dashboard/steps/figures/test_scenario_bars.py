"""A panel for each scenario."""

import numpy as np
import pytest

from evenkeel.dashboard import theme
from evenkeel.dashboard.steps.figures.scenario_bars import scenario_bars
from evenkeel.dashboard.steps.figures.scenario_rows import finding, scenario_rows
from tests.dashboard.stepped import JOINS, RESTARTS, STOPS, stepped


def drawn(*edits):
    return scenario_bars(
        scenario_rows(
            [(title, [step["range"] for step in stepped(edit).steps]) for title, edit in edits]
        )
    )


def test_all_panels_have_one_scale_and_the_lag_as_listed():
    figure = drawn(("A", STOPS), ("B", JOINS))

    assert figure.layout.xaxis.range == figure.layout.xaxis2.range
    assert [(bar.name, bar.xaxis, bar.x[0]) for bar in figure.data] == [
        ("now", "x", 160_000),
        ("after", "x", 210_000),
        ("now", "x2", 160_000),
        ("after", "x2", 100_000),
    ]
    assert figure.data[0].marker.color[0] == theme.CURRENT
    assert figure.data[1].marker.color[0] == theme.CANDIDATE


def test_a_panel_says_stopped_where_its_scenario_stops_a_member():
    figure = drawn(("A", STOPS), ("B", JOINS))

    assert [
        (note.xref, note.y) for note in figure.layout.annotations if note.text == "stopped"
    ] == [("x", 1.205)]


def test_a_long_title_is_cut_whole_in_the_hover_and_no_markup():
    figure = drawn(
        ("<b>one scenario</b> of a name that goes on and on", STOPS), *[("B", JOINS)] * 3
    )

    title = next(note for note in figure.layout.annotations if note.text.endswith("…</b>"))
    assert title.text == "<b>&lt;b&gt;one scenario&lt;/…</b>"
    assert title.hovertext.endswith("on and on")


def test_each_panel_has_the_fair_share_of_its_own_end():
    figure = drawn(("A", STOPS), ("B", JOINS))

    assert [(line.xref, line.x0) for line in figure.layout.shapes] == [
        ("x", 210_000),
        ("x2", 70_000),
    ]


def test_beside_a_member_that_is_very_far_behind_the_scale_is_the_root_and_says_so():
    rows = scenario_rows(
        [
            (title, [step["range"] for step in stepped(edit).steps])
            for title, edit in (("A", STOPS), ("B", JOINS))
        ]
    )
    behind = np.full(rows.now.values.size, 100.0)
    lags = [
        load._replace(values=behind, fair=100.0)
        for load in (rows.now, *(end.loads for end in rows.ends))
    ]
    far = lags[0]._replace(values=np.array([10_000.0, *behind[1:]]))
    ends = [end._replace(loads=load) for end, load in zip(rows.ends, lags[1:], strict=True)]

    root, plain = (scenario_bars(rows._replace(now=now, ends=ends)) for now in (far, lags[0]))

    assert (root.data[0].x[0], root.data[1].x[0], root.layout.shapes[0].x0) == (100, 10, 10)
    assert list(root.layout.xaxis.tickvals) == [0, 50, np.sqrt(5_000), np.sqrt(7_500), 100]
    assert root.layout.xaxis.range == root.layout.xaxis2.range == (0, 120)
    assert ["√ scale" in figure.layout.annotations[-1].text for figure in (root, plain)] == [
        True,
        False,
    ]
    assert (plain.data[0].x[0], plain.layout.shapes[0].x0) == (100, 100)


@pytest.mark.parametrize(("least", "is_root"), [(10, True), (11, False)])
def test_the_scale_is_the_root_also_where_half_the_members_are_a_hundred_times_further_behind(
    least, is_root
):
    rows = scenario_rows(
        [
            (title, [step["range"] for step in stepped(edit).steps])
            for title, edit in (("A", JOINS), ("B", JOINS))
        ]
    )
    loads = rows.now._replace(values=np.array([1000.0, least, np.nan]))
    ends = [end._replace(loads=loads) for end in rows.ends]

    figure = scenario_bars(rows._replace(now=loads, ends=ends))

    # On a linear scale the bar of 10 would be 1 % as long as that of 1,000; on √ it is a tenth.
    assert [bar.x[1] / bar.x[0] for bar in figure.data] == [
        pytest.approx(0.1 if is_root else 0.011)
    ] * 4
    assert ("√ scale" in figure.layout.annotations[-1].text) == is_root


# Members of several scenarios, row by row.


def scenarios(*edits, name="range"):
    return [
        (title, [step[name] for step in stepped(*each).steps])
        for title, each in zip("ABCD", edits, strict=False)
    ]


def test_a_member_has_one_row_in_all_scenarios_whatever_its_id_is_at_the_end():
    rows = scenario_rows(scenarios([RESTARTS], [{"op": "scale_lag", "topic": "t0", "factor": 2}]))

    assert rows.names == ["C0", "C1"]
    assert rows.now.values.tolist() == [160_000, 50_000]
    assert rows.ends[1].loads.values.tolist() == [320_000, 100_000]
    assert np.isfinite(rows.ends[0].loads.values).all()


def test_new_members_stand_last_and_are_in_no_other_scenario():
    rows = scenario_rows(scenarios([JOINS], [RESTARTS]))

    assert [name.endswith(" +") for name in rows.names] == [False, False, True]
    assert (np.isnan(rows.now.values[2]), np.isnan(rows.ends[1].loads.values[2])) == (True, True)
    assert rows.ends[1].loads.texts[2] == ""


def test_a_member_is_marked_as_stopped_only_if_every_scenario_stops_it():
    assert scenario_rows(scenarios([STOPS], [STOPS])).names == ["C0", "C1 ✕"]
    rows = scenario_rows(scenarios([STOPS], [JOINS]))
    assert rows.names[1] == "C1"
    assert [end.stops.tolist() for end in rows.ends] == [
        [False, True, False],
        [False, False, False],
    ]


def test_all_panels_have_the_scale_of_the_highest_lag_anywhere():
    assert scenario_rows(scenarios([STOPS], [JOINS])).high == 210_000


def test_a_large_group_has_its_worst_members_and_the_mean_of_the_others():
    rows = scenario_rows(scenarios([JOINS | {"count": 40}]))

    assert (len(rows.names), rows.others) == (14, 28)
    assert rows.now.values[:2].tolist() == [160_000, 50_000]
    assert (len(rows.now.values), rows.ends[0].loads.values[-1]) == (15, 0)


def test_the_finding_says_the_worst_lag_of_each_scenario():
    assert finding(scenarios([STOPS], [JOINS])) == (
        "Lag of the worst member at the end: A 210\u202fk under “range”, B 100\u202fk under “range”"
    )
