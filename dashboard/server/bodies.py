"""Limits for request bodies, and answers in JSON.

There is a limit of bytes for all bodies together, and a time limit for each body.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evenkeel.dashboard.server.metrics import uploaded_bytes
from evenkeel.data.configuration import Configuration, configuration
from evenkeel.data.errors import SnapshotError

_SMALL = 64 * 2**10
"""A body up to this size is always read into memory. uvicorn buffers that many bytes before
Evenkeel can refuse the body.
"""

_SECONDS, _SPEED = 30.0, 250_000
"""Seconds for every body, and bytes a second that a longer body must reach."""

_MOST_DROPPED = 10**9
"""Bytes of a body that are read after its answer; after that the connection is closed."""

_LENGTHS = (b"content-length", b"transfer-encoding")

# Larger files are written to disk while they arrive. Starlette would hold a megabyte of each file
# in memory.
MultiPartParser.spool_max_size = _SMALL


class _BodyError(Exception):
    """Stops the reading of a body. `sentence`: the reason. `status`: HTTP status of the answer."""

    def __init__(self, sentence: str, status: int):
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


@dataclass
class _Budget:
    """A limit of bytes for all bodies of a kind together. Only the event loop's thread uses it.

    Parameters
    ----------
    limit
        Allowed bytes, from the configuration.
    setting
        Name of the limit in the configuration.
    small
        Number of bytes at the start of each body that are not counted.
    stored_bytes
        Function that returns the bytes of answered requests that are still in memory.
    held
        Counted bytes of the bodies that are being read.
    """

    limit: Callable[[Configuration], int]
    setting: str
    small: int = 0
    stored_bytes: Callable[[], int] = int
    held: int = 0

    def grow(self, size: int, more: int) -> None:
        """Count `more` bytes of a body that already has `size` bytes.

        Raises
        ------
        _BodyError
            If the limit is reached.
        """
        taken = self._counted(size + more) - self._counted(size)
        # An answer that waits for its client to disconnect calls this too. Without bytes, it must
        # not read the configuration.
        if taken and self.held + self.stored_bytes() + taken > (limit := _configured(self.limit)):
            sentence = (
                f"too many bytes at once: all requests together may send {limit / 1e6:,.0f} MB,"
                f" [limits] {self.setting}; try again later"
            )
            raise _BodyError(sentence, 503)
        self.held += taken

    def free(self, size: int) -> None:
        """Stop counting the bytes of a body."""
        self.held -= self._counted(size)

    def _counted(self, size: int) -> int:
        return max(size - self.small, 0)


def _configured(limit: Callable[[Configuration], int]) -> int:
    try:
        return limit(configuration())
    except SnapshotError as error:
        raise _BodyError(str(error), 503) from None


class _Body:
    """A body that is being read. Its bytes are counted, and it has a time limit."""

    def __init__(self, receive: Receive, budget: _Budget, seconds: float):
        self._receive, self._budget = receive, budget
        self._end = asyncio.get_running_loop().time() + seconds
        self._size, self._dropped, self._is_whole = 0, 0, False

    async def receive(self) -> Message:
        """Return the next message of the request."""
        # After its body, a request may wait for its client to disconnect without a time limit.
        message = await (self._receive() if self._is_whole else self._in_time())
        more = len(message.get("body", b""))
        self._budget.grow(self._size, more)
        self._size += more
        self._is_whole = not message.get("more_body", False)
        return message

    async def _in_time(self) -> Message:
        try:
            async with asyncio.timeout_at(self._end + (self._size + self._dropped) / _SPEED):
                return await self._receive()
        except TimeoutError:
            sentence = (
                f"the body came too slowly, expected all of it within {_SECONDS:g} s, or"
                f" {_SPEED // 1000} kB each second"
            )
            raise _BodyError(sentence, 408) from None

    async def drop(self) -> None:
        """Read the rest of the body and ignore it.

        Some clients send the whole body before they read the answer. If the rest were not read,
        they would see a broken connection instead of the answer.
        """
        # The rest of a slow body is not read, because the request is already answered.
        with suppress(_BodyError):
            while not self._is_whole and self._dropped < _MOST_DROPPED:
                message = await self._in_time()
                self._dropped += len(message.get("body", b""))
                self._is_whole = not message.get("more_body", False)

    def close(self) -> None:
        """Stop counting the body's bytes. The body's time limit does not change."""
        self._budget.free(self._size)
        self._size, self._dropped = 0, self._dropped + self._size


class _Bodies:
    """Count the bytes of all bodies.

    Files that are uploaded on a page have a separate limit: Streamlit keeps them for the session.
    """

    def __init__(self, app: ASGIApp, seconds: float = _SECONDS):
        self._app, self._seconds = app, seconds
        self._bodies = _Budget(
            lambda chosen: max(chosen.body_bytes, chosen.request_bytes), "bodies", _SMALL
        )
        self._files = _Budget(
            lambda chosen: chosen.upload_bytes, "uploads", stored_bytes=uploaded_bytes
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(
            receive,
            self._files if "/_stcore/upload_file/" in scope["path"] else self._bodies,
            self._seconds,
        )
        has_body = any(name in _LENGTHS and value != b"0" for name, value in scope["headers"])
        is_answered = False

        async def answered(message: Message) -> None:
            nonlocal is_answered
            is_answered = True
            if (
                has_body
                and message["type"] == "http.response.body"
                and not message.get("more_body", False)
            ):
                await send({**message, "more_body": True})
                # The request is answered, so later bytes use no budget.
                body.close()
                await body.drop()
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        try:
            await self._app(scope, body.receive, answered)
        except _BodyError as refused:
            # A response that has already started is not replaced.
            if not is_answered:
                answer = problem if scope["path"].startswith("/api/") else PlainTextResponse
                await answer(refused.sentence, refused.status)(scope, receive, answered)
        except ClientDisconnect:
            # Nobody is left to receive an answer, and nothing is wrong in the server.
            pass
        finally:
            body.close()


BODIES = Middleware(_Bodies)


# JSON answers: values, and errors with the path of the wrong field.


_PATH = re.compile(r"(\$\S*|(?:steps|settings)\S*): (.*)", re.DOTALL)
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
"""No cache may store an answer, because its data may be deleted."""


def answer(value: Any, status: int = 200) -> Response:
    """Return a value as JSON."""
    return Response(msgspec.json.encode(value), status, HEADERS, "application/json")


def problem(sentence: str, status: int) -> Response:
    """Return an error as JSON. `path` is null if the sentence does not start with a path."""
    path, message = match.groups() if (match := _PATH.fullmatch(sentence)) else (None, sentence)
    return answer({"error": {"path": path, "message": message}}, status)
