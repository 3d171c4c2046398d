"""A report as one HTML file: style, font, plotly and figures inside; it asks the network for nothing."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import plotly.graph_objects as go

from evenkeel.dashboard.reports.charts import plotly_js, script_json
from evenkeel.dashboard.reports.finding import facts, finding
from evenkeel.dashboard.reports.font import font_face
from evenkeel.dashboard.reports.report import Report
from evenkeel.dashboard.reports.templates import rendered
from evenkeel.dashboard.tables.steps.columns import step_columns
from evenkeel.dashboard.tables.steps.rows import step_rows
from evenkeel.dashboard.tables.steps.strip import step_strip
from evenkeel.dashboard.words.answers.steps import heading

_FOLDER = Path(__file__).parent


class Drawing(NamedTuple):
    """A figure with its title."""

    title: str
    figure: go.Figure


class Table(NamedTuple):
    """The table of one step; `heads`: what stands over its columns, with how many it covers."""

    title: str
    beside: str
    heads: list[tuple[str, int]]
    columns: list[dict]
    rows: list[dict]


def html_page(report: Report, drawings: Sequence[Drawing]) -> str:
    """Return the report: the tables of all steps in their order, the figures below the one that it shows in full."""
    return rendered(
        "report.html.jinja",
        report=report,
        style=(_FOLDER / "report.css").read_text(),
        font=font_face(),
        plotly=plotly_js(),
        finding=finding(report),
        facts=facts(report),
        strip=step_strip(report.names, report.figures, report.candidate),
        tables=[(number == report.step, _table(report, number)) for number in report.told_steps],
        drawings=[(each.title, script_json(each.figure), each.figure.layout.height or 320) for each in drawings],
    )


def _table(report: Report, step: int) -> Table:
    name = report.names[step - 1] if step else "as listed"
    said = heading(step, name, report.figures[step][report.candidate])
    rows = step_rows(report.figures, step, report.in_use, group_type=report.group_type, gain=report.gain)
    columns = step_columns(report.figures)
    # A page of paper has no room for every column beside the times of a history.
    is_timed = any(column["kind"] == "drains" for column in columns)
    shown = [place for place, column in enumerate(columns) if not (column["wide"] and is_timed)]
    heads = [(over, len(list(some))) for over, some in groupby((columns[place] for place in shown), key=itemgetter("over"))]
    for row in rows:
        row["cells"] = [row["cells"][place] for place in shown] if row["cells"] else []
    return Table(said.text, said.title, heads, [columns[place] for place in shown], rows)
