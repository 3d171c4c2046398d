"""`POST /api/scenarios`: a scenario in, its result out, the lines that `evenkeel replay` prints."""

from tempfile import SpooledTemporaryFile
from threading import BoundedSemaphore
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dashboard.loading.plugins import known
from dashboard.server.api.answers import answer, problem
from data.configuration import configuration
from data.errors import SnapshotError
from data.scenarios.advice import with_advice
from data.scenarios.applications.application_lines import application_lines
from data.scenarios.applications.application_result import application_result
from data.scenarios.applications.application_scenario import ApplicationScenario
from data.scenarios.applications.decode_any_scenario import decode_any_scenario
from data.scenarios.run.lines import lines_of
from data.scenarios.run.result import result_of

_AT_ONCE = BoundedSemaphore(2)
"""More would share Python's one lock with the pages, and hold the memory of all."""

_IN_MEMORY = 64 * 2**10
"""Bytes of a body that is not whole yet; the others lie in a file without a name."""


async def _scenarios(request: Request) -> Response:
    # A page of another site can send this type only after the browser has asked, and the server does not allow it.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return problem("Content-Type: expected application/json", 415)
    try:
        limit = configuration().request_bytes
        body = await _body(request, limit)
    except SnapshotError as error:
        return problem(str(error), 503)
    if body is None:
        return problem(f"the body has more than {limit / 1e6:,.0f} MB; for a larger scenario run: evenkeel replay", 413)
    return await run_in_threadpool(_answered, body)


async def _body(request: Request, limit: int) -> bytes | None:
    """Return the body; None as soon as it is over the limit, whatever its header says."""
    try:
        with SpooledTemporaryFile(_IN_MEMORY) as file:
            async for part in request.stream():
                if file.tell() + len(part) > limit:
                    return None
                file.write(part)
            file.seek(0)
            return file.read()
    except OSError as error:
        raise SnapshotError(f"the body cannot be kept in the folder for temporary files: {error.strerror}") from error


def _answered(body: bytes) -> Response:
    if not _AT_ONCE.acquire(blocking=False):
        return problem("two scenarios are being carried out; try again later", 503)
    try:
        return answer(_lines(body))
    except SnapshotError as error:
        return problem(str(error), 422)
    finally:
        _AT_ONCE.release()


def _lines(body: bytes) -> list[dict[str, Any]]:
    scenario = decode_any_scenario(body)
    if isinstance(scenario, ApplicationScenario):
        return application_lines(application_result(scenario))
    result = result_of(scenario, known(configuration().plugins))
    return with_advice(lines_of(result), result, configuration().gain)


SCENARIOS = Route("/api/scenarios", _scenarios, methods=["POST"])
