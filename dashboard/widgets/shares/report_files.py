"""The report of a what-if or a share, in every form; a file is made when it is asked for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import msgspec
import streamlit as st

from evenkeel.dashboard.loading.shares import Freezable, OpenShare
from evenkeel.dashboard.reports import pages
from evenkeel.dashboard.reports.markdown import markdown
from evenkeel.dashboard.reports.pages import Caption, html_page
from evenkeel.dashboard.tables.table_files import csv_file, figures_table, members_table, parquet_file, partitions_table
from evenkeel.dashboard.widgets.shares import browser, report_of
from evenkeel.dashboard.widgets.shares.report_of import Reported
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED

_TABLES = {"figures": figures_table, "members": members_table, "partitions": partitions_table}
_PIXELS = 900


def show(compute: Callable[[], Freezable], step: int, candidate: str) -> None:
    """Draw the buttons for what is open, which `compute` makes."""
    address = browser.address_here()
    _buttons(lambda: report_of.of_view(compute(), step, candidate, address), "view")


def show_of_share(share: OpenShare, step: int, candidate: str) -> None:
    """Draw the buttons for a share."""
    address = browser.link_of(share.about.share_id, step, candidate)
    _buttons(lambda: report_of.of_share(share, step, candidate, address), "share")


def _buttons(reported: Callable[[], Reported], key: str) -> None:
    st.html("<b>Report</b>")
    forms: list[tuple[str, str, str, Callable[[], bytes | str]]] = [
        ("HTML", "report.html", "text/html", lambda: html_page(*reported()[:2])),
        ("Markdown", "report.md", "text/markdown", lambda: markdown(reported().report)),
        ("Scenario", "scenario.json", "application/json", lambda: msgspec.json.encode(reported().scenario)),
    ]
    with _row("one file"):
        for label, name, mime, make in forms:
            _button(label, make, name, mime, key)
    _pictures(reported, key)
    for name, table in _TABLES.items():
        with _row(name):
            _button("CSV", lambda table=table: csv_file(table(reported().result)), f"{name}.csv", "text/csv", key)
            parquet = "application/vnd.apache.parquet"
            _button("Parquet", lambda table=table: parquet_file(table(reported().result)), f"{name}.parquet", parquet, key)


def _pictures(reported: Callable[[], Reported], key: str) -> None:
    missing = None if pages.browser() else "A picture needs a browser on the server, such as chromium, and none is installed there."
    with _row("pictures"):
        for place, label in enumerate(("Steps", "Members")):
            make = partial(_picture, reported, place)
            _button(label, make, f"{label.lower()}.png", "image/png", key, missing)


def _picture(reported: Callable[[], Reported], place: int) -> bytes:
    report, drawings, *_ = reported()
    at = f"step {report.step}, {report.names[report.step - 1]}" if report.step else AS_LISTED
    beside = " · ".join([f"consumer group {report.group}", f"{at}, under {report.candidate}", *report.times])
    return pages.png(drawings[place].figure, _PIXELS, Caption(report.title, beside, report.address))


@contextmanager
def _row(name: str) -> Iterator[None]:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.html(f'<span class="note">{name}</span>', width="stretch")
        yield


def _button(label: str, make: Callable[[], bytes | str], name: str, mime: str, key: str, missing: str | None = None) -> None:
    """Draw one file; `missing`: why it cannot be made."""
    st.download_button(label, make, name, mime, key=f"{key}-{name}", on_click="ignore", disabled=missing is not None, help=missing)
