"""`GET /metrics`: the figures of the server and of collected groups as text for Prometheus. They name groups, no member or address."""

from collections.abc import Iterator

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime

from evenkeel.dashboard.server.api.verdict_gauges import VerdictGauges
from evenkeel.data.tally import Tally

_REGISTRY = CollectorRegistry()
_FILES = Gauge("evenkeel_uploaded_bytes", "Uploaded files that sessions hold in memory", registry=_REGISTRY)
_SESSIONS = Gauge("evenkeel_sessions", "Browser tabs that are connected", registry=_REGISTRY)
RERUNS = Histogram(
    "evenkeel_rerun_seconds",
    "Runs of a page's script; runs of a part of a page are not counted",
    registry=_REGISTRY,
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
ProcessCollector(registry=_REGISTRY)


def uploaded_bytes() -> int:
    """Return the bytes of the files that Streamlit keeps for its sessions; `free` of `widgets/opening/uploading.py` lets go of them."""
    if not runtime.exists():
        return 0
    stats = runtime.get_instance().uploaded_file_mgr.get_stats()
    return sum(stat.byte_length for family in stats.values() for stat in family)


_FILES.set_function(uploaded_bytes)


class _Tallies:
    """What the rooms of `data/` have counted."""

    def collect(self) -> Iterator[CounterMetricFamily]:
        for tally in Tally.ALL:
            yield CounterMetricFamily(tally.name, tally.help, tally.count)


_REGISTRY.register(_Tallies())
_REGISTRY.register(VerdictGauges())


class _Sessions:
    """Counts the websockets that are open: each is one tab."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        with _SESSIONS.track_inprogress():
            await self._app(scope, receive, send)


# Not async: Starlette runs it in a thread.
def _metrics(request: Request) -> Response:
    return Response(generate_latest(_REGISTRY), media_type=CONTENT_TYPE_LATEST)


SESSIONS = Middleware(_Sessions)
METRICS = Route("/metrics", _metrics, methods=["GET"])
