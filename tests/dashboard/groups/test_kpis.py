"""The numbers above the groups of a cluster."""

import pyarrow as pa
import pytest

from evenkeel.dashboard.groups.body import kpis


def shown(label, *groups):
    columns = (
        "group_id",
        "lag",
        "unknown_lag_count",
        "lag_change",
        "state",
        "partition_count",
        "problem",
    )
    table = pa.table(
        {name: pa.array([group[place] for group in groups]) for place, name in enumerate(columns)}
    )
    return next(kpi for kpi in kpis(table) if kpi.label == label)


WHOLE = ("a", 500, 0, 60.0, "Stable", 3, None)
GROWING = ("b", 12_399, 1, None, "Stable", 2, None)


@pytest.mark.parametrize(
    ("groups", "note", "tone"),
    [
        ([WHOLE, WHOLE], "+120 a minute", "worse"),
        ([GROWING, WHOLE], "+60 a minute in 1 group, unknown in the others", ""),
        ([GROWING], "", ""),
    ],
)
def test_the_change_of_the_total_lag_says_where_it_is_unknown(groups, note, tone):
    total = shown("Total lag", *groups)

    assert (total.note, total.tone) == (note, tone)


def test_the_largest_lag_is_a_lower_bound_while_some_lag_is_unknown():
    assert shown("Largest lag", GROWING, WHOLE).value.replace("\u202f", " ") == "≥ 12.4 k"
    assert shown("Largest lag", WHOLE).value == "500"


def test_groups_in_trouble_colour_their_number_and_the_worst_time_lag_names_its_group():
    columns = dict.fromkeys(("lag_change", "problem"), pa.nulls(3)) | {
        "lag": [9, 5, 0],
        "state": ["Stable"] * 3,
        "partition_count": [2] * 3,
    }
    columns |= {
        "group_id": ["a", "b", "c"],
        "unknown_lag_count": [0] * 3,
        "trouble": [4, 1, 0],
        "verdict": ["STOP", "SLOW", "OK"],
    }
    columns |= {
        "lag_seconds": [60.0, None, 0.0],
        "lag_seconds_method": ["timestamp", None, "exact"],
    }
    whole, partly = (
        {one.label: one for one in kpis(pa.table(columns | {"unknown_seconds_count": [0, n, 0]}))}
        for n in (0, 2)
    )

    assert (whole["In trouble"].value, whole["In trouble"].note, whole["In trouble"].tone) == (
        "2",
        "1 STOP · 1 SLOW",
        "bad",
    )
    assert (whole["Worst time lag"].value, whole["Worst time lag"].note) == ("1 m", "a")
    assert (partly["Worst time lag"].value, partly["Worst time lag"].note) == (
        "≥ 1 m",
        "a · 2 unknown",
    )
