"""Open findings of groups, and predicted deletions of unread records, at a slot of the lake."""

import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from evenkeel.dashboard.shell.cache import ALL, missing
from evenkeel.dashboard.shell.loading.example import lake_of
from evenkeel.dashboard.shell.loading.pasts import hours_in_store, last_kept
from evenkeel.dashboard.shell.loading.readings import SECONDS, own_readings, readings
from evenkeel.dashboard.shell.reader import reader, require_seen
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.configuration import configuration
from evenkeel.data.episodes.answer import Finding
from evenkeel.data.episodes.past import (
    GroupPast,
    behind_over,
    cluster_pasts,
    group_past,
    near,
    slot_before,
)
from evenkeel.data.lake.history.instants import Instants, groups_of, instants
from evenkeel.data.lake.place import Place
from evenkeel.data.prometheus.facts import source_words

_RECENT = 3
"""Home has cached histories. If they are at most this number of slots old, Overview uses them too,
so that both pages show the same.
"""

_TURN, _DRAWING = threading.Lock(), threading.Lock()


class Now(NamedTuple):
    """The history of an open group up to its present reading.

    `before`: the batch of an earlier slot in `lake`; the present reading is compared with it.
    `source`: words about the metrics store if the earlier slot is from such a store, else empty.
    """

    past: GroupPast | None = None
    before: str | None = None
    lake: Place | None = None
    source: str = ""


def past_now(group: OpenGroup, taken_at: datetime | None, partitions: int) -> Now:
    """Return the history of a stored group up to its reading at `taken_at`. The history is empty if
    no slot is near this time.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    require_seen(group)
    if not group.batch or group.group_id is None or taken_at is None:
        return Now()
    own = own_readings(group)
    if own is not None and own.uploaded_at:
        return Now()
    read, until, name = readings(group, has_past=False), taken_at.timestamp(), group.group_id
    slots = near(read.found, until)
    if slots is None:
        read = readings(group)
        slots = near(read.found, until)
    if slots is None:
        return Now()
    before = slot_before(slots, until) if own is None else None
    compared = slots.batches[slots.axis.batch.index(before) if before else -1]
    source = source_words(compared.formats, read.below.facts)
    listed: Pasts | None = ALL.find((pasts, read.lake, read.cluster))
    if listed and listed.batch in slots.axis.batch[-_RECENT:] and name in listed.of_group:
        past = listed.of_group[name]
        if not past.begins_earlier:
            return Now(past, before, read.lake, source)
    key = (past_now, group.batch, name, slots.axis.batch[-1])
    past = ALL.get(
        key, lambda: group_past(read.lake, read.cluster, slots, name, partitions) or GroupPast(())
    )
    return Now(past, before, read.lake, source)


# All groups of a collected cluster.


class Pasts(NamedTuple):
    """The history of each group that the reader may see, by group id. The histories end at the slot
    `batch`. `is_behind`: newer slots are not examined yet.
    """

    of_group: Mapping[str, GroupPast]
    batch: str | None = None
    is_behind: bool = False


def pasts(cluster: str, patience: float = 0.3) -> Pasts:
    """Return the histories of a cluster's groups. If newer slots need more than `patience` seconds,
    the histories end at an earlier slot. If the lake has no slot of the cluster, the histories come
    from its metrics store.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    batch, last = _last_batch(cluster), (pasts, lake_of(cluster), cluster)
    if batch is None:
        return Pasts({})

    def judge(is_asked: Callable[[], bool]) -> None:
        lake, slots, groups = _hours(cluster, batch)
        of_group = cluster_pasts(lake, cluster, slots, groups) if slots.batches else {}
        ALL.put(last, Pasts(of_group, batch))

    is_behind = bool(missing({(*last, batch): judge}, patience, _TURN))
    made: Pasts = ALL.find(last) or Pasts({})
    who = reader()
    of_group = {name: past for name, past in made.of_group.items() if who.sees(cluster, name)}
    return Pasts(of_group, made.batch, is_behind)


def hours_behind(cluster: str, groups: tuple[str, ...]) -> Mapping[str, list[float | None]]:
    """Return, by group, the ages of the oldest unread record at a few slots of the last six hours
    (`behind_over`). While the newest slots are being read, return the previous result, or an empty
    mapping.
    """
    batch, last = _last_batch(cluster), (hours_behind, lake_of(cluster), cluster)
    if not groups or batch is None:
        return {}

    def read(is_asked: Callable[[], bool]) -> None:
        lake, slots, _ = _hours(cluster, batch)
        ALL.put(last, behind_over(lake, cluster, slots, groups) if slots.batches else {})

    missing({(*last, groups, batch): read}, 0, _DRAWING)
    return ALL.find(last) or {}


def _last_batch(cluster: str) -> str | None:
    slots = cluster_slots(cluster)
    if slots.batches:
        return slots.batches[-1].batch
    listed = last_kept(cluster)
    return listed.batch if listed else None


def _hours(cluster: str, batch: str) -> tuple[Place, Instants, list[str]]:
    """Return the cluster's slots and the lake that contains them. If the lake has no slot, return
    the slots of the metrics store and the groups in these slots.
    """
    lake, slots = lake_of(cluster), cluster_slots(cluster)
    if slots.batches:
        return lake, slots, []
    place = hours_in_store(cluster, batch).place
    hours = instants(place, cluster)
    return place, hours, groups_of(place, hours) if hours.batches else []


def cluster_slots(cluster: str) -> Instants:
    """Return a cluster's slots in the lake. The result may be some seconds old."""
    lake = lake_of(cluster)
    return ALL.get((cluster_slots, lake, cluster), lambda: instants(lake, cluster), SECONDS)


def open_findings(cluster: str) -> list[Finding]:
    """Return the open findings of a cluster's groups, except findings that the configuration
    ignores. Raises the errors of `pasts`.
    """
    settings = configuration().findings
    findings: list[Finding] = []
    for group, past in pasts(cluster).of_group.items():
        ignored = settings.ignored_of(group)
        findings += [finding for finding in past.findings if finding.code not in ignored]
    return findings
