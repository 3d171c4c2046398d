"""`GET /healthz`: process, lake, store and Spark, each ok or why not; 503 where one is not that the server cannot do without.

That is Spark only where it reads every upload. Lake and store of shares are ok when they can be written: each question writes something
and deletes it.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError as TooLateError
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evenkeel.dashboard.loading.reader import reader
from evenkeel.dashboard.server.bodies import answer
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import probe
from evenkeel.data.pipeline import uploads
from evenkeel.data.shares import shares

_SECONDS = 5
_THREADS = ThreadPoolExecutor(4, "health")


def note_lake() -> None:
    """Note the lake that is there when the server starts; a wrong configuration is told by the first question."""
    with suppress(SnapshotError):
        probe.note(configuration().lake)


def _lake() -> None:
    probe.check(configuration().lake)


def _store() -> None:
    shares().check()


def _spark() -> None:
    """Spark that has not been needed yet is ok."""
    if (state := uploads.spark_state()) not in ("ready", "starting", "not needed"):
        raise SnapshotError(state)


def _is_needed(name: str) -> bool:
    """Tell whether the server is of no use without a part; Spark reads only large uploads, unless the configuration says otherwise."""
    with suppress(SnapshotError):
        return name != "spark" or uploads.needs_spark()
    return True


_CHECKS: dict[str, Callable[[], None]] = {"lake": _lake, "store": _store, "spark": _spark}
_ASKED: dict[str, Future[None]] = {}
"""The last question of each check: one that does not return is not asked again meanwhile."""


# Not async: Starlette runs it in a thread.
def _health(request: Request) -> Response:
    parts = {"process": {"ok": True}}
    for name, check in _CHECKS.items():
        if name not in _ASKED or _ASKED[name].done():
            _ASKED[name] = _THREADS.submit(check)
    parts |= {name: _outcome(_ASKED[name]) for name in _CHECKS}
    # A wrong configuration is a reason that everybody is told, without its values.
    with suppress(SnapshotError):
        parts = parts if reader().is_known else {name: {"ok": part["ok"]} for name, part in parts.items()}
    is_ok = all(part["ok"] for name, part in parts.items() if _is_needed(name))
    return answer({"ok": is_ok, **parts}, 200 if is_ok else 503)


def _outcome(asked: Future[None]) -> dict[str, Any]:
    try:
        asked.result(_SECONDS)
    except SnapshotError as error:
        return {"ok": False, "why": str(error)}
    except TooLateError:
        return {"ok": False, "why": f"no answer in {_SECONDS} s"}
    except Exception as error:
        return {"ok": False, "why": type(error).__name__}
    return {"ok": True}


HEALTH = Route("/healthz", _health, methods=["GET"])
