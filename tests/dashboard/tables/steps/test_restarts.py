"""The table of rolling restarts."""

from dashboard.tables.steps.restarts import restart_rows
from data.scenarios.run.rolling_restart import Cost, Times

NOW = Cost("sticky", False, 24, 199, 2_400, 7_200, 216_125, False)
STATIC = Cost("sticky", True, 0, 0, 0, 800, 218_304, True)
UNKNOWN = Cost("lag", False, None, None, None, None, None, None)


def test_a_row_has_the_cost_as_members_are_and_as_static_ones():
    (row,) = restart_rows({"sticky": (NOW, STATIC)}, Times())

    assert row == {"name": "sticky", "cells": ["24", "199", "2,400", "2 h", "216\u202fk", "no", "0", "13m 20s"]}


def test_unknown_costs_are_not_zero():
    (row,) = restart_rows({"lag": (UNKNOWN, UNKNOWN)}, Times())

    assert set(row["cells"]) == {"–"}


def test_nothing_is_said_of_static_members_that_are_down_for_longer_than_their_session():
    (row,) = restart_rows({"sticky": (NOW, STATIC)}, Times(downtime_seconds=46))

    assert row["cells"][-2:] == ["–", "–"]
