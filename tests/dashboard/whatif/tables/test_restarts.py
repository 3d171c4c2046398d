"""The table of rolling restarts."""

from dataclasses import replace
from math import nan

from evenkeel.dashboard.whatif.tables import COLUMNS, restart_columns, restart_rows
from evenkeel.data.scenarios.run.rolling_restart import Cost, Times

NOW = Cost("sticky", False, 24, 199, 2_400, 7_200, 216_125, False)
STATIC = Cost("sticky", True, 0, 0, 0, 800, 218_304, True)
UNKNOWN = Cost("lag", False, None, None, None, None, None, None)


def test_a_row_has_the_cost_as_members_are_and_as_static_ones():
    (row,) = restart_rows({"sticky": (NOW, STATIC)}, Times())

    assert row == {
        "name": "sticky",
        "cells": ["24", "199", "2,400", "2 h", "216\u202fk", "no", "0", "13m 20s"],
    }


def test_unknown_costs_are_not_zero():
    (row,) = restart_rows({"lag": (UNKNOWN, UNKNOWN)}, Times())

    assert set(row["cells"]) == {"–"}


def test_nothing_is_said_of_static_members_that_are_down_for_longer_than_their_session():
    (row,) = restart_rows({"sticky": (NOW, STATIC)}, Times(downtime_seconds=46))

    assert row["cells"][-2:] == ["–", "–"]


def test_what_piles_up_stands_behind_the_time_without_owner_where_rates_are_known():
    known = {
        "sticky": (replace(NOW, records=12_345.6), replace(STATIC, records=0.0)),
        "lag": (replace(UNKNOWN, records=nan), UNKNOWN),
    }

    sticky, lag = restart_rows(known, Times())

    assert [
        sticky["cells"][place]
        for place, column in enumerate(restart_columns(known))
        if column[1] == "piles up"
    ] == [
        "12.3\u202fk",
        "0",
    ]
    assert set(lag["cells"]) == {"–"}
    assert len(lag["cells"]) == len(restart_columns(known)) == len(COLUMNS) + 2
    assert restart_columns({"sticky": (NOW, STATIC)}) == list(COLUMNS)
