"""`POST /api/marks` stores a mark (as `evenkeel mark` does), `DELETE /api/marks/{id}` deletes it.

Both need the right `mark`.
"""

from datetime import datetime
from typing import Annotated

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evenkeel.dashboard.server.bodies import HEADERS, answer, problem
from evenkeel.dashboard.shell.reader import audited, reader
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.marks.answer import add, delete, mark_in, new_mark, require_known

_MOST_BYTES = 10_000


class _MarkRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cluster: str
    text: str
    group: str | None = None
    at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None


async def _post(request: Request) -> Response:
    # A page of another site cannot send this type before its browser has asked the server.
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return problem("Content-Type: expected application/json", 415)
    body = await request.body()
    if len(body) > _MOST_BYTES:
        return problem(f"the body has more than {_MOST_BYTES:,} bytes", 413)
    return await run_in_threadpool(_stored, body)


def _stored(body: bytes) -> Response:
    try:
        request = msgspec.json.decode(body, type=_MarkRequest)
        if not _may_mark(request.cluster, request.group):
            return problem("your rights do not include marks here", 403)
        mark = new_mark(request.cluster, request.group, request.at, request.text)
        lake = configuration().lake
        require_known(lake, mark.cluster)
        add(lake, mark)
    except (SnapshotError, msgspec.DecodeError) as error:
        return problem(str(error), 422)
    audited("mark", cluster=mark.cluster, group=mark.group, what=mark.mark_id)
    return answer({"id": mark.mark_id}, 201)


# Not async, so Starlette runs it in a thread.
def _delete(request: Request) -> Response:
    try:
        lake = configuration().lake
        mark = mark_in(lake, request.path_params["mark_id"])
        if not _may_mark(mark.cluster, mark.group):
            # A mark that the reader may not change gets the same answer as a missing mark.
            raise SnapshotError(f'no mark "{mark.mark_id}"')
        delete(lake, mark)
    except SnapshotError as error:
        return problem(str(error), 404)
    audited("mark deleted", cluster=mark.cluster, group=mark.group, what=mark.mark_id)
    return Response(status_code=204, headers=HEADERS)


def _may_mark(cluster: str, group: str | None) -> bool:
    """Return whether the reader may mark this group.

    `group`: None for a mark on all groups of the cluster; this needs the right for all its groups.
    """
    who = reader()
    return who.grants.covers("mark", cluster) if group is None else who.may("mark", cluster, group)


MARKS = (
    Route("/api/marks", _post, methods=["POST"]),
    Route("/api/marks/{mark_id}", _delete, methods=["DELETE"]),
)
