"""How bodies are read: a limit for all together, a time for each, and nothing said about who
leaves.
"""

import asyncio
import json
import logging

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from evenkeel.dashboard.server import bodies
from evenkeel.dashboard.server.bodies import BODIES
from tests.waiting import awaited

MEGABYTE = 10**6
LIMITS = '[limits]\nrequest = "1 MB"\nbodies = "2 MB"\nuploads = "3 MB"\n'
UPLOAD = "/_stcore/upload_file/session/file"


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """All bodies together are 2 MB, files 3 MB; the list is of the sizes that Streamlit keeps."""
    (tmp_path / "evenkeel.toml").write_text(LIMITS)
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    sizes = []
    monkeypatch.setattr(bodies, "uploaded_bytes", lambda: sum(sizes))
    return sizes


class Server:
    """The middleware around pages that read a body to its end and then wait until `answer`
    is set.
    """

    def __init__(self, **options):
        self._reads = BODIES.cls(self._pages, **options)
        self.answer = asyncio.Event()

    async def _pages(self, scope, receive, send):
        size = len(await Request(scope, receive).body())
        await self.answer.wait()
        # As Starlette does to learn that a client has left.
        await receive()
        await PlainTextResponse(str(size))(scope, receive, send)

    async def ask(self, *parts, path="/api/scenarios", leaves=False, stalls=False):
        """Send a body in parts; return status and text."""
        said, coming = [], list(parts)

        async def receive():
            if coming:
                return {
                    "type": "http.request",
                    "body": coming.pop(0),
                    "more_body": bool(coming) or leaves or stalls,
                }
            for _ in range(20_000 if stalls else 20):
                await asyncio.sleep(0)
            return {"type": "http.disconnect"}

        async def send(message):
            said.append(message)

        await self._reads(
            {"type": "http", "method": "POST", "path": path, "headers": []}, receive, send
        )
        return (said[0]["status"], said[1]["body"].decode()) if said else None

    async def begin(self, *parts, **named):
        """Begin to send; return the task when the pages have read all, or have refused."""
        task = asyncio.ensure_future(self.ask(*parts, **named))
        for _ in range(20):
            await asyncio.sleep(0)
        return task


def run(scene, **options):
    async def played():
        return await scene(Server(**options))

    return awaited(played())


def test_all_bodies_together_stay_within_the_limit_and_an_answer_gives_room():
    async def scene(server):
        first = await server.begin(bytes(MEGABYTE), bytes(MEGABYTE // 2))
        second = await server.begin(bytes(MEGABYTE))
        server.answer.set()
        return await first, await second, await server.ask(bytes(MEGABYTE))

    first, second, third = run(scene)

    assert first == (200, "1500000")
    assert third == (200, "1000000")
    assert second[0] == 503
    assert (
        json.loads(second[1])["error"]["message"]
        == "too many bytes at once: all requests together may send 2 MB, [limits] bodies; try again"
        " later"
    )


def test_a_small_body_is_read_while_others_hold_all_room():
    async def scene(server):
        first = await server.begin(bytes(2 * MEGABYTE))
        small = await server.begin(bytes(60_000))
        server.answer.set()
        return await first, await small

    assert run(scene) == ((200, "2000000"), (200, "60000"))


def test_files_of_pages_have_a_limit_of_their_own_that_counts_what_sessions_keep(kept):
    async def scene(server):
        server.answer.set()
        await server.begin(bytes(2 * MEGABYTE))
        fits = await server.ask(bytes(3 * MEGABYTE), path=UPLOAD)
        kept.append(2 * MEGABYTE)
        return (
            fits,
            await server.ask(bytes(MEGABYTE), path=UPLOAD),
            await server.ask(bytes(MEGABYTE + 1), path=UPLOAD),
        )

    fits, still, refused = run(scene)

    assert (fits, still) == ((200, "3000000"), (200, "1000000"))
    assert refused == (
        503,
        (
            "too many bytes at once: all requests together may send 3 MB, [limits] uploads; try"
            " again later"
        ),
    )


def test_a_body_that_stalls_is_refused_and_gives_its_room_back():
    async def scene(server):
        server.answer.set()
        return await server.ask(bytes(MEGABYTE // 500), stalls=True), await server.ask(
            bytes(2 * MEGABYTE)
        )

    stalled, after = run(scene, seconds=0)

    assert after == (200, "2000000")
    assert stalled[0] == 408
    assert json.loads(stalled[1])["error"]["message"].startswith("the body came too slowly")


def test_a_long_answer_is_no_slow_body():
    async def scene(server):
        server.answer.set()
        return await server.ask(b"{}")

    assert run(scene, seconds=0) == (200, "2")


def test_who_leaves_in_the_middle_is_not_answered_and_gives_the_room_back(caplog):
    async def scene(server):
        server.answer.set()
        return await server.ask(bytes(2 * MEGABYTE), leaves=True), await server.ask(
            bytes(2 * MEGABYTE)
        )

    with caplog.at_level(logging.DEBUG, logger="evenkeel"):
        assert run(scene) == (None, (200, "2000000"))
    assert caplog.records == []


def test_an_error_of_a_page_is_still_one():
    async def fails(scope, receive, send):
        raise ValueError("of the page")

    with pytest.raises(ValueError, match="of the page"):
        awaited(BODIES.cls(fails)({"type": "http", "path": "/", "headers": []}, None, None))


def test_one_request_of_the_largest_size_is_always_read(tmp_path):
    (tmp_path / "evenkeel.toml").write_text('[limits]\nrequest = "5 MB"\nbodies = "2 MB"\n')

    async def scene(server):
        server.answer.set()
        return await server.ask(bytes(5 * MEGABYTE))

    assert run(scene) == (200, "5000000")


def test_a_configuration_that_is_wrong_is_asked_for_no_limit_while_no_bytes_come(tmp_path):
    (tmp_path / "evenkeel.toml").write_text("[limits]\nbodies = 3\n")

    async def scene(server):
        server.answer.set()
        return await server.ask(b"")

    assert run(scene) == (200, "0")


def test_a_body_that_is_refused_while_its_answer_is_under_way_is_not_answered_again():
    sent, size = [], 3 * MEGABYTE

    async def pages(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await receive()

    async def receive():
        return {"type": "http.request", "body": bytes(size), "more_body": False}

    async def send(message):
        sent.append(message.get("status"))

    awaited(
        BODIES.cls(pages)(
            {
                "type": "http",
                "method": "POST",
                "path": "/",
                "headers": [(b"content-length", b"%d" % size)],
            },
            receive,
            send,
        )
    )

    assert sent == [200]


def test_what_comes_after_an_answer_is_received_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(bodies, "_MOST_DROPPED", 5 * MEGABYTE)
    received = []

    async def receive():
        received.append(MEGABYTE)
        return {"type": "http.request", "body": bytes(MEGABYTE), "more_body": True}

    async def send(message):
        received.append(message["type"])

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "headers": [(b"transfer-encoding", b"chunked")],
    }
    awaited(BODIES.cls(PlainTextResponse("no", 413))(scope, receive, send))

    assert received == [
        "http.response.start",
        "http.response.body",
        *[MEGABYTE] * 5,
        "http.response.body",
    ]


def test_a_configuration_that_is_wrong_reads_no_large_body_and_says_why(tmp_path):
    (tmp_path / "evenkeel.toml").write_text("[limits]\nbodies = 3\n")

    status, text = run(lambda server: server.ask(bytes(MEGABYTE)))

    assert status == 503
    assert "limits.bodies" in text


def test_the_rest_of_a_refused_body_has_time_for_its_size(monkeypatch):
    monkeypatch.setattr(bodies, "_SPEED", MEGABYTE)
    parts = []

    async def receive():
        await asyncio.sleep(0.05)
        parts.append(MEGABYTE)
        return {"type": "http.request", "body": bytes(MEGABYTE), "more_body": len(parts) < 10}

    async def send(_):
        pass

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "headers": [(b"transfer-encoding", b"chunked")],
    }
    awaited(BODIES.cls(PlainTextResponse("no", 413), seconds=0.1)(scope, receive, send))

    assert len(parts) == 10
