"""Three HTTP routes.

`POST /api/scenarios`: same answer as `evenkeel replay`. `POST /api/best`: same answer as a line of
`evenkeel best --jsonl`. `GET /api/shares/{id}`: returns a share.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any, NamedTuple

from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from evenkeel.dashboard.server.bodies import HEADERS, answer, problem
from evenkeel.dashboard.shares.loading.opened import advised_lines, stored_share
from evenkeel.dashboard.shares.loading.owners import secret_of
from evenkeel.dashboard.shell.apart import ENDING, Turn, limits
from evenkeel.data.best.answer import answered_text, require_allowed_request
from evenkeel.data.configuration import Configuration, configuration
from evenkeel.data.errors import NoShareError, SnapshotError
from evenkeel.data.own_process import EndedError, OwnProcess
from evenkeel.data.text.formats import ordinal
from evenkeel.data.whatif.answer import replayed, require_allowed_text

_SHORT = 100_000
"""Largest body in bytes that the server itself parses, so that it can refuse a too large scenario
at once. A process of its own parses longer bodies.
"""

_MOST_WAITING = 8
_MOST_WAIT_SECONDS = 90.0
_LOOK_UP_SECONDS = 0.05
_CLIENT_GONE = 499

_IN_MEMORY = 64 * 2**10
"""Bytes of an incomplete body in memory. The rest is in an unnamed file."""


class _Question(NamedTuple):
    """A kind of request.

    `check`: raises an error if the body is not allowed. `work`: the function that answers, with its
    arguments. `command`: to use for larger bodies.
    """

    check: Callable[[bytes, Configuration], None]
    work: Callable[[bytes, Configuration], tuple[Any, ...]]
    command: str


_SCENARIO = _Question(
    lambda body, chosen: require_allowed_text(body, chosen.plugins, chosen.budget),
    lambda body, chosen: (replayed, body, chosen.plugins, chosen.budget, chosen.gain),
    "evenkeel replay",
)
_BEST = _Question(
    lambda body, chosen: require_allowed_request(body, chosen.budget),
    lambda body, chosen: (answered_text, body, chosen.budget),
    "evenkeel best --jsonl",
)


async def _asked(question: _Question, request: Request) -> Response:
    # A page of another site can send this type only after the browser has asked the server, which
    # refuses.
    if (
        request.headers.get("content-type", "").partition(";")[0].strip().lower()
        != "application/json"
    ):
        return problem("Content-Type: expected application/json", 415)
    try:
        limit = configuration().request_bytes
        body = await _body(request, limit)
    except SnapshotError as error:
        return problem(str(error), 503)
    if body is None:
        return problem(
            f"the body has more than {limit / 1e6:,.0f} MB; if your scenario is larger, run:"
            f" {question.command}",
            413,
        )
    return await _answered(question, request, body)


async def _body(request: Request, limit: int) -> bytes | None:
    """Return the body; None as soon as more than `limit` bytes have arrived."""
    try:
        with SpooledTemporaryFile(_IN_MEMORY) as file:
            async for part in request.stream():
                if file.tell() + len(part) > limit:
                    return None
                file.write(part)
            file.seek(0)
            return file.read()
    except OSError as error:
        raise SnapshotError(
            f"the body cannot be stored in the folder for temporary files: {error.strerror}"
        ) from error


async def _answered(question: _Question, request: Request, body: bytes) -> Response:
    """Answer in a separate process. The process is stopped if the client disconnects."""
    chosen = configuration()
    try:
        if len(body) <= _SHORT:
            await run_in_threadpool(question.check, body, chosen)
        with Turn() as turn:
            if turn.place > _MOST_WAITING:
                return _full(turn.place)
            if not await _is_served(request, turn):
                return _full(turn.place)
            return await _carried_out(question, request, body)
    except EndedError as error:
        return problem(str(error), 503)
    except SnapshotError as error:
        return problem(str(error), 422)


async def _is_served(request: Request, turn: Turn) -> bool:
    """Wait in the queue. Return False after a long wait, or if the client has disconnected."""
    end = time.monotonic() + _MOST_WAIT_SECONDS
    while turn.place:
        if time.monotonic() > end or await _has_gone(request):
            return False
        await asyncio.sleep(_LOOK_UP_SECONDS)
    return True


async def _carried_out(question: _Question, request: Request, body: bytes) -> Response:
    running = await run_in_threadpool(OwnProcess, limits(), *question.work(body, configuration()))
    is_answered = False
    try:
        while not running.has_ended(0):
            if await _has_gone(request):
                return Response(status_code=_CLIENT_GONE)
            await asyncio.sleep(_LOOK_UP_SECONDS)
        running.require_answer()
        is_answered = True
        # The answer is sent in parts, so the server never has a whole large answer in memory.
        return StreamingResponse(_parts(running), 200, HEADERS, "application/json")
    finally:
        if not is_answered:
            running.stop()


async def _has_gone(request: Request) -> bool:
    """Return whether an answer is useless: the client has disconnected, or the server is
    stopping.
    """
    return ENDING.is_set() or await request.is_disconnected()


async def _parts(running: OwnProcess) -> AsyncIterator[bytes]:
    try:
        async for part in iterate_in_threadpool(running.parts()):
            yield part
    finally:
        running.stop()


def _full(place: int) -> Response:
    return problem(
        f"two scenarios are running, and this scenario is the {ordinal(place)} in the queue;"
        " try again later",
        503,
    )


# Starlette checks the wrapped function of a partial function.
SCENARIOS = Route("/api/scenarios", partial(_asked, _SCENARIO), methods=["POST"])
BEST = Route("/api/best", partial(_asked, _BEST), methods=["POST"])


# `GET /api/shares/{id}`: one share as JSON.


# Not async, so Starlette runs it in a thread.
def _share(request: Request) -> Response:
    """Return a share. Every id without a share gets 404: nobody learns which ids existed.

    If the store of shares cannot be reached, the answer says so (503).
    """
    try:
        share = stored_share(request.path_params["share_id"], secret_of(request.cookies))
        return answer(share.document() | {"result": advised_lines(share)})
    except NoShareError as error:
        return problem(str(error), 404)
    except SnapshotError as error:
        return problem(str(error), 503)


# `path` also matches an id with a slash, so it gets the same answer.
SHARES = Route("/api/shares/{share_id:path}", _share, methods=["GET"])
