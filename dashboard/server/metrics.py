"""`GET /metrics`: figures of the server and of collected groups for Prometheus, with group names.

Member names and hosts are included only if `[metrics] members` is set.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime

from evenkeel.assignors.diagnosis.finding import Code, Severity
from evenkeel.assignors.timeline.verdicts import VERDICTS
from evenkeel.dashboard.episodes.loading import open_members, silent_cluster
from evenkeel.dashboard.episodes.members import MemberLoad, largest
from evenkeel.dashboard.groups.verdicts import followed_clusters, listed_verdicts
from evenkeel.dashboard.rebalances.loading.lake import recent_rebalances
from evenkeel.dashboard.shell.loading.episodes import open_findings
from evenkeel.data.configuration import configuration
from evenkeel.data.episodes.answer import Finding
from evenkeel.data.errors import SnapshotError
from evenkeel.data.tally import Tally

_REGISTRY = CollectorRegistry()
_FILES = Gauge(
    "evenkeel_uploaded_bytes", "Uploaded files that sessions hold in memory", registry=_REGISTRY
)
_SESSIONS = Gauge("evenkeel_sessions", "Browser tabs that are connected", registry=_REGISTRY)
RERUNS = Histogram(
    "evenkeel_rerun_seconds",
    "Runs of a page's script; runs of a part of a page are not counted",
    registry=_REGISTRY,
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
ProcessCollector(registry=_REGISTRY)


def uploaded_bytes() -> int:
    """Return the bytes of uploaded files that Streamlit keeps for its sessions.

    `free` in `widgets/opening/importing.py` removes such files.
    """
    if not runtime.exists():
        return 0
    stats = runtime.get_instance().uploaded_file_mgr.get_stats()
    return sum(stat.byte_length for family in stats.values() for stat in family)


_FILES.set_function(uploaded_bytes)


class _Tallies:
    """The counters of the modules in `data/`."""

    def collect(self) -> Iterator[CounterMetricFamily]:
        for tally in Tally.ALL:
            yield CounterMetricFamily(tally.name, tally.help, tally.count)


_REGISTRY.register(_Tallies())


class VerdictGauges:
    """Gauges with the verdict of each collected group.

    If the lake cannot be read, these gauges have no samples.
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each gauge, with one sample for each group."""
        rows = [row for cluster in _clusters() for row in _rows(cluster)]
        # STUCK has a higher number than STOP, although STOP is worse, because users' alert rules
        # already have 4 for STOP.
        numbered = [verdict for verdict in VERDICTS if verdict != "STUCK"]
        numbered.insert(5, "STUCK")
        numbers = ", ".join(f"{number} {name}" for number, name in enumerate(numbered))
        yield _gauge(
            "evenkeel_group_verdict",
            f"{_VERDICT}{numbers}",
            [(row, numbered.index(name)) for row in rows if (name := row["lasting_verdict"])],
        )
        yield _gauge(
            "evenkeel_group_snapshot_seconds",
            "Time of the reading, Unix time",
            [(row, row["taken_at"].timestamp()) for row in rows],
        )
        guesses = [
            (row, row["lag_seconds_method"] == "extrapolated")
            for row in rows
            if row["lag_seconds"] is not None
        ]
        yield _gauge("evenkeel_group_lag_seconds_extrapolated", _EXTRAPOLATED, guesses)
        for name, (column, text) in _GAUGES.items():
            yield _gauge(
                name,
                text,
                [(row, value) for row in rows if (value := _value(row, column)) is not None],
            )


_REGISTRY.register(VerdictGauges())


class FindingGauges:
    """Gauges with the open findings of collected groups.

    If the lake cannot be read, these gauges have no samples.
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauge of open findings, then gauges with figures of single findings."""
        every = [each for cluster in _clusters() for each in _open_findings(cluster)]
        labels = (*_LABELS, "code", "severity")
        family = GaugeMetricFamily("evenkeel_finding", _FINDING, labels=labels)
        for each in every:
            if each.is_shown:
                key = (each.cluster or "", each.group)
                family.add_metric((*key, each.code.value, each.episode.severity.word), 1)
        for cluster in _clusters():
            with suppress(SnapshotError):
                if silent_cluster(cluster):
                    family.add_metric((cluster, "", Code.SILENT.value, Severity.WARNING.word), 1)
        yield family
        for name, (code, text, figure) in _OF_FINDINGS.items():
            family = GaugeMetricFamily(name, text, labels=_LABELS)
            for each in every:
                value = figure(each) if each.code == code else None
                if value is not None:
                    family.add_metric((each.cluster or "", each.group), value)
            yield family


_REGISTRY.register(FindingGauges())


class MemberGauges:
    """Gauges of the members of collected groups, if `[metrics] members` has a number.

    The number limits the series; members with the most lag come first.
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each gauge, with one sample for each client id and host in a group."""
        most = _member_series()
        if not most:
            return
        every = [each for cluster in _clusters() for each in _open_members(cluster)]
        loads, left_out = largest(every, most // len(_OF_MEMBERS))
        for name, text in _OF_MEMBERS.items():
            family = GaugeMetricFamily(
                f"evenkeel_member_{name}", text, labels=(*_LABELS, "client_id", "host")
            )
            for load in loads:
                if (value := getattr(load, name)) is not None:
                    family.add_metric(load[:4], value)
            yield family
        yield GaugeMetricFamily(
            "evenkeel_member_series_left_out",
            "Series of members left out, because [metrics] members allows no more",
            value=left_out * len(_OF_MEMBERS),
        )


_REGISTRY.register(MemberGauges())


class RebalanceGauges:
    """Gauge with the rebalances of the last hour, for groups whose brokers' logs were ingested.

    If the lake cannot be read, this gauge has no samples.
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauge, with one sample for each group.

        The label `cause` has the cause with the longest pause; it is empty without a rebalance.
        """
        family = GaugeMetricFamily(
            "evenkeel_group_rebalances_last_hour", _REBALANCES, labels=(*_LABELS, "cause")
        )
        with suppress(SnapshotError):
            for recent in recent_rebalances():
                family.add_metric(
                    (recent.cluster or "", recent.group, recent.kind or ""), recent.count
                )
        yield family


_REGISTRY.register(RebalanceGauges())


class _Sessions:
    """Count the open websockets: each browser tab has one."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        with _SESSIONS.track_inprogress():
            await self._app(scope, receive, send)


# Not async, so Starlette runs it in a thread.
def _metrics(request: Request) -> Response:
    return Response(generate_latest(_REGISTRY), media_type=CONTENT_TYPE_LATEST)


SESSIONS = Middleware(_Sessions)
METRICS = Route("/metrics", _metrics, methods=["GET"])


# Gauges of groups that `evenkeel collect` reads. Unknown figures have no sample; an alert can test
# for that with `absent`.


_LABELS = ("cluster", "group")
_REBALANCES = (
    "Rebalances that began within the last hour, from brokers' logs; `cause`: the cause with the"
    " longest pause"
)
_GAUGES = {
    "evenkeel_group_lag": ("lag", "Records behind, the sum of known lags"),
    "evenkeel_group_unknown_lag_partitions": (
        "unknown_lag_count",
        "Partitions whose lag is unknown",
    ),
    "evenkeel_group_lag_seconds": ("lag_seconds", "Time lag of the partition farthest behind"),
    "evenkeel_group_drain_seconds": (
        "drain_seconds",
        "Seconds until the group has no lag, middle of the estimated range; +Inf for never",
    ),
    "evenkeel_group_drain_high_seconds": (
        "drain_high_seconds",
        "Seconds until the group has no lag, 95 % end of the estimated range; +Inf for never",
    ),
}
_VERDICT = "Verdict of the worst partition; SLOW only after 10 snapshots in a row:"
_EXTRAPOLATED = (
    "1 if the time lag is a guess, because the record is older than all snapshots, else 0"
)

_COLUMNS = [
    "cluster",
    "group_id",
    "taken_at",
    "lasting_verdict",
    "drain_is_never",
    "lag_seconds_method",
    *(column for column, _ in _GAUGES.values()),
]


_FINDING = "1 for each open finding that no other finding explains"
_OF_FINDINGS = {
    "evenkeel_group_lost_records": (
        Code.LOST,
        "Unread records that were deleted while the finding was open (lower bound)",
        lambda each: each.episode.figures["records"],
    ),
    "evenkeel_group_loss_seconds": (
        Code.LOSES,
        "Seconds until the next unread record is deleted, predicted from the begin offset",
        lambda each: _seconds_until(each, "expected", "latest"),
    ),
    "evenkeel_group_loss_seconds_not_before": (
        Code.LOSES,
        "Seconds until the next unread record is older than the topic's retention",
        lambda each: _seconds_until(each, "not_before"),
    ),
    "evenkeel_group_left_lag": (
        Code.LEFT,
        "Records of topics to which no member subscribes any more",
        lambda each: each.episode.figures["left_lag"],
    ),
}


_OF_MEMBERS = {
    "lag": "Records behind, the sum of known lags",
    "lag_seconds": "Time lag of the member's partition farthest behind",
    "partitions": "Partitions that the member owns",
}


def _seconds_until(finding: Finding, *names: str) -> float | None:
    """Return the seconds until the first known time among the figures `names`; 0 if it has
    passed.
    """
    moments = [finding.episode.figures[name] for name in names]
    known = [moment for moment in moments if moment is not None]
    return max(known[0] - finding.now, 0.0) if known else None


def _open_findings(cluster: str) -> list[Finding]:
    with suppress(SnapshotError):
        return open_findings(cluster)
    return []


def _open_members(cluster: str) -> list[MemberLoad]:
    with suppress(SnapshotError):
        return open_members(cluster)
    return []


def _clusters() -> list[str]:
    with suppress(SnapshotError):
        return followed_clusters()
    return []


def _member_series() -> int | None:
    with suppress(SnapshotError):
        return configuration().member_series
    return None


def _rows(cluster: str) -> list[dict[str, Any]]:
    """Return the last computed verdicts of a cluster's groups.

    Newer verdicts are computed in the background; a scrape does not wait for them.
    """
    with suppress(SnapshotError):
        groups = listed_verdicts(cluster).groups
        return groups.select(_COLUMNS).to_pylist() if groups else []
    return []


def _value(row: dict[str, Any], column: str) -> float | None:
    is_endless = column.startswith("drain") and row[column] is None and row["drain_is_never"]
    return float("inf") if is_endless else row[column]


def _gauge(name: str, text: str, samples: list[tuple[dict[str, Any], float]]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=_LABELS)
    for row, value in samples:
        family.add_metric((row["cluster"], row["group_id"]), value)
    return family
