"""Exporters: programs that report group offsets to Prometheus.

The module has the exporters' metrics and labels, and chooses the exporter that a store has.
"""

from collections.abc import Collection
from dataclasses import dataclass

from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import listed

COMMIT, END, BEGIN, LAG = "commit", "end", "begin", "lag"


@dataclass(frozen=True)
class Exporter:
    """Metrics and labels of one exporter.

    Parameters
    ----------
    commit, end, begin, lag : str or None
        Gauges with a value for each partition; None if the exporter has no such gauge.
    group, topic, partition : str
        Names of labels. All gauges have the same labels for topic and partition.
    owner : tuple of str
        Labels with the partition's owner; they are shown but not used.
    sums : tuple of str
        Gauges with sums over partitions; offsets cannot be read from them.
    """

    name: str
    commit: str | None
    end: str | None
    begin: str | None
    lag: str | None
    group: str = "group"
    topic: str = "topic"
    partition: str = "partition"
    owner: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()

    @property
    def metrics(self) -> dict[str, str]:
        """The role of each gauge, by the gauge's name."""
        roles = {COMMIT: self.commit, END: self.end, BEGIN: self.begin, LAG: self.lag}
        return {name: role for role, name in roles.items() if name}

    def derived(self, there: Collection[str]) -> tuple[str, ...]:
        """Return the roles, commit and end, that must be computed because their gauge is missing.

        `there`: gauges in the store.
        """
        if self.lag not in there:
            return ()
        return tuple(
            role for role, name in ((COMMIT, self.commit), (END, self.end)) if name not in there
        )

    def is_source(self, there: Collection[str]) -> bool:
        """Return whether the gauges `there` are enough: at least two of commit, end and lag."""
        return sum(name in there for name in (self.commit, self.end, self.lag)) > 1


def all_metrics(exporters: Collection[Exporter]) -> list[str]:
    """Return the names of all gauges, including sums."""
    return sorted({name for exporter in exporters for name in (*exporter.metrics, *exporter.sums)})


def chosen_exporter(there: Collection[str], exporters: Collection[Exporter]) -> Exporter:
    """Return the exporter whose gauges a store has.

    An exporter with commits is preferred; among several, an exporter with owners.

    Raises
    ------
    SnapshotError
        If no exporter has enough gauges; the message names the gauges in the store.
    """
    sources = [exporter for exporter in exporters if exporter.is_source(there)]
    if sources:
        return max(sources, key=lambda exporter: (exporter.commit in there, bool(exporter.owner)))
    names = listed(exporter.name for exporter in exporters)
    if sums := sorted({name for exporter in exporters for name in exporter.sums if name in there}):
        raise SnapshotError(
            f"it has only sums over partitions ({listed(sums)}), expected the gauges of one "
            f"partition from {names}"
        )
    if there:
        raise SnapshotError(
            f"it has only {listed(sorted(there))}, expected two of committed offset, end offset and"
            f" lag of each partition from {names}"
        )
    raise SnapshotError(f"it has no offset of a consumer group, expected gauges of {names}")
