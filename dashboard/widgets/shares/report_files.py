"""The report of a what-if or a share, in every form; a file is made when it is asked for."""

from collections.abc import Callable, Sequence

import msgspec
import streamlit as st

from dashboard.loading import shares
from dashboard.reports import pictures
from dashboard.reports.html_page import html_page
from dashboard.reports.markdown import markdown
from dashboard.tables.steps.exports import figures_table, members_table, partitions_table
from dashboard.tables.steps.table_files import csv_file, parquet_file
from dashboard.view import Opened
from dashboard.widgets.shares import report_of
from dashboard.widgets.shares.report_of import Reported
from data.scenarios.scenario.scenario import Step

_TABLES = {"figures": figures_table, "members": members_table, "partitions": partitions_table}
_PIXELS = 900


def show(group: Opened, steps: Sequence[Step], step: int, candidate: str) -> None:
    """Draw the buttons for what is open."""
    _buttons(lambda: report_of.of_view(shares.freezable(group, steps), step, candidate), "view")


def show_of_share(share: shares.OpenShare, step: int, candidate: str) -> None:
    """Draw the buttons for a share."""
    _buttons(lambda: report_of.of_share(share, step, candidate), "share")


def _buttons(reported: Callable[[], Reported], key: str) -> None:
    forms: list[tuple[str, str, str, Callable[[], bytes | str]]] = [
        ("Report, HTML", "report.html", "text/html", lambda: html_page(reported().report, reported().drawings)),
        ("Report, Markdown", "report.md", "text/markdown", lambda: markdown(reported().report)),
        ("Scenario, JSON", "scenario.json", "application/json", lambda: msgspec.json.encode(reported().scenario)),
    ]
    for label, name, mime, make in forms:
        st.download_button(label, make, name, mime, key=f"{key}-{name}", icon=":material/download:", width="stretch", on_click="ignore")
    _pictures(reported, key)
    _tables(reported, key)


def _pictures(reported: Callable[[], Reported], key: str) -> None:
    missing = pictures.browser() is None
    for place, label in enumerate(("Figure of steps, PNG", "Figure of members, PNG")):
        st.download_button(
            label,
            lambda place=place: pictures.png(reported().drawings[place].figure, _PIXELS),
            f"figure-{place + 1}.png",
            "image/png",
            key=f"{key}-png-{place}",
            icon=":material/image:",
            width="stretch",
            on_click="ignore",
            disabled=missing,
            help="A picture needs a browser on the server, such as chromium, and none is installed there." if missing else None,
        )


def _tables(reported: Callable[[], Reported], key: str) -> None:
    for name, table in _TABLES.items():
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.html(f'<span class="note">{name}</span>', width="stretch")
            for kind, make, mime in (("csv", csv_file, "text/csv"), ("parquet", parquet_file, "application/vnd.apache.parquet")):
                st.download_button(
                    kind.upper() if kind == "csv" else "Parquet",
                    lambda table=table, make=make: make(table(reported().result)),
                    f"{name}.{kind}",
                    mime,
                    key=f"{key}-{name}-{kind}",
                    on_click="ignore",
                )
