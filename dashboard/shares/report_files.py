"""The report of a what-if or a share: its files, each made when it is downloaded."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import streamlit as st

from evenkeel.dashboard.parts.table_files import (
    csv_file,
    figures_table,
    members_table,
    parquet_file,
    partitions_table,
)
from evenkeel.dashboard.shares import links
from evenkeel.dashboard.shares.loading.frozen import Freezable, bands
from evenkeel.dashboard.shares.loading.opened import Line, OpenShare, bands_of, diagnosis_of
from evenkeel.dashboard.shares.reports import pages
from evenkeel.dashboard.shares.reports.markdown import markdown
from evenkeel.dashboard.shares.reports.pages import Caption, Drawing, html_page
from evenkeel.dashboard.shares.reports.report import Report
from evenkeel.dashboard.shell.account import at_click
from evenkeel.dashboard.shell.input_words import missing, shown
from evenkeel.dashboard.steps.figures import step_lines, step_members
from evenkeel.dashboard.steps.figures.step_sides import member_rows
from evenkeel.data.compare.advice import ResultAdvice
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.client_words import answered_by
from evenkeel.data.scenarios.leaders import client_of, in_use
from evenkeel.data.scenarios.run.group_step import listed_answer
from evenkeel.data.scenarios.run.results import GroupResult
from evenkeel.data.scenarios.run.step_drains import current_drain_of
from evenkeel.data.scenarios.run.step_figures import figures_of_result, titles_of, with_current
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED, Scenario
from evenkeel.data.text.formats import percentage

_TABLES = {"figures": figures_table, "members": members_table, "partitions": partitions_table}
_PIXELS = 900


def show(compute: Callable[[], Freezable[Scenario]], step: int, candidate: str) -> None:
    """Draw the download buttons for the open view. `compute`: returns the contents of a share."""
    address = links.address_here()
    _buttons(lambda: of_view(compute(), step, candidate, address), "view")


def show_of_share(share: OpenShare, step: int, candidate: str) -> None:
    """Draw the download buttons for a share."""
    view: dict[str, str | int] = {"step": step, "candidate": candidate}
    view = view if share.scenario.steps else {}
    address = links.link_of(share.about.share_id, **view)
    _buttons(lambda: of_share(share, step, candidate, address), "share")


class ReportParts(NamedTuple):
    """A report, its figures, and the scenario and result from which its files are made."""

    report: Report
    drawings: list[Drawing]
    scenario: Scenario
    result: GroupResult


def _buttons(reported: Callable[[], ReportParts], key: str) -> None:
    st.html("<b>Report</b>")
    forms: list[tuple[str, str, str, Callable[[], bytes | str]]] = [
        ("HTML", "report.html", "text/html", lambda: html_page(*reported()[:2])),
        ("Markdown", "report.md", "text/markdown", lambda: markdown(reported().report)),
        (
            "Scenario",
            "scenario.json",
            "application/json",
            lambda: msgspec.json.encode(reported().scenario),
        ),
    ]
    with _row("one file"):
        for label, name, mime, make in forms:
            _button(label, make, name, mime, key)
    _pictures(reported, key)
    for name, table in _TABLES.items():
        with _row(name):
            _button(
                "CSV",
                partial(_table_file, reported, table, csv_file),
                f"{name}.csv",
                "text/csv",
                key,
            )
            parquet = "application/vnd.apache.parquet"
            _button(
                "Parquet",
                partial(_table_file, reported, table, parquet_file),
                f"{name}.parquet",
                parquet,
                key,
            )


def _table_file(
    reported: Callable[[], ReportParts],
    table: Callable[[GroupResult], pa.Table],
    file: Callable[[pa.Table], bytes],
) -> bytes:
    return file(table(reported().result))


def _pictures(reported: Callable[[], ReportParts], key: str) -> None:
    missing = (
        None
        if pages.browser()
        else (
            "The server needs a browser, such as chromium, to make a picture. None is installed"
            " on it."
        )
    )
    with _row("pictures"):
        for place, label in enumerate(("Steps", "Members")):
            make = partial(_picture, reported, place)
            _button(label, make, f"{label.lower()}.png", "image/png", key, missing)


def _picture(reported: Callable[[], ReportParts], place: int) -> bytes:
    report, drawings, *_ = reported()
    at = f"step {report.step}, {report.names[report.step - 1]}" if report.step else AS_LISTED
    beside = " · ".join(
        [f"consumer group {report.group}", f"{at}, under {report.candidate}", *report.times]
    )
    return pages.png(drawings[place].figure, _PIXELS, Caption(report.title, beside, report.address))


@contextmanager
def _row(name: str) -> Iterator[None]:
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.html(f'<span class="note">{name}</span>', width="stretch")
        yield


def _button(
    label: str,
    make: Callable[[], bytes | str],
    name: str,
    mime: str,
    key: str,
    missing: str | None = None,
) -> None:
    """Draw the download button of a file. `missing`: why the file cannot be made, None if it
    can.
    """
    look: dict[str, Any] = {
        "key": f"{key}-{name}",
        "disabled": missing is not None,
        "help": missing,
    }
    st.download_button(label, at_click(make), name, mime, on_click="ignore", **look)


# The inputs of a report: from an open view and from a share.


_HEIGHT, _ROW = 350, 21
"""Heights in pixels: the figure over the steps, and one member's row. A printed page then has room
for a dozen members.
"""


def of_view(view: Freezable[Scenario], step: int, candidate: str, address: str = "") -> ReportParts:
    """Return the report of the open view. Its title is the name of the scenario, else of the
    group.
    """
    scenario = view.scenario
    title = scenario.name or scenario.group.group_id or "Consumer group"
    facts: dict[str, Any] = {"title": title, "source": view.source, "address": address}
    head = dict(view.lines[0])
    if view.seen:
        head |= {"diagnosis": view.seen.answer.document(), "overview": bands(view.seen)}
    return _reported(scenario, view.result, head, step, candidate, view.gain, **facts)


def of_share(share: OpenShare, step: int, candidate: str, address: str = "") -> ReportParts:
    """Return the report of a share."""
    about = share.about
    facts: dict[str, Any] = {
        "author": about.author,
        "note": about.note,
        "frozen_at": about.created_at,
        "expires_at": about.expires_at,
    }
    facts |= {"source": str(share.head.get("source") or ""), "address": address}
    return _reported(
        share.scenario,
        share.result,
        share.head,
        step,
        candidate,
        share.gain,
        title=about.title,
        **facts,
    )


def _reported(
    scenario: Scenario,
    result: GroupResult,
    head: Line,
    step: int,
    candidate: str,
    gain: float,
    *,
    title: str,
    **facts: Any,
) -> ReportParts:
    names = titles_of(result)
    figures, used = figures_of_result(result), in_use(result.listed)
    step = min(step, len(names))
    advice = ResultAdvice(result, diagnosis_of(head, result), gain)
    first = advice.first(0) or next(iter(figures[0]))
    candidate = candidate if candidate in figures[0] else first
    report = Report(
        title=title,
        group=scenario.group.group_id or "without a name",
        step=step,
        names=names,
        figures=with_current(figures, len(names), result.listed, current_drain_of(head)),
        candidate=candidate,
        in_use=used,
        group_type=result.listed.group_type,
        sentences=advice.sentences(step),
        bands=bands_of(head, result),
        is_chosen=candidate != first,
        known=_known(result.listed),
        settings=_settings(scenario, result.listed, gain),
        engine=str(head.get("engine") or ""),
        content_hash=head.get("content_hash") or "",
        result_hash=head.get("result_hash") or "",
        taken_at=scenario.group.taken_at,
        **facts,
    )
    return ReportParts(report, _drawings(report, result), scenario, result)


def _settings(scenario: Scenario, group: ObservedGroup, gain: float) -> list[str]:
    settings = scenario.settings
    client = client_of(group.leader, settings.client) if group.is_classic else None
    jdk = [f"JDK {settings.jdk}"] if settings.jdk else []
    return [
        answered_by(client, settings.kafka_version),
        *jdk,
        f"a switch is worth it if the gain is at least {percentage(gain)}",
    ]


def _known(group: ObservedGroup) -> str:
    lacks = missing(group)
    return (
        f"Level {group.level} of 5: {shown(group)}."
        + (f" Not known: {', '.join(lacks)}." if lacks else "")
        + " Pauses are counted in partitions."
    )


def _drawings(report: Report, result: GroupResult) -> list[Drawing]:
    lines = step_lines.lines_of(report.figures, report.in_use, report.candidate)
    over = step_lines.step_lines(lines, report.step, [AS_LISTED, *report.names], height=_HEIGHT)
    answers = result.steps[report.step]
    beside = answers.get(report.in_use or "") if report.step else listed_answer(result.listed)
    rows = member_rows(beside, answers[report.candidate], step=report.step)
    drawn = [Drawing("Over the steps", over)]
    return (
        [*drawn, Drawing("Members", step_members.step_members(rows, report.step, row=_ROW))]
        if rows
        else drawn
    )
