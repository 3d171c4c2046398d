"""Servers that run while somebody saves their configuration, or saves a wrong one: nothing opens,
and every route is answered.
"""

import json
import re
import socket
import time
from http.client import HTTPConnection
from threading import Thread
from urllib.parse import urlsplit

import pytest

from evenkeel.data.lake.place import place_of
from tests.dashboard.browser import server as running
from tests.dashboard.server.test_login import POLICY, SECRET, groups_in
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import plan_with_trouble
from tests.waiting import until

PAGE = {"Accept": "text/html"}
WRONG = {
    "not TOML": ("[login", "not TOML"),
    "of another kind": (
        '[login]\ncookie_secret = {env = ["x"]}\n',
        "login.cookie_secret is a table, expected",
    ),
    "without its login": ("", "to open the server, restart it"),
}


def served(folder, text):
    (folder / "evenkeel.toml").write_text(text)
    write_lake(
        place_of(folder / "lake"), plan_with_trouble(groups=3, partitions=2, members=2, days=0.01)
    )
    return running.served(
        folder, None, {"EVENKEEL_CONFIG": str(folder / "evenkeel.toml"), "COOKIE_OF_TESTS": SECRET}
    )


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """The folder and the port of a server with a login and rights."""
    folder = tmp_path_factory.mktemp("closed")
    with served(folder, POLICY) as (address, _):
        yield folder, urlsplit(address).port


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """The same of an open server."""
    folder = tmp_path_factory.mktemp("opened")
    with served(folder, "") as (address, _):
        yield folder, urlsplit(address).port


def asked(port, path, method="GET", body=None, **headers):
    """Return the status and the whole text of an answer; one that breaks off is an error."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode(errors="replace")
    connection.close()
    return answer.status, text


def save(folder, text):
    """Save a file as most editors do; return once the server has taken it."""
    (folder / "evenkeel.toml").write_text(text)
    time.sleep(1.2)


def test_200_saves_that_truncate_and_then_write_show_no_name_to_whoever_has_no_login(closed):
    folder, port = closed

    def saves():
        for _ in range(200):
            with (folder / "evenkeel.toml").open("w") as file:
                time.sleep(0.01)
                file.write(POLICY)
            time.sleep(0.01)

    saving = Thread(target=saves)
    saving.start()
    answers = []
    while saving.is_alive():
        answers.append(asked(port, "/metrics"))
    saving.join()

    assert len(answers) > 50
    assert (
        {status for status, _ in answers},
        [groups_in(text) for _, text in answers if groups_in(text)],
    ) == ({401}, [])


@pytest.mark.parametrize(("text", "sentence"), WRONG.values(), ids=WRONG)
def test_every_route_of_a_closed_server_says_that_its_configuration_is_wrong_and_its_pages_load(
    closed, text, sentence
):
    folder, port = closed
    save(folder, text)
    try:
        answers = of_all_routes(port)
    finally:
        save(folder, POLICY)

    assert {path: status for path, (status, _) in answers.items()} == STATUSES
    assert [
        path for path, (status, said) in answers.items() if status == 503 and sentence not in said
    ] == []
    assert asked(port, "/metrics")[0] == 401


def test_every_route_of_an_open_server_says_that_its_configuration_is_wrong_and_its_pages_load(
    opened,
):
    folder, port = opened
    save(folder, "[lake]\npath = 7\n")
    try:
        answers = of_all_routes(port)
    finally:
        save(folder, "")

    assert {path: status for path, (status, _) in answers.items()} == STATUSES
    assert [
        path
        for path, (status, said) in answers.items()
        if status == 503 and "lake.path is a whole number" not in said
    ] == []
    assert until(lambda: groups_in(asked(port, "/metrics")[1]))


STATUSES = {
    **dict.fromkeys(["/", "/compare", "a script", "/_stcore/health", "/_stcore/host-config"], 200),
    **dict.fromkeys(
        [
            "/metrics",
            "/healthz",
            "/auth/login",
            "/oauth2callback",
            "/media/0123456789abcdef.csv",
            "/api/shares/x",
            "/api/scenarios",
            "a large body",
        ],
        503,
    ),
}


def of_all_routes(port):
    """Return the answers of each of the routes in STATUSES."""
    page = asked(port, "/", **PAGE)
    script = re.search(r'src="\.?(/static/js/[^"]+\.js)"', page[1])[1]
    # Streamlit itself answers whether a file has changed.
    answers = {"/": page, "a script": asked(port, script, **{"If-None-Match": "any"})}
    for path in STATUSES:
        if path.startswith("/") and path != "/":
            is_question = path == "/api/scenarios"
            kind = (
                {"Content-Type": "application/json"}
                if is_question
                else PAGE
                if path == "/compare"
                else {}
            )
            answers[path] = asked(
                port, path, "POST" if is_question else "GET", b"{}" if is_question else None, **kind
            )
    answers["a large body"] = asked(
        port, "/api/best", "POST", bytes(10**6), **{"Content-Type": "application/json"}
    )
    assert page[1].rstrip().endswith("</html>")
    assert json.loads(answers["/healthz"][1])["ok"] is False
    return answers


@pytest.mark.parametrize("connection", ["close", "keep-alive"])
def test_a_body_over_the_limit_gets_its_answer_also_from_a_client_that_sends_all_of_it_first(
    opened, connection
):
    _, port = opened
    size = 45 * 10**6
    head = (
        "POST /api/scenarios HTTP/1.1\r\nHost: localhost\r\nContent-Type:"
        f" application/json\r\nContent-Length: {size}\r\nConnection: {connection}\r\n\r\n"
    )

    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(head.encode())
        for _ in range(45):
            client.sendall(bytes(10**6))
        time.sleep(0.5)
        answer = client.recv(10**6)

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"the body has more than 32 MB" in answer


def test_a_body_that_nobody_asked_for_leaves_the_refusal_readable_too(closed):
    _, port = closed
    head = (
        "POST /api/scenarios HTTP/1.1\r\nHost: localhost\r\nContent-Length:"
        f" {20 * 10**6}\r\nConnection: close\r\n\r\n"
    )

    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(head.encode())
        for _ in range(20):
            client.sendall(bytes(10**6))
        time.sleep(0.5)
        answer = client.recv(10**6)

    assert answer.startswith(b"HTTP/1.1 401 ")
