"""One more figure is its line and its words: the page, tables, JSON, conditions, CSV and reports
take it from there.
"""

import csv
import io
import json
from datetime import UTC, datetime

import numpy as np
import pytest

from evenkeel.assignors.compare.figure import FIGURES, Figure, Unit
from evenkeel.dashboard.parts.table_files import csv_file, figures_table
from evenkeel.dashboard.shares.reports.markdown import markdown
from evenkeel.dashboard.shares.reports.pages import html_page
from evenkeel.dashboard.shares.reports.report import Report
from evenkeel.dashboard.steps.tables import figure_columns, step_columns, step_rows
from evenkeel.dashboard.whatif.tables import end_lines, listed_end, scenario_end
from evenkeel.data.commands.main import main
from evenkeel.data.compare.figure_words import WORDS, FigureWords, Header
from evenkeel.data.pipeline import uploads
from evenkeel.data.scenarios.run.step_figures import figures_of_result
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.sources.examples.worked_examples import SAMPLES
from tests.dashboard.conftest import ENTRY, AppTest, Page
from tests.dashboard.stepped import JOINS, stepped

MEDIAN = Figure(
    "median_lag",
    Unit.RECORDS,
    lambda seen: seen.balance and float(np.median(seen.balance.lag)),
    -1,
    is_partial=lambda seen: seen.balance is not None and seen.balance.lag_is_partial,
)
"""KAFKA-5337's group: C0 has 100,000 and 60,000, C1 50,000; under `lag` they have 100,000 and
110,000.
"""


@pytest.fixture(autouse=True)
def median(monkeypatch):
    monkeypatch.setitem(FIGURES, "median_lag", MEDIAN)
    header = Header("Lag per member", "median", "Lag of the member in the middle", "median")
    monkeypatch.setitem(
        WORDS,
        "median_lag",
        FigureWords("median", header, header._replace(over="In the middle"), "Middle member, lag"),
    )


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    # No page of these tests reads a listing.
    monkeypatch.setattr(uploads, "start", lambda: None)
    return Page(AppTest.from_file(ENTRY, default_timeout=300))


def test_the_table_of_the_page_has_its_column_with_title_help_and_star_and_sorts_by_it(page):
    page.open("compare", sample="lag-aware", sort="-median")

    table = page.component("candidate")
    assert (
        table["columns"][-1] | {"over": "Lag per member", "key": "median", "label": "median"}
        == table["columns"][-1]
    )
    assert table["sort"] == "-median"
    cells = {row["name"]: row["cells"][-1] for row in table["rows"] if row["cells"]}
    assert cells["current"] | {"text": "105\u202fk", "sort": 105_000.0} == cells["current"]


def test_the_command_line_shows_it_writes_it_and_judges_by_it(capsys):
    path = str(SAMPLES / "lag-aware.json")

    assert main(["compare", path, "--assignor", "lag"]) == 0
    lines = capsys.readouterr().out.splitlines()
    header = next(line for line in lines if line.startswith("assignor"))
    assert header.endswith("median")
    assert next(line for line in lines if line.startswith("current")).endswith("105,000")

    assert main(["compare", path, "--json", "--assignor", "lag"]) == 0
    assert [row["median_lag"] for row in json.loads(capsys.readouterr().out)["rows"]] == [
        105_000.0,
        105_000.0,
    ]

    assert main(["compare", path, "--fail-if", "median_lag > 104999"]) == 1
    assert "median_lag > 104999 holds for current" in capsys.readouterr().err
    assert main(["compare", path, "--fail-if", "median_lag > 105000"]) == 0


def test_a_step_has_it_in_table_lines_and_csv():
    result = stepped(JOINS)
    figures = figures_of_result(result)
    place = next(place for place, column in enumerate(figure_columns()) if column.label == "median")

    cell = {row["name"]: row["cells"][place]["text"] for row in step_rows(figures, 1)}

    assert cell == {"range": "60.0\u202fk", "lag": "60.0\u202fk"}
    assert step_columns(figures)[place]["help"] == "Lag of the member in the middle"
    assert [line["median_lag"] for line in lines_of(result)[1:] if line["step"] == 1] == [
        60_000.0,
        60_000.0,
    ]
    rows = list(csv.DictReader(io.StringIO(csv_file(figures_table(result)).decode())))
    assert [float(row["median_lag"]) for row in rows if row["step"] == "1"] == [60_000.0, 60_000.0]
    ends = end_lines(
        listed_end(result.steps[0]["lag"], None, None),
        [scenario_end("A", [each["lag"] for each in result.steps])],
    )
    assert (
        next(line for line in ends if line.name == "Middle member, lag").cells[1].text
        == "60.0\u202fk"
    )


def test_a_report_has_it_as_a_page_and_as_text():
    report = Report(
        title="one more",
        group="payments",
        step=1,
        names=["one joins"],
        figures=figures_of_result(stepped(JOINS)),
        candidate="lag",
        in_use="range",
        group_type="classic",
        sentences=("g is fine.",),
        known="",
        settings=[],
        engine="",
        content_hash="",
        result_hash="",
        author="",
        frozen_at=datetime(2026, 11, 22, tzinfo=UTC),
    )

    for written in (markdown(report), html_page(report, [])):
        assert "median" in written
        assert "60.0\u202fk" in written


def test_words_are_of_figures_that_there_are_and_each_header_has_its_own_name_in_addresses():
    assert set(WORDS) - set(FIGURES) == set()
    assert set(FIGURES) - set(WORDS) == {"unknown_lag_partitions"}
    keys = [words.compare.key for words in WORDS.values() if words.compare]
    assert len(set(keys)) == len(keys)
    assert all(keys)
