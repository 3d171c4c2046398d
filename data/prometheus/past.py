"""The history of a cluster in its metrics store: slots of one group or of all groups.

The slots are read in pieces, within limits.
"""

import os
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain, groupby
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.layers import layered
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import day_batch, slug_of
from evenkeel.data.prometheus.batches import Source, write_batch
from evenkeel.data.prometheus.exporter import (
    BEGIN,
    COMMIT,
    END,
    LAG,
    Exporter,
    all_metrics,
    chosen_exporter,
)
from evenkeel.data.prometheus.exporters import EXPORTERS
from evenkeel.data.prometheus.facts import PastFacts
from evenkeel.data.prometheus.query import DAY_MS, pieces, selector
from evenkeel.data.prometheus.slots import Samples, Slots, slots_of
from evenkeel.data.prometheus.store import Store
from evenkeel.data.text.formats import listed

MOST_SAMPLES = 500_000
"""Limit of samples in one request."""

_FASTEST_MS = 15_000
"""Assumed scrape interval for planning requests; the store's interval is known only after the
answer.
"""

MOST_CELLS = 200_000_000
"""Limit of partitions times slots in one command: 24 partitions over four years."""

AT_ONCE = 2
"""Limit of simultaneous requests of a process."""

_LEAST_MS = 60_000
_MOST_LABELS = 20


class Reading(NamedTuple):
    """A plan to read series.

    `there`: the exporter's gauges that the store has. `topics`: topics of the group, None for all
    groups.
    """

    exporter: Exporter
    there: frozenset[str]
    topics: tuple[str, ...] | None
    series_count: int

    def gauges(self, *roles: str) -> list[str]:
        """Return the names of the gauges in the store that have one of these roles."""
        names = [name for name, role in self.exporter.metrics.items() if role in roles]
        return [name for name in names if name in self.there]

    @property
    def derived(self) -> tuple[str, ...]:
        """Which of commit and end must be computed from other gauges."""
        return self.exporter.derived(self.there)

    @property
    def longest(self) -> int:
        """Longest time range of a request, in ms."""
        return max(MOST_SAMPLES * _FASTEST_MS // max(self.series_count, 1), _LEAST_MS)


class Past:
    """The history of one cluster in its store. Times are in ms since 1970."""

    def __init__(
        self,
        profile: Profile,
        environment: Mapping[str, str] = os.environ,
        at_once: int = AT_ONCE,
    ):
        if profile.past is None:
            raise SnapshotError(
                f"clusters.{profile.name} has no table history, expected "
                f'[clusters.{profile.name}.history] with prometheus = "https://…"'
            )
        known = ["auto", *(exporter.name for exporter in EXPORTERS)]
        if profile.past.exporter not in known:
            raise SnapshotError(
                f"clusters.{profile.name}.history.exporter is {profile.past.exporter[:80]!r}, "
                f"expected one of: {', '.join(known)}"
            )
        self.cluster, self.store = profile.name, Store(profile.name, profile.past, environment)
        self._settings, self._at_once = profile.past, at_once

    def close(self) -> None:
        """Close the connections to the store."""
        self.store.close()

    def reading(self, group_id: str | None, since: int, until: int) -> Reading | None:
        """Return the plan to read a group, or all groups if `group_id` is None.

        None if the store has no series of the group.

        Raises
        ------
        SnapshotError
            If the store does not answer, or has no gauges of an exporter.
        """
        match = self._settings.match
        names = self.store.names("__name__", selector(all_metrics(EXPORTERS), match), since, until)
        if not names:
            self.store.require_match(since, until)
        exporter = self._exporter(names)
        plan = Reading(exporter, frozenset(names), None, 0)
        labels = match if group_id is None else match | {exporter.group: group_id}
        series = self.store.series(selector(_group_gauges(plan), labels), since, until)
        self._require_labels(plan, series, since, until)
        if not series:
            return None
        topics = {each.get(exporter.topic, "") for each in series}
        return plan._replace(
            topics=None if group_id is None else tuple(sorted(topics)), series_count=len(series)
        )

    def _require_labels(
        self, plan: Reading, series: Sequence[Mapping[str, str]], since: int, until: int
    ) -> None:
        """Refuse series that lack the label for group, topic or partition.

        Relabelling may have given the label another name.
        """
        exporter, match = plan.exporter, self._settings.match
        wanted = {"group": exporter.group, "topic": exporter.topic, "partition": exporter.partition}
        gauges = _group_gauges(plan)
        query = selector(gauges, match)
        if not series and not self.store.names(exporter.group, query, since, until):
            series = self.store.series(query, since, until)
        if not series or any(all(map(each.get, wanted.values())) for each in series):
            return
        missing = [
            role for role, name in wanted.items() if not any(each.get(name) for each in series)
        ]
        labels = sorted({name for each in series for name in each} - {"__name__"})
        raise SnapshotError(
            f"{self.store}: series of {listed(gauges)} have no label"
            f" {listed(wanted[role] for role in missing)}; they have"
            f" {listed(labels, _MOST_LABELS)}: name the one of {listed(missing)} in"
            f" [clusters.{self.cluster}.history] labels"
        )

    def _exporter(self, names: Collection[str]) -> Exporter:
        wanted = self._settings.exporter
        chosen = [exporter for exporter in EXPORTERS if wanted in ("auto", exporter.name)]
        try:
            exporter, labels = chosen_exporter(names, chosen), self._settings.labels
            return replace(
                exporter,
                group=labels.get("group", exporter.group),
                topic=labels.get("topic", exporter.topic),
                partition=labels.get("partition", exporter.partition),
            )
        except SnapshotError as error:
            raise SnapshotError(f"{self.store}: {error}") from None

    def facts(self, reading: Reading, interval: float) -> PastFacts:
        """Return how the slots were read; `interval`: seconds between scrapes, NaN if unknown."""
        return PastFacts(
            reading.exporter.name,
            interval,
            reading.derived,
            self.store.rejected,
            warnings=tuple(self.store.warnings),
        )

    def slots(
        self, reading: Reading, group_id: str | None, since: int, until: int
    ) -> Iterator[Slots]:
        """Yield the slots of a time range, as one `Slots` for each piece of the range.

        Raises
        ------
        SnapshotError
            If the store does not answer, or two clusters have the same labels.
        """
        match = self._settings.match
        labels = match if group_id is None else match | {reading.exporter.group: group_id}
        one_of = {} if reading.topics is None else {reading.exporter.topic: reading.topics}
        selectors = [selector(_group_gauges(reading), labels)]
        for role in (END, BEGIN):
            if gauges := reading.gauges(role):
                selectors.append(selector(gauges, match, one_of))
        before, interval = None, np.nan
        for series in self._pieces(selectors, pieces(since, until + 1, reading.longest)):
            try:
                slots = slots_of(series, reading.exporter)
            except SnapshotError as error:
                raise SnapshotError(f"{self.store}: {error}") from None
            if not slots.slot.size:
                continue
            # A single scrape has no interval.
            interval = slots.interval if np.isfinite(slots.interval) else interval
            yield slots._replace(before=before, interval=interval)
            before = int(slots.time[-1])

    def _pieces(
        self, selectors: Sequence[str], ranges: Iterable[tuple[int, int]]
    ) -> Iterator[list[Samples]]:
        """Yield the series of each time range, while the series of the next range are requested."""
        waiting: deque[list[Future]] = deque()
        with ThreadPoolExecutor(self._at_once) as threads:
            try:
                for start, end in ranges:
                    waiting.append(
                        [
                            threads.submit(self.store.samples, piece, start, end - 1)
                            for piece in selectors
                        ]
                    )
                    if len(waiting) > 1:
                        yield [
                            samples for future in waiting.popleft() for samples in future.result()
                        ]
                for futures in waiting:
                    yield [samples for future in futures for samples in future.result()]
            finally:
                threads.shutdown(wait=False, cancel_futures=True)


def _group_gauges(reading: Reading) -> list[str]:
    """Return the gauges for commits, and the gauges for lags if commits or end offsets are missing.

    If nothing is missing, lags are not used: in one scrape, the lag is newer than the end offset.
    """
    exporter = reading.exporter
    is_needed = exporter.commit not in reading.there or exporter.end not in reading.there
    return reading.gauges(COMMIT, LAG) if is_needed else reading.gauges(COMMIT)


class PastPlace(NamedTuple):
    """A lake together with slots of the metrics store.

    `facts`: how the store's slots were read, None if it has no slots.
    """

    place: Place
    facts: PastFacts | None


def source_of(past: Past, reading: Reading) -> Source:
    """Return the source that is recorded with the store's slots."""
    name = reading.exporter.name
    return Source(past.cluster, name, f"Prometheus, {name}")


def with_past(
    lake: Place,
    past: Past,
    group_id: str | None,
    since: datetime,
    until: datetime,
    most_cells: int = MOST_CELLS,
) -> PastPlace:
    """Return a lake with additional slots of the store between two times.

    The store fills the gaps in which the lake has no slots. `group_id`: None for all groups.
    `most_cells`: maximum of partitions times slots; if there are more, only the newest slots are
    read.

    Raises
    ------
    SnapshotError
        If the store does not answer, or the lake cannot be read.
    """
    first, last = (round(at.timestamp() * 1000) for at in (since, until))
    taken = instants(lake, past.cluster, since, until).axis.time
    holes = _holes(taken, first, last)
    reading = past.reading(group_id, holes[0][0], holes[-1][1]) if holes else None
    if reading is None:
        return PastPlace(lake, None)
    source = source_of(past, reading)
    place = layered(lake, TemporaryDirectory(prefix="evenkeel-past-"))
    first = max(first, last - most_cells * _FASTEST_MS // max(reading.series_count, 1))
    intervals: list[float] = []
    owners: dict[str, str] = {}

    def noted(slots: Iterable[Slots]) -> Iterator[Slots]:
        for part in slots:
            intervals.append(part.interval)
            if group_id is not None:
                owners.update((partition_name(*key[1:]), owner) for key, owner in part.owner)
            yield part

    ranges = [(max(start, first), end) for start, end in holes if end > first]
    slots = noted(chain(*(past.slots(reading, group_id, *each) for each in ranges)))
    for number, parts in groupby(slots, lambda part: int(part.time[0]) // DAY_MS):
        day = datetime.fromtimestamp(number * DAY_MS / 1000, UTC).date()
        write_batch(place.below, day_batch(slug_of(past.cluster), day), source, parts, taken)
    interval = intervals[-1] if intervals else np.nan
    named = tuple(owners.items())
    return PastPlace(place, past.facts(reading, interval)._replace(owners=named))


def _holes(taken: np.ndarray, first: int, last: int) -> list[tuple[int, int]]:
    """Return the gaps of the lake in a time range, in ms.

    A gap is longer than twice the median interval between the lake's slots.
    """
    times = np.clip(np.round(taken * 1000), first, last).astype(np.int64)
    step = float(np.median(np.diff(times))) if times.size > 1 else 0.0
    ends = np.concatenate([[first], times, [last]])
    wide = np.flatnonzero(np.diff(ends) > max(2 * step, _LEAST_MS))
    return [(int(ends[row]), int(ends[row + 1])) for row in wide]
