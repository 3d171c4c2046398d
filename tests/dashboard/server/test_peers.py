"""A server that runs: from which address a request comes, whatever its headers say of it, and what is written down when it ends."""

import json
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.dashboard.browser import server as running

POLICY = """
[login]
trusted_proxy = ["127.0.0.1"]

[audit]
path = "audit.jsonl"

[[rights]]
claim = "email"
values = ["ada@example.com"]
can = ["see"]
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
    given = {"EVENKEEL_CONFIG": str(folder / "evenkeel.toml"), "STREAMLIT_SERVER_TRUSTED_USER_HEADERS": headers}
    with running.served(folder, None, given) as (address, _):
        yield urlsplit(address).port


def asked(port, peer, said, **more):
    """Return the status of what an address of this machine asks that says this of itself; `{port}` is the port that it asks from."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60, source_address=(peer, 0))
    connection.connect()
    said = said.format(port=connection.sock.getsockname()[1])
    connection.request("GET", "/metrics", headers={"X-Forwarded-For": said, **more})
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_running_server_believes_the_other_end_of_a_connection_and_not_what_it_says_of_itself(port, folder):
    # 127.0.0.2 stands for a client beyond the proxy: neither [login] nor uvicorn names it.
    spoofed = [asked(port, "127.0.0.2", said, **NAMED) for said in ("127.0.0.2:{port}", "127.0.0.1", "127.0.0.1:{port}")]

    assert spoofed == [401] * 3
    assert asked(port, "127.0.0.1", "10.1.2.3", **NAMED) == 200
    assert asked(port, "127.0.0.1", "10.1.2.3") == 401
    refused = [line["address"] for line in map(json.loads, (folder / "audit.jsonl").read_text().splitlines())]
    assert set(refused) == {"127.0.0.2", "10.1.2.3"}
