"""Gauges of the groups that `evenkeel collect` follows. Unknown figures have no sample: an alert on them says `absent`."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from prometheus_client.core import GaugeMetricFamily

from evenkeel.assignors.history.verdicts import VERDICTS
from evenkeel.dashboard.loading.history.verdicts import followed_clusters, listed_verdicts
from evenkeel.data.errors import SnapshotError

_LABELS = ("cluster", "group")
_GAUGES = {
    "evenkeel_group_lag": ("lag", "Records behind, the sum of known lags"),
    "evenkeel_group_unknown_lag_partitions": ("unknown_lag_count", "Partitions whose lag is unknown"),
    "evenkeel_group_lag_seconds": ("lag_seconds", "Time lag of the partition farthest behind"),
    "evenkeel_group_drain_seconds": ("drain_seconds", "Seconds until nothing is behind, the middle of the band; +Inf for never"),
    "evenkeel_group_drain_high_seconds": ("drain_high_seconds", "Its upper end, 95 %; +Inf for never"),
}
_VERDICT = "Verdict of the worst partition, SLOW once it has lasted 10 snapshots: "
_EXTRAPOLATED = "1 where the time lag is a guess, because the record is older than the snapshots, else 0"

_COLUMNS = [
    "cluster",
    "group_id",
    "taken_at",
    "lasting_verdict",
    "drain_is_never",
    "lag_seconds_method",
    *(column for column, _ in _GAUGES.values()),
]


class VerdictGauges:
    """What Prometheus asks for; a lake that cannot be read has no samples."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each gauge with a sample for every group."""
        rows = [row for cluster in _clusters() for row in _rows(cluster)]
        numbers = ", ".join(f"{number} {name}" for number, name in enumerate(VERDICTS))
        yield _gauge("evenkeel_group_verdict", f"{_VERDICT}{numbers}", [(row, VERDICTS.index(row["lasting_verdict"])) for row in rows])
        yield _gauge("evenkeel_group_snapshot_seconds", "When it was read, Unix time", [(row, row["taken_at"].timestamp()) for row in rows])
        guesses = [(row, row["lag_seconds_method"] == "extrapolated") for row in rows if row["lag_seconds"] is not None]
        yield _gauge("evenkeel_group_lag_seconds_extrapolated", _EXTRAPOLATED, guesses)
        for name, (column, text) in _GAUGES.items():
            yield _gauge(name, text, [(row, value) for row in rows if (value := _value(row, column)) is not None])


def _clusters() -> list[str]:
    with suppress(SnapshotError):
        return followed_clusters()
    return []


def _rows(cluster: str) -> list[dict[str, Any]]:
    """Return the last verdicts that were made of a cluster's groups; newer ones are made behind, and no scrape waits for them."""
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
