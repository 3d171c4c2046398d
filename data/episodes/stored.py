"""Stored slots of a cluster as a source of findings."""

import argparse
from collections.abc import Iterator, Sequence

import numpy as np

from evenkeel.assignors.episodes.evidence import Evidence, Retention
from evenkeel.data.commands.options.lake import chosen_cluster, collecting, lake_of, with_past_of
from evenkeel.data.configuration import configuration
from evenkeel.data.episodes.answer import iso
from evenkeel.data.episodes.groups import evidence_of_groups
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.series import (
    IDENTITY_COLUMNS,
    MEMBER_COLUMNS,
    OFFSET_COLUMNS,
)
from evenkeel.data.lake.history.instants import (
    LENGTH,
    Instants,
    groups_of,
    instants,
    last_instants,
)
from evenkeel.data.lake.history.recent import CELLS, rows_by_groups
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.store import table
from evenkeel.data.prometheus.facts import PastFacts

COLUMNS = {
    "OFFSETS": (*OFFSET_COLUMNS, *IDENTITY_COLUMNS, "stable_offset"),
    "MEMBERS": (
        *MEMBER_COLUMNS,
        *IDENTITY_COLUMNS,
        "group_type",
        "group_state",
        "subscribed",
        "subscribed_regex",
    ),
}


class StoredSnapshots:
    """The snapshots of a cluster in a lake, until a given time."""

    def __init__(
        self, lake: Place, cluster: str | None, slots: Instants, past: PastFacts | None = None
    ):
        self.name, self.cluster = str(lake), cluster
        settings = configuration().clusters.get(cluster or "", {})
        servers = settings.get("bootstrap.servers") if isinstance(settings, dict) else None
        # A setting that is given by reference may be a secret.
        self.servers = servers if isinstance(servers, str) else None
        self.lake, self._slots = lake, slots
        self.slot_count = len(slots.batches)
        self.last = float(slots.axis.time[-1])
        steps = np.diff(slots.axis.time)
        self.step = float(np.median(steps)) if steps.size else None
        self.groups = groups_of(lake, slots)
        self._retention = retention_in(lake, slots)
        # The problems of the last slot are enough, because each slot repeats them.
        self.unknown = list(slots.batches[-1].problems)
        if past is not None:
            self.unknown.append(f"owners of slots {past.words}")
            self.unknown += [f"Prometheus warns: {text}" for text in past.warnings]

    def evidence_of(
        self, groups: Sequence[str], cells: int = CELLS
    ) -> Iterator[tuple[str, Evidence]]:
        """Yield the evidence of each named group; without names, of every group.

        Several groups are read at once, up to about `cells` values (partitions times slots).
        """
        for offsets, members in rows_by_groups(self.lake, self._slots, groups, cells, COLUMNS):
            yield from evidence_of_groups(offsets, members, self._slots.axis, self._retention)

    def partition_count(self) -> dict[str, int]:
        """Return the number of each group's partitions in the last slot."""
        rows = table(self.lake, self._slots.batches[-1].batch, "GROUP_LOAD")
        return dict(
            zip(rows["group_id"].to_pylist(), rows["partition_count"].to_pylist(), strict=True)
        )


def stored_source(options: argparse.Namespace, last: float | None) -> StoredSnapshots:
    """Return the stored slots that a command needs.

    If the command has a time range: the slots of this range and of the 24 hours before. Else: the
    slots of the last 24 hours.

    Raises
    ------
    SnapshotError
        If there are no slots. The message has the times of the existing slots.
    """
    until = options.at or options.until
    lake, past = with_past_of(
        lake_of(options), options.cluster, options.group, options.since, until, LENGTH
    )
    cluster = chosen_cluster(lake, options.cluster)
    slots = last_instants(lake, cluster, options.since, until)
    if options.since is not None and slots.batches:
        # A finding that is open at the start of the range began before it.
        slots = instants(lake, cluster, options.since - LENGTH, until)
    if slots.batches:
        return StoredSnapshots(lake, cluster, slots, past)
    every = instants(lake, cluster)
    if not every.batches:
        raise SnapshotError(
            f"{lake} has no snapshot of any cluster; {collecting(lake, 'NAME')};"
            " --slots FILE reads a recording"
        )
    begin = f" from {options.since:%Y-%m-%dT%H:%M:%SZ}" if options.since else ""
    end = f" up to {iso(last)}" if last is not None else ""
    raise SnapshotError(
        f"{lake}: no slot{begin}{end}, slots are from {iso(every.axis.time[0])} to"
        f" {iso(every.axis.time[-1])}"
    )


_SETTINGS = ("cleanup_policy", "retention_ms", "retention_bytes", "segment_ms")


def retention_in(lake: Place, slots: Instants) -> dict[str, Retention]:
    """Return the retention settings of topics in the last slot, by topic name."""
    rows = table(lake, slots.batches[-1].batch, "TOPICS") if slots.batches[-1].cluster else None
    if rows is None:
        return {}
    columns = [rows[name].to_pylist() for name in ("topic", *_SETTINGS)]
    return {
        topic: Retention(
            deletes="delete" in policy.split(","),
            retention_seconds=retention_ms / 1000,
            retention_bytes=retention_bytes,
            segment_seconds=segment_ms / 1000,
        )
        for topic, policy, retention_ms, retention_bytes, segment_ms in zip(*columns, strict=True)
        if None not in (policy, retention_ms, retention_bytes, segment_ms)
    }
