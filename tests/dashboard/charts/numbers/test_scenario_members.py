"""Members of several scenarios, row by row."""

import numpy as np

from evenkeel.dashboard.charts.numbers.scenario_members import finding, scenario_rows
from tests.dashboard.stepped import JOINS, RESTARTS, STOPS, stepped


def scenarios(*edits, name="range"):
    return [(title, [step[name] for step in stepped(*each).steps]) for title, each in zip("ABCD", edits, strict=False)]


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
    assert [end.stops.tolist() for end in rows.ends] == [[False, True, False], [False, False, False]]


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
