"""A canary in every text of a document reaches nothing that a redacted share shows, stores or
writes into a log.
"""

import json
import logging
from datetime import timedelta

import msgspec
import pytest
from starlette.routing import Router

from evenkeel.dashboard.parts.table_files import (
    csv_file,
    figures_table,
    members_table,
    partitions_table,
)
from evenkeel.dashboard.server.application import ROUTES
from evenkeel.dashboard.shares import report_files
from evenkeel.dashboard.shares.loading.opened import open_share
from evenkeel.dashboard.shares.reports import pages
from evenkeel.dashboard.shares.reports.markdown import markdown
from evenkeel.dashboard.shares.reports.pages import Caption, html_page
from evenkeel.data.scenarios.run.results import application_result, result_of
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.shares.share import Frozen
from evenkeel.data.shares.store import shares
from tests.data.shares.redaction import planted
from tests.waiting import awaited

pytestmark = pytest.mark.usefixtures("cookies")


def _frozen(group, lines):
    scenario = decode_any_scenario(
        json.dumps(
            {"format": "evenkeel.scenario/1", "group": group, "settings": {}, "steps": []}
        ).encode()
    )
    said = json.loads(msgspec.json.encode(lines(scenario)))
    return Frozen(
        msgspec.to_builtins(scenario),
        said,
        "a title",
        timedelta(days=1),
        "a note",
        "Mira",
        tuple(KINDS),
        None,
    )


def _reports(share_id):
    """Every form of the report, and what its pictures are drawn from."""
    reported = report_files.of_share(
        open_share(share_id, None), 0, "lag", f"/shared?share={share_id}"
    )
    report, drawings, scenario, result = reported
    yield "html", html_page(report, drawings)
    yield "markdown", markdown(report)
    yield "scenario", msgspec.json.encode(scenario).decode()
    for drawing in drawings:
        yield "figure", drawing.figure.to_json()
        yield (
            "picture",
            pages._page(
                drawing.figure,
                500,
                Caption(report.title, f"consumer group {report.group}", report.address),
            ),
        )
    for table in (figures_table, members_table, partitions_table):
        yield "table", csv_file(table(result)).decode()


def _route(path):
    parts = []

    async def send(message):
        parts.append(message.get("body", b""))

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "root_path": "",
        "query_string": b"",
        "headers": [],
    }
    awaited(Router(ROUTES)(scope, None, send))
    return b"".join(parts).decode()


@pytest.mark.parametrize(
    ("document", "lines", "has_report"),
    [
        (planted.group(), lambda scenario: lines_of(result_of(scenario)), True),
        (planted.application(), lambda scenario: lines_of(application_result(scenario)), False),
    ],
    ids=["group", "application"],
)
def test_no_text_of_a_document_reaches_page_route_report_picture_database_or_log(
    page, lake, caplog, document, lines, has_report
):
    caplog.set_level(logging.DEBUG)
    assert "canary" in json.dumps(document)

    share_id = shares().make(_frozen(document, lines), None).share_id
    app = page.open("shared", share=share_id).app
    shown = {
        "page": "\n".join(str(getattr(element, "proto", "")) for element in app._tree),
        "address": str(page.address),
        "route": _route(f"/api/shares/{share_id}"),
        "log": caplog.text,
        "database": "".join(
            path.read_bytes().decode("latin-1") for path in (lake / "shares").iterdir()
        ),
        "payload": str(shares().open(share_id).scenario),
    }
    shown |= (
        {f"{name} {number}": text for number, (name, text) in enumerate(_reports(share_id))}
        if has_report
        else {}
    )

    assert "word-01" in shown["route"]
    assert not page.errors
    assert not app.exception
    assert [
        name for name, text in shown.items() for canary in planted.CANARIES if canary in text
    ] == []
