"""The server as `make run` starts it: who reaches it, and what it tells a browser."""

from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.listening import listeners

HEADERS = {
    "content-security-policy": "frame-ancestors 'none'",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def test_nothing_of_the_server_and_its_spark_listens_to_other_machines(tab, served):
    page = tab("/")
    expect(page.get_by_text("Spark is starting")).to_have_count(0)

    found = listeners(served[1].pid)

    assert {one.command for one in found} >= {"java", "python"}
    assert [one for one in found if not one.is_on_loopback] == []


@pytest.mark.parametrize("path", ["/", "/compare", "/_stcore/health", "/_stcore/metrics", "/_stcore/upload_file/x/y"])
def test_every_answer_keeps_other_sites_away(server, path):
    try:
        answer = urlopen(server + path, timeout=60)
    except HTTPError as error:
        answer = error

    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_figures_of_the_server_are_closed(server):
    with pytest.raises(HTTPError, match="404"):
        urlopen(server + "/_stcore/metrics", timeout=60)
