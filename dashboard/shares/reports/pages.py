"""A report as one HTML file, and its figures as PNG.

The file contains its style, font and figures. It has no script and needs no network.
"""

import base64
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import plotly.graph_objects as go
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evenkeel.dashboard.names import visible
from evenkeel.dashboard.shares.reports.charts import svg
from evenkeel.dashboard.shares.reports.report import Report, facts, finding, why
from evenkeel.dashboard.shell.answer_words import heading
from evenkeel.dashboard.steps.strips import step_strip
from evenkeel.dashboard.steps.tables import step_columns, step_rows
from evenkeel.data.configuration.handover import without_secrets
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import counted

_FOLDER = Path(__file__).parent
_PANEL = _FOLDER.parents[1] / "overview/panel/panel.css"
_LINES, _LINES_WITH_HOURS, _LEAST_ROWS = 20, 14, 4
"""Lines for remedies, members and partitions on the first printed page."""

_WIDTHS = (300, 490)
"""Width in pixels of the two figures side by side: slightly more than the width of a printed page.
"""


class Drawing(NamedTuple):
    """A figure with its title."""

    title: str
    figure: go.Figure


class Table(NamedTuple):
    """The table of a step. `heads`: titles above the columns, each with the number of its
    columns.
    """

    title: str
    beside: str
    heads: list[tuple[str, int]]
    columns: list[dict]
    rows: list[dict]


def html_page(report: Report, drawings: Sequence[Drawing]) -> str:
    """Return the report as HTML.

    The tables of the steps are in order; the figures are below the table of the report's step.
    """
    rows, more_rows = _rows(report)
    return rendered(
        "report.html.jinja",
        report=report,
        style=_PANEL.read_text() + (_FOLDER / "report.css").read_text(),
        rows=rows,
        more_rows=more_rows,
        font=font_face(),
        why=why(report.bands or {}),
        finding=finding(report),
        facts=facts(report),
        strip=step_strip(report.names, report.figures, report.candidate),
        tables=[(number == report.step, _table(report, number)) for number in report.told_steps],
        drawings=[
            (each.title, svg(each.figure, width))
            for each, width in zip(drawings, _WIDTHS, strict=False)
            if report.names or len(drawings) == 1 or each is not drawings[0]
        ],
    )


def _rows(report: Report) -> tuple[list[dict[str, Any]], str]:
    """Return the member rows that fit on a printed page, and the number of other rows in words.

    The row of an open member contains this member's worst partitions, if they fit.
    """
    if report.bands is None:
        return [], ""
    problem, who, helps = (report.bands[band] for band in ("what", "who", "helps"))
    left = _LINES_WITH_HOURS if who["hours"] else _LINES
    left -= len(helps["rows"]) + len(problem["sentence"]) // 60 + 2 * bool(problem["change"])
    left -= 4 * bool(who["bars"])
    left -= sum(
        -(-len(text) // 110) for text in (" ".join(problem.get("input", ())), why(report.bands))
    )
    rows = [{"note": ""} | row for row in who["rows"][: max(left, _LEAST_ROWS)]]
    hidden, left = len(who["rows"]) - len(rows), left - len(rows)
    for row in rows:
        parts = row["parts"] if row.get("isOpen") else []
        row["parts"] = parts[: max(left, 0)]
        left -= len(row["parts"])
    return rows, counted(hidden, "more row") if hidden else ""


def _table(report: Report, step: int) -> Table:
    name = report.names[step - 1] if step else "as listed"
    head = heading(step, name, report.figures[step][report.candidate])
    rows = step_rows(report.figures, step, report.in_use, group_type=report.group_type)
    columns = step_columns(report.figures)
    # A printed page is too narrow for every column if the table has a history's times.
    is_timed = any(column["kind"] == "drains" for column in columns)
    spared = ("bars", "change") if is_timed else ()
    shown = [place for place, column in enumerate(columns) if column["kind"] not in spared]
    heads = [
        (over, len(list(some)))
        for over, some in groupby((columns[place] for place in shown), key=itemgetter("over"))
    ]
    for row in rows:
        row["cells"] = [row["cells"][place] for place in shown] if row["cells"] else []
    return Table(head.text, head.title, heads, [columns[place] for place in shown], rows)


# Pages from templates. Every text may be hostile, and no text may change the writing direction of
# text around it.


def rendered(name: str, **values: object) -> str:
    """Return a page made from a template of this package. All values are escaped."""
    return _TEMPLATES.get_template(name).render(values)


def _shown(value: object) -> object:
    return visible(value) if type(value) is str else value


_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    finalize=_shown,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


# The font of the pages, embedded in the file.


_FONT = "SourceSansVF-Upright"


@cache
def font_face() -> str:
    """Return CSS that embeds the font; empty if this Streamlit does not have the font."""
    media = files("streamlit") / "static" / "static" / "media"
    file = next((file for file in media.iterdir() if file.name.startswith(_FONT)), None)
    if file is None:
        return ""
    data = base64.b64encode(file.read_bytes()).decode()
    return (
        '@font-face{font-family:"Source Sans";font-weight:200'
        f' 900;src:url(data:font/woff2;base64,{data}) format("woff2")}}'
    )


# Figures as PNG: an installed browser takes a picture of a page with the figure, its title and its
# address.


_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "microsoft-edge")
_BROWSER = "BROWSER_PATH"
_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--virtual-time-budget=10000",
    "--force-device-scale-factor=2",
]
"""The browser opens only our own page, without network access. The picture has twice the page's
resolution.
"""

_SECONDS = 60
_HEAD, _FOOT, _EDGE = 80, 38, 16
"""Pixels above, below, and left and right of the figure."""


class Caption(NamedTuple):
    """The texts around a picture: the title and `beside` above it, the address below it."""

    title: str
    beside: str
    address: str


def browser() -> str | None:
    """Return the path of the browser that draws pictures, None if none is installed."""
    return os.environ.get(_BROWSER) or next(filter(None, map(shutil.which, _BROWSERS)), None)


def png(figure: go.Figure, width: int, caption: Caption) -> bytes:
    """Return a figure as PNG, in the font of the pages. `width`: pixels of the page; the PNG has
    twice as many.

    Raises
    ------
    SnapshotError
        If no browser is installed, or the browser fails.
    """
    program = browser()
    if program is None:
        raise SnapshotError(
            f"a picture needs a browser to draw it, and none of {', '.join(_BROWSERS)} is installed"
            " on the server"
        )
    with TemporaryDirectory(prefix="evenkeel-picture-") as folder:
        page, picture = Path(folder, "page.html"), Path(folder, "picture.png")
        page.write_text(_page(figure, width, caption))
        size = f"--window-size={width},{figure.layout.height + _HEAD + _FOOT}"
        profile = f"--user-data-dir={folder}/profile"
        command = [program, *_FLAGS, size, profile, f"--screenshot={picture}", page.as_uri()]
        try:
            subprocess.run(
                command, env=without_secrets(), capture_output=True, timeout=_SECONDS, check=True
            )
            return picture.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise SnapshotError(
                f"the browser {program} did not draw the picture: {type(error).__name__}"
            ) from error


def _page(figure: go.Figure, width: int, caption: Caption) -> str:
    return rendered(
        "picture.html.jinja",
        caption=caption,
        figure=svg(figure, width - 2 * _EDGE),
        head=_HEAD,
        foot=_FOOT,
        edge=_EDGE,
        font=font_face(),
    )
