"""A server that runs: from which address a request comes, whatever its headers say of it, and what
is written down when it ends.
"""

import json
import os
import signal
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from evenkeel.dashboard.server import application
from evenkeel.data import audit
from tests.dashboard.browser import server as running
from tests.dashboard.browser.session import Session
from tests.waiting import awaited

POLICY = """
[login]
trusted_proxy = ["127.0.0.1"]

[audit]
path = "audit.jsonl"

[[rights]]
claim = "email"
values = ["ada@example.com"]
can = ["see", "upload"]
"""
NAMED = {"X-Forwarded-Email": "ada@example.com"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peers")
    (folder / "evenkeel.toml").write_text(POLICY)
    return folder


@pytest.fixture(scope="module")
def port(folder):
    """The port of a server that `streamlit run` has started, without a variable for uvicorn."""
    headers = json.dumps({"X-Forwarded-Email": "email"})
    given = {
        "EVENKEEL_CONFIG": str(folder / "evenkeel.toml"),
        "STREAMLIT_SERVER_TRUSTED_USER_HEADERS": headers,
    }
    with running.served(folder, None, given) as (address, _):
        yield urlsplit(address).port


def audited(folder):
    return [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]


def asked(port, peer, said, **more):
    """Return the status of what an address of this machine asks that says this of itself; `{port}`
    is the port that it asks from.
    """
    connection = HTTPConnection("127.0.0.1", port, timeout=60, source_address=(peer, 0))
    connection.connect()
    said = said.format(port=connection.sock.getsockname()[1])
    connection.request("GET", "/metrics", headers={"X-Forwarded-For": said, **more})
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_running_server_believes_the_other_end_of_a_connection_and_not_what_it_says_of_itself(
    port, folder
):
    # 127.0.0.2 stands for a client beyond the proxy: neither [login] nor uvicorn names it.
    spoofed = [
        asked(port, "127.0.0.2", said, **NAMED)
        for said in ("127.0.0.2:{port}", "127.0.0.1", "127.0.0.1:{port}")
    ]

    assert spoofed == [401] * 3
    assert asked(port, "127.0.0.1", "10.1.2.3", **NAMED) == 200
    assert asked(port, "127.0.0.1", "10.1.2.3") == 401
    assert {line["address"] for line in audited(folder)} == {"127.0.0.2", "10.1.2.3"}


def test_a_header_whose_name_is_written_with_capitals_names_the_person_of_a_tab_too(port):
    async def place_of_a_file():
        async with Session(f"http://127.0.0.1:{port}", "", "", headers=NAMED) as tab:
            await tab.run()
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("PUT", await tab.upload_path(), b"any", NAMED)
            return connection.getresponse().read().decode()

    # Streamlit asks for a cookie of its own.
    assert awaited(place_of_a_file()) != "your rights do not include this upload"


@pytest.mark.parametrize(("scheme", "is_secure"), [("https", True), ("http", False)])
def test_behind_a_proxy_that_ends_tls_the_cookie_of_a_running_server_is_for_tls_alone(
    port, scheme, is_secure
):
    connection = HTTPConnection("127.0.0.1", port, timeout=180)
    connection.request("GET", "/", headers={"Accept": "text/html", "X-Forwarded-Proto": scheme})
    cookie = connection.getresponse().getheader("set-cookie")
    connection.close()

    assert (cookie.startswith("__Host-"), "Secure" in cookie) == (is_secure, is_secure)


def test_what_is_counted_is_written_when_a_signal_ends_the_server(tmp_path):
    (tmp_path / "evenkeel.toml").write_text(POLICY)
    with running.served(tmp_path, None, {"EVENKEEL_CONFIG": str(tmp_path / "evenkeel.toml")}) as (
        address,
        _,
    ):
        assert [asked(urlsplit(address).port, "127.0.0.3", "") for _ in range(30)] == [401] * 30

    assert (
        sum(line.get("count", 1) for line in audited(tmp_path) if line["address"] == "127.0.0.3")
        == 30
    )


def test_what_is_counted_is_written_before_a_server_that_does_not_end_by_itself_is_ended(
    tmp_path, monkeypatch
):
    (tmp_path / "evenkeel.toml").write_text(POLICY)
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setattr(application, "_SECONDS", 0)
    for _ in range(30):
        audit.write("refusal", address="127.0.0.3")
    monkeypatch.setattr(os, "_exit", lambda code: ended.append((code, len(audited(tmp_path)))))
    ended = []

    application._end_later(signal.SIGTERM)

    assert (ended, audited(tmp_path)[-1]["count"]) == ([(143, 2)], 29)
