"""Printouts, exports, metrics and logs of every tool are read as a person reads them."""

import copy

import pytest

from tests.data.sources.judge import faults, inputs, judged

CASES = {case["name"]: case for case in inputs()}


@pytest.mark.parametrize("name", CASES)
def test_an_input_is_read_rightly(name, tmp_path):
    assert faults(CASES[name], tmp_path) == []


def test_the_judge_names_a_wrong_figure_an_invented_row_and_the_kind(capsys):
    case = copy.deepcopy(CASES["02-rpk-describe-25"])
    (group,) = case["checks"][0]["groups"]
    group["rows"][0]["committed"] += 1
    del group["rows"][1]

    assert judged([case]) == 1

    said = capsys.readouterr().out
    assert "('invoices', 0): committed is 88100, expected 88101" in said
    assert "('invoices', 1): is invented" in said
    assert "table: 0 of 1 right" in said
