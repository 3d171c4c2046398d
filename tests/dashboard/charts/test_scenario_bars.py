"""A panel for each scenario."""

import numpy as np
import pytest

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.scenario_members import scenario_rows
from evenkeel.dashboard.charts.scenario_bars import scenario_bars
from tests.dashboard.stepped import JOINS, STOPS, stepped


def drawn(*edits):
    return scenario_bars(scenario_rows([(title, [step["range"] for step in stepped(edit).steps]) for title, edit in edits]))


def test_all_panels_have_one_scale_and_the_lag_as_listed():
    figure = drawn(("A", STOPS), ("B", JOINS))

    assert figure.layout.xaxis.range == figure.layout.xaxis2.range
    assert [(bar.name, bar.xaxis, bar.x[0]) for bar in figure.data] == [
        ("now", "x", 160_000),
        ("after", "x", 210_000),
        ("now", "x2", 160_000),
        ("after", "x2", 100_000),
    ]
    assert figure.data[0].marker.color[0] == theme.CURRENT and figure.data[1].marker.color[0] == theme.CANDIDATE


def test_a_panel_says_stopped_where_its_scenario_stops_a_member():
    figure = drawn(("A", STOPS), ("B", JOINS))

    assert [(note.xref, note.y) for note in figure.layout.annotations if note.text == "stopped"] == [("x", 1.205)]


def test_a_long_title_is_cut_whole_in_the_hover_and_no_markup():
    figure = drawn(("<b>one scenario</b> of a name that goes on and on", STOPS), *[("B", JOINS)] * 3)

    title = next(note for note in figure.layout.annotations if note.text.endswith("…</b>"))
    assert title.text == "<b>&lt;b&gt;one scenario&lt;/…</b>"
    assert title.hovertext.endswith("on and on")


def test_each_panel_has_the_fair_share_of_its_own_end():
    figure = drawn(("A", STOPS), ("B", JOINS))

    assert [(line.xref, line.x0) for line in figure.layout.shapes] == [("x", 210_000), ("x2", 70_000)]


def test_beside_a_member_that_is_very_far_behind_the_scale_is_the_root_and_says_so():
    rows = scenario_rows([(title, [step["range"] for step in stepped(edit).steps]) for title, edit in (("A", STOPS), ("B", JOINS))])
    behind = np.full(rows.now.values.size, 100.0)
    lags = [load._replace(values=behind, fair=100.0) for load in (rows.now, *(end.loads for end in rows.ends))]
    far = lags[0]._replace(values=np.array([10_000.0, *behind[1:]]))
    ends = [end._replace(loads=load) for end, load in zip(rows.ends, lags[1:], strict=True)]

    root, plain = (scenario_bars(rows._replace(now=now, ends=ends)) for now in (far, lags[0]))

    assert (root.data[0].x[0], root.data[1].x[0], root.layout.shapes[0].x0) == (100, 10, 10)
    assert list(root.layout.xaxis.tickvals) == [0, 50, np.sqrt(5_000), np.sqrt(7_500), 100]
    assert root.layout.xaxis.range == root.layout.xaxis2.range == (0, 120)
    assert ["√ scale" in figure.layout.annotations[-1].text for figure in (root, plain)] == [True, False]
    assert (plain.data[0].x[0], plain.layout.shapes[0].x0) == (100, 100)


@pytest.mark.parametrize(("least", "is_root"), [(10, True), (11, False)])
def test_the_scale_is_the_root_also_where_half_the_members_are_a_hundred_times_further_behind(least, is_root):
    rows = scenario_rows([(title, [step["range"] for step in stepped(edit).steps]) for title, edit in (("A", JOINS), ("B", JOINS))])
    loads = rows.now._replace(values=np.array([1000.0, least, np.nan]))
    ends = [end._replace(loads=loads) for end in rows.ends]

    figure = scenario_bars(rows._replace(now=loads, ends=ends))

    # On a linear scale the bar of 10 would be 1 % as long as that of 1,000; on √ it is a tenth.
    assert [bar.x[1] / bar.x[0] for bar in figure.data] == [pytest.approx(0.1 if is_root else 0.011)] * 4
    assert ("√ scale" in figure.layout.annotations[-1].text) == is_root
