"""The server as `make run` starts it: who reaches it, and what it tells a browser."""

import asyncio
import os
import re
import select
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import trustme
from playwright.sync_api import expect

from tests.dashboard.browser.server import REFUSED, settle, watched
from tests.dashboard.browser.server import served as dashboard_served
from tests.dashboard.browser.session import Session
from tests.listening import listeners
from tests.waiting import awaited, until

HEADERS = {
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def test_nothing_of_the_server_and_its_spark_listens_to_other_machines(tmp_path, monkeypatch):
    (tmp_path / "evenkeel.toml").write_text('[limits]\nwithout_spark = "0 MB"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    async def look(address):
        async with Session(address, "", "") as session:
            await session.run()

    with dashboard_served(tmp_path) as (address, process):
        awaited(look(address))
        found = until(
            lambda: [
                one
                for one in [listeners(process.pid)]
                if {"java", "python"} <= {each.command for each in one}
            ]
        )[0]

    assert [one for one in found if not one.is_on_loopback] == []


def test_a_server_that_only_small_listings_reach_has_no_java(tab, served):
    tab("/")

    assert {one.command for one in listeners(served[1].pid)} == {"python"}


POLICY = {
    "default-src": {"'none'"},
    "script-src": {"'self'", "blob:", "'wasm-unsafe-eval'", "this text"},
    "style-src": {"'self'", "'unsafe-inline'"},
    "font-src": {"'self'", "data:"},
    "img-src": {"'self'", "data:"},
    "connect-src": {"'self'"},
    "frame-ancestors": {"'none'"},
    "form-action": {"'self'"},
    "base-uri": {"'none'"},
    "object-src": {"'none'"},
}


@pytest.mark.parametrize(
    "path", ["/", "/compare", "/_stcore/health", "/_stcore/metrics", "/_stcore/upload_file/x/y"]
)
def test_every_answer_keeps_other_sites_away(server, path):
    try:
        answer = urlopen(server + path, timeout=180)
    except HTTPError as error:
        answer = error

    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert [name for name in answer.headers if name.lower().startswith("access-control")] == []
    assert policy(answer.headers["content-security-policy"]) == POLICY


def policy(text):
    """Read a content security policy; a script that it names by its text counts as `this text`."""
    return {
        name: {re.sub("'sha256-.{44}'", "this text", each) for each in allowed}
        for name, *allowed in map(str.split, text.split(";"))
    }


def test_a_script_that_is_none_of_ours_does_not_run(tab):
    page = tab("/")

    # As names of a listing would stand there if a page forgot to escape them.
    page.evaluate("""() => {
        const made = document.createElement("div");
        made.innerHTML = "<img src=x onerror='window.ran = 1'>";
        const script = document.createElement("script");
        script.textContent = "window.ran = 2";
        document.body.append(made, script);
    }""")
    page.wait_for_function("() => [...document.images].every(one => one.complete)")

    assert page.evaluate("window.ran") is None
    assert len(REFUSED) == 2
    assert all("script-src" in each for each in REFUSED)
    REFUSED.clear()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/compare",
        "/healthz",
        "/metrics",
        "/api/shares/x",
        "/api/scenarios",
        "/_stcore/health",
        "/media/x",
    ],
)
@pytest.mark.parametrize("host", ["evil.example", "evil.example:8501", "127.0.0.1.evil.example"])
def test_another_host_gets_one_sentence_that_names_the_setting(served_port, path, host):
    answer, text = asked(served_port, path, Host=host)

    assert (answer.status, text) == (
        421,
        (
            f"The host '{host}' is not allowed. If it is a name of this server, add it to hosts of"
            " [server] in evenkeel.toml."
        ),
    )


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_a_page_of_another_port_may_send_nothing(served_port, method):
    for path in ("/api/scenarios", "/_stcore/upload_file/x/y"):
        answer, text = asked(
            served_port,
            path,
            method,
            Origin="http://127.0.0.1:5173",
            Host=f"127.0.0.1:{served_port}",
        )

        assert (answer.status, text[:39]) == (403, "A page of 'http://127.0.0.1:5173' may n")


WEBSOCKETS = {
    "of this page": ({}, "http://127.0.0.1:{port}", 101),
    "behind TLS": ({}, "https://127.0.0.1:{port}", 101),
    "of a program": ({}, None, 101),
    "of another port": ({}, "http://127.0.0.1:5173", 403),
    "of another name of this machine": ({}, "http://localhost:{port}", 403),
    "of another site": ({}, "https://evil.example", 403),
    "of a file": ({}, "null", 403),
    "of a name that was pointed here": ({"Host": "evil.example"}, "http://evil.example", 421),
}


@pytest.mark.parametrize(("headers", "origin", "status"), WEBSOCKETS.values(), ids=WEBSOCKETS)
def test_a_websocket_opens_only_for_a_page_of_this_server(served_port, headers, origin, status):
    handshake = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "A" * 22 + "==",
    }
    page = {} if origin is None else {"Origin": origin.format(port=served_port)}

    answer, text = asked(served_port, "/_stcore/stream", **handshake | page | headers)

    assert answer.status == status
    assert status == 101 or "hosts of [server] in evenkeel.toml" in text
    assert status == 101 or policy(answer.headers["content-security-policy"]) == POLICY


def test_a_page_of_another_port_opens_no_websocket_and_sends_nothing_in_a_real_browser(
    chromium, server
):
    page = chromium.new_page()
    page.route(
        "http://127.0.0.1:5173/",
        lambda route: route.fulfill(body="<p>another server</p>", content_type="text/html"),
    )
    page.goto("http://127.0.0.1:5173/")
    tried = """async (server) => {
        const socket = new WebSocket(server.replace("http", "ws") + "/_stcore/stream", "streamlit");
        const opened = await new Promise((said) => { socket.onopen = () => said("opened");
            socket.onerror = () => said("refused"); });
        const sent = (address, more) => fetch(server + address, more).then(() => "read", () =>
            "refused");
        return [opened, await sent("/healthz"), await sent("/_stcore/health"),
            await sent("/api/scenarios", { method: "POST", body: "{}" })];
    }"""

    assert page.evaluate(tried, server) == ["refused"] * 4
    page.close()


def test_behind_a_proxy_with_tls_pages_are_drawn_and_the_cookie_is_bound_to_the_host(
    chromium, tls_address
):
    window = chromium.new_context(base_url=tls_address, ignore_https_errors=True)
    page = watched(window.new_page())
    page.goto("/compare?sample=two-consumers")
    settle(page)
    page.get_by_role("button", name="Share").last.click()
    page.get_by_role("button", name="Freeze and share").click()

    # The page has the cookie from its websocket.
    expect(page.get_by_text("Only this browser can delete it.")).to_be_visible()
    (cookie,) = [each for each in window.cookies() if "evenkeel_owner" in each["name"]]
    assert (cookie["name"], cookie["secure"], cookie["path"], cookie["httpOnly"]) == (
        "__Host-evenkeel_owner",
        True,
        "/",
        True,
    )
    window.close()


@pytest.fixture
def tls_address(served_port):
    """Return the address of a proxy that ends TLS and says so."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    loop = asyncio.new_event_loop()

    async def connected(reader, writer):
        line = await reader.readline()
        behind = await asyncio.open_connection("127.0.0.1", served_port)
        behind[1].write(line + b"X-Forwarded-Proto: https\r\n" if line else b"")
        await asyncio.gather(passed(reader, behind[1]), passed(behind[0], writer))

    thread = Thread(target=loop.run_forever)
    thread.start()
    proxy = asyncio.run_coroutine_threadsafe(
        asyncio.start_server(connected, "127.0.0.1", 0, ssl=context), loop
    ).result(60)
    yield f"https://127.0.0.1:{proxy.sockets[0].getsockname()[1]}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


async def passed(reader, writer):
    with suppress(OSError):
        while part := await reader.read(2**16):
            writer.write(part)
    writer.close()


def asked(port, path, method="GET", **headers):
    """Send one request with these headers; return the answer and its text, if it is one."""
    connection = HTTPConnection("127.0.0.1", port, timeout=180)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    text = "" if answer.status == 101 else answer.read().decode()
    connection.close()
    return answer, text


@pytest.fixture
def served_port(server):
    return urlsplit(server).port


PER_CONNECTION = 2_000_000
"""Bytes that a test sends of the 31 MB that it promises: together they are twice what the server
takes.
"""


def test_sixty_slow_bodies_add_at_most_100_megabytes_and_leave_no_trace(
    served, served_port, folder
):
    head = (
        "POST /api/scenarios HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type:"
        " application/json\r\nContent-Length: 31000000\r\n\r\n"
    )

    added, answers = burst(served[1].pid, served_port, head.encode(), 60)

    assert added <= 100 * 10**6
    said = (
        "too many bytes at once: all requests together may send 64 MB, [limits] bodies; try again"
        " later"
    )
    assert set(answers) == {(503, f'{{"error":{{"path":null,"message":"{said}"}}}}')}
    assert 15 <= len(answers) < 60
    # All have left in the middle; the server has room again.
    answer, text = asked(
        served_port,
        "/api/scenarios",
        "POST",
        **{"Content-Type": "application/json", "Content-Length": "0"},
    )
    assert answer.status == 422, text
    assert "Traceback" not in (folder / "server.log").read_text()


def test_sixty_files_that_come_slowly_lie_on_disk(served, served_port, folder):
    answer, _ = asked(served_port, "/_stcore/health")
    cookie = re.search(r"_streamlit_xsrf=([^;]+)", answer.headers["set-cookie"])
    form = (
        f"Host: 127.0.0.1\r\nCookie: {cookie[0]}\r\nX-Xsrftoken: {cookie[1]}\r\nContent-Length:"
        " 31000000\r\nContent-Type: multipart/form-data;"
        ' boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
    )

    async def scene():
        async with Session(served[0], "", "") as session:
            await session.run()
            head = f"PUT {await session.upload_path()} HTTP/1.1\r\n{form}"
            return await asyncio.to_thread(burst, served[1].pid, served_port, head.encode(), 60)

    # Playwright's loop runs in this thread.
    with ThreadPoolExecutor(1) as thread:
        added, answers = thread.submit(asyncio.run, scene()).result()

    assert added <= 100 * 10**6
    assert answers == []
    assert "Traceback" not in (folder / "server.log").read_text()


def burst(pid, port, head, count):
    """Begin so many requests at once, none to its end, then leave; return the bytes that the
    server's memory grew by, and its answers.
    """
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    before = memory(pid, "VmRSS")
    sockets, answers = {}, []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", port))
        one.sendall(head)
        one.setblocking(False)
        sockets[one] = 0
    # Until the server has answered each, or has read what was sent, but for what its parsers hold.
    while on_disk(pid) < len(sockets) * (PER_CONNECTION - 2**18):
        ready, free, _ = select.select(
            sockets, [one for one, sent in sockets.items() if sent < PER_CONNECTION], [], 0.05
        )
        for one in ready:
            answers.append(read(one))
            del sockets[one]
        for one in sockets.keys() & set(free):
            sockets[one] += one.send(b" " * 2**16)
    added = memory(pid, "VmHWM") - before
    for one in sockets:
        one.close()
    while on_disk(pid):
        asked(port, "/_stcore/health")
    return added, answers


def read(one):
    """Read the answer of a connection, then close it; return status and text."""
    one.setblocking(True)
    answer = HTTPResponse(one)
    answer.begin()
    text = answer.read().decode()
    one.close()
    return answer.status, text


def on_disk(pid):
    """Return the bytes of a process's files that have no name."""
    total = 0
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            total += file.stat().st_size if os.readlink(file).endswith(" (deleted)") else 0
    return total


def memory(pid, name):
    return 1024 * int(re.search(rf"{name}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


def test_figures_of_the_server_are_closed(server):
    with pytest.raises(HTTPError, match="404"):
        urlopen(server + "/_stcore/metrics", timeout=180)
