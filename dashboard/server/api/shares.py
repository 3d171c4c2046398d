"""`GET /api/shares/{id}`: one share as JSON."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evenkeel.dashboard.loading.sharing.open_share import advised_lines
from evenkeel.dashboard.server.api.answers import answer, problem
from evenkeel.data.errors import NoShareError, SnapshotError
from evenkeel.data.shares import shares


# Not async: Starlette runs it in a thread.
def _share(request: Request) -> Response:
    """One answer for every id that opens nothing; a store that does not answer says so."""
    try:
        share = shares().open(request.path_params["share_id"])
        return answer(share.document() | {"result": advised_lines(share)})
    except NoShareError as error:
        return problem(str(error), 404)
    except SnapshotError as error:
        return problem(str(error), 503)


# path: an id with a slash gets the same answer.
SHARES = Route("/api/shares/{share_id:path}", _share, methods=["GET"])
