"""Slots: from samples of gauges to offsets of partitions at the times of scrapes.

Only stored samples are used, at the times of their scrapes. Values that a store repeats in a gap
are not used, because they were not measured.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.data.errors import SnapshotError
from evenkeel.data.prometheus.exporter import BEGIN, COMMIT, END, LAG, Exporter
from evenkeel.data.text.formats import listed

_OURS = {"__name__"}
_REPLICA = frozenset(
    ("instance", "pod", "container", "node", "host", "endpoint", "replica", "prometheus")
    + ("prometheus_replica", "__replica__")
)
"""Labels that differ between replicas of an exporter or of the Prometheus that scrapes it."""

_LONGEST_TOPIC = 249
_REPLACED = 2
"""Largest number of slots in which two series of a partition may differ. If an exporter restarts on
another host, the old exporter and the new exporter are both scraped once or twice.
"""


Target = frozenset[tuple[str, str]]


class Samples(NamedTuple):
    """One series of a store.

    `labels`: labels, including `__name__`. `time`: int64 (N,), ms since 1970, ascending. `value`:
    int64 (N,), `UNKNOWN` for negative values.
    """

    labels: Mapping[str, str]
    time: np.ndarray
    value: np.ndarray


class Slots(NamedTuple):
    """S slots with N rows of partitions, sorted by slot, group, topic and partition.

    Parameters
    ----------
    time : int64 (S,)
        Times of scrapes, in ms since 1970, ascending.
    interval : float
        Seconds between scrapes of one target, NaN if unknown.
    keys : tuple of (group, topic, partition)
    slot, key : int64 (N,)
        Index in `time`, and index in `keys`.
    begin, committed, end, listed : int64 (N,)
        Offsets, and the lag that the exporter reports; `UNKNOWN` if unknown. `listed` is unknown if
        both offsets are known, because in one scrape the lag is newer than the end offset.
    unusable_count : int
        Number of series without labels of a partition.
    before : int or None
        Time of the last scrape before the first slot.
    owner : tuple of (key, str)
        The owner that the exporter reported last; it is shown but not used.
    """

    time: np.ndarray
    interval: float
    keys: tuple[tuple[str, str, int], ...]
    slot: np.ndarray
    key: np.ndarray
    begin: np.ndarray
    committed: np.ndarray
    end: np.ndarray
    listed: np.ndarray
    unusable_count: int = 0
    before: int | None = None
    owner: tuple[tuple[tuple[str, str, int], str], ...] = ()


def slots_of(series: Sequence[Samples], exporter: Exporter) -> Slots:
    """Join the series of a store into slots.

    Raises
    ------
    SnapshotError
        If two series of a partition have different values at the same time. The reason may be two
        clusters with the same labels.
    """
    ours = {
        *_OURS,
        *(exporter.group, exporter.topic, exporter.partition),
        *exporter.owner,
    }
    time, interval, slot_of = _axis(series, [_target(samples, ours) for samples in series])
    columns = {role: _Column(time.size) for role in (COMMIT, END, BEGIN, LAG)}
    unusable = 0
    owners: dict[tuple, tuple[int, str]] = {}
    size: defaultdict[tuple, int] = defaultdict(int)
    for samples in series:
        size[_replica(samples)] += samples.time.size
    # If replicas report the same partition, the replica with most samples is used.
    order = sorted(zip(series, slot_of, strict=True), key=lambda each: -size[_replica(each[0])])
    for samples, slot in order:
        role = exporter.metrics.get(samples.labels.get("__name__", ""))
        key = _key(samples.labels, exporter, role in (COMMIT, LAG))
        if role is None or key is None:
            unusable += 1
            continue
        columns[role].add(key, samples, slot)
        owner = next(filter(None, map(samples.labels.get, exporter.owner)), "")
        if owner and samples.time[-1] >= owners.get(key, (0, ""))[0]:
            owners[key] = int(samples.time[-1]), owner
    for column in columns.values():
        column.require_one_source()
    named = tuple((key, owner) for key, (_, owner) in sorted(owners.items()))
    return _joined(time, interval, columns, unusable)._replace(owner=named)


def _replica(samples: Samples) -> tuple:
    return tuple(samples.labels.get(name) for name in sorted(_REPLICA))


def _key(labels: Mapping[str, str], exporter: Exporter, is_of_group: bool) -> tuple | None:
    """Return group, topic and partition of a series; None if a label is missing or invalid."""
    group = labels.get(exporter.group, "") if is_of_group else "-"
    topic, partition = labels.get(exporter.topic, ""), labels.get(exporter.partition, "")
    is_number = partition.isascii() and partition.isdigit() and len(partition) < 10
    if not group or not is_number or not 0 < len(topic) <= _LONGEST_TOPIC:
        return None
    place = (topic, int(partition))
    return (group, *place) if is_of_group else place


# The time axis consists of the scrapes of the target with most scrapes. A scrape of another target
# belongs to the nearest slot within half an interval.


def _axis(
    series: Sequence[Samples], target_of: Sequence[Target]
) -> tuple[np.ndarray, float, list[np.ndarray]]:
    """Return the times of the slots, the scrape interval in seconds, and the slots of the samples.

    The last result has one array of slot numbers for each series.
    """
    by_target: defaultdict[Target, list[np.ndarray]] = defaultdict(list)
    for samples, target in zip(series, target_of, strict=True):
        by_target[target].append(samples.time)
    scrapes = {target: np.unique(np.concatenate(times)) for target, times in by_target.items()}
    steps = np.concatenate([np.diff(times) for times in scrapes.values()] or [np.empty(0)])
    interval = float(np.median(steps)) if steps.size else np.nan
    axis = np.empty(0, dtype=np.int64)
    for times in sorted(scrapes.values(), key=lambda times: -times.size):
        place = _nearest(axis, times)
        is_new = np.ones(times.size, dtype=bool)
        if axis.size:
            is_new = ~(np.abs(axis[place] - times) <= interval / 2)
        axis = np.union1d(axis, times[is_new])
    slots = {target: _nearest(axis, times) for target, times in scrapes.items()}
    places = [
        slots[target][np.searchsorted(scrapes[target], samples.time)]
        for samples, target in zip(series, target_of, strict=True)
    ]
    return axis, interval / 1000, places


def _target(samples: Samples, ours: Collection[str]) -> Target:
    """Return the labels that come from the scrape or the store, not from the exporter (`ours`)."""
    return frozenset(label for label in samples.labels.items() if label[0] not in ours)


def _nearest(axis: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the index of the nearest time on the axis; of two equally near, the earlier."""
    if axis.size < 2:
        return np.zeros(times.size, dtype=np.int64)
    after = np.clip(np.searchsorted(axis, times), 1, axis.size - 1)
    return after - (times - axis[after - 1] <= axis[after] - times)


# Columns of one role: values by slot and key.


class _Column:
    """The values of one role, by slot and key.

    A key may have several series: one after the other in time, or from two replicas of the store.
    The series must not contradict each other. In each slot, the first added series is used.
    """

    def __init__(self, slot_count: int):
        self._slot_count = slot_count
        self._keys: dict[tuple, tuple[np.ndarray, np.ndarray, list[Samples]]] = {}
        self._conflicts: list[tuple[Samples, Samples]] = []

    def add(self, key: tuple, samples: Samples, slot: np.ndarray) -> None:
        """Add a series."""
        if key not in self._keys:
            value = np.full(self._slot_count, UNKNOWN)
            self._keys[key] = value, np.zeros(self._slot_count, dtype=bool), []
        value, is_there, sources = self._keys[key]
        is_new = ~is_there[slot]
        differ = slot[~is_new & (value[slot] != samples.value)]
        self._conflicts += [
            (other, samples)
            for other in sources
            if _differ_at_one_time(other, samples)
            or (differ.size > _REPLACED and not _are_replicas(other, samples))
        ]
        value[slot[is_new]], is_there[slot] = samples.value[is_new], True
        sources.append(samples)

    def require_one_source(self) -> None:
        """Refuse two series of a partition if they contradict each other."""
        if not self._conflicts:
            return
        first, other = self._conflicts[0]
        labels = _different_labels(first, other)
        words = ", ".join(
            f"{name} ({listed(repr(each.labels.get(name, ''))[:80] for each in (first, other))})"
            for name in labels
        )
        raise SnapshotError(
            f"{first.labels['__name__']} has two values for one partition at one time; set match: "
            f"these labels differ: {words or 'none'}"
        )

    @property
    def keys(self) -> Iterable[tuple]:
        return self._keys

    def values(self, keys: Sequence[tuple]) -> np.ndarray:
        """Return the values, int64 (S, K), `UNKNOWN` if missing."""
        nothing = np.full(self._slot_count, UNKNOWN)
        columns = [self._keys[key][0] if key in self._keys else nothing for key in keys]
        return np.column_stack(columns) if columns else np.empty((self._slot_count, 0), np.int64)

    def is_there(self, keys: Sequence[tuple]) -> np.ndarray:
        """Return whether a sample exists, bool (S, K)."""
        nothing = np.zeros(self._slot_count, dtype=bool)
        columns = [self._keys[key][1] if key in self._keys else nothing for key in keys]
        return np.column_stack(columns) if columns else np.empty((self._slot_count, 0), bool)


def _differ_at_one_time(some: Samples, other: Samples) -> bool:
    _, first, second = np.intersect1d(some.time, other.time, True, return_indices=True)
    return bool((some.value[first] != other.value[second]).any())


def _different_labels(some: Samples, other: Samples) -> list[str]:
    names = {*some.labels, *other.labels} - _OURS
    return sorted(name for name in names if some.labels.get(name) != other.labels.get(name))


def _are_replicas(some: Samples, other: Samples) -> bool:
    """Return whether two series report the same offset.

    The function merges the series by time. If they report the same offset, the merged series rises
    as one of them does. If they are of two clusters, the merged series jumps back and forth.
    """
    if not _REPLICA.issuperset(_different_labels(some, other)):
        return False
    values = np.concatenate([some.value, other.value])
    order = np.argsort(np.concatenate([some.time, other.time]), kind="stable")
    return _way(values[order]) <= 2 * max(_way(some.value), _way(other.value))


def _way(values: np.ndarray) -> int:
    return int(np.abs(np.diff(values)).sum())


def _joined(
    time: np.ndarray, interval: float, columns: Mapping[str, _Column], unusable: int
) -> Slots:
    keys = sorted({*columns[COMMIT].keys, *columns[LAG].keys})
    places = [key[1:] for key in keys]
    committed, lag = columns[COMMIT].values(keys), columns[LAG].values(keys)
    end, begin = columns[END].values(places), columns[BEGIN].values(places)
    is_listed = columns[COMMIT].is_there(keys) | columns[LAG].is_there(keys)
    is_lag = lag != UNKNOWN
    if not any(True for _ in columns[COMMIT].keys):
        committed = np.where(is_lag & (end != UNKNOWN), np.maximum(end - lag, 0), UNKNOWN)
    if not any(True for _ in columns[END].keys):
        end = np.where(is_lag & (committed != UNKNOWN), committed + lag, UNKNOWN)
    listed = np.where((committed == UNKNOWN) | (end == UNKNOWN), lag, UNKNOWN)
    slot, key = np.nonzero(is_listed)
    return Slots(
        time,
        interval,
        tuple(keys),
        slot,
        key,
        begin[slot, key],
        committed[slot, key],
        end[slot, key],
        listed[slot, key],
        unusable,
    )
