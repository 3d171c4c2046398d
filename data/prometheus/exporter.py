"""Exporter: the names under which a program shows the offsets of groups to Prometheus, and which
exporter a store has.
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
        Gauges of one partition; None if the exporter has none.
    group, topic, partition : str
        Labels. `topic` and `partition` are the same of all gauges.
    owner : tuple of str
        Labels of the owner, which decide nothing.
    sums : tuple of str
        Gauges that add up partitions, which are no source.
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
        """The role of each gauge, by name."""
        roles = {COMMIT: self.commit, END: self.end, BEGIN: self.begin, LAG: self.lag}
        return {name: role for role, name in roles.items() if name}

    def derived(self, there: Collection[str]) -> tuple[str, ...]:
        """Return which offsets are made of the others, as far as a store has the gauges."""
        if self.lag not in there:
            return ()
        return tuple(
            role for role, name in ((COMMIT, self.commit), (END, self.end)) if name not in there
        )

    def is_source(self, there: Collection[str]) -> bool:
        """Return whether these gauges are enough: two of commit, end and lag."""
        return sum(name in there for name in (self.commit, self.end, self.lag)) > 1


def all_metrics(exporters: Collection[Exporter]) -> list[str]:
    """Return every gauge that says something, sums too."""
    return sorted({name for exporter in exporters for name in (*exporter.metrics, *exporter.sums)})


def chosen_exporter(there: Collection[str], exporters: Collection[Exporter]) -> Exporter:
    """Return the exporter whose gauges a store has: one with commits, then one with owners.

    Raises
    ------
    SnapshotError
        If there is none, and what is there in its place.
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
