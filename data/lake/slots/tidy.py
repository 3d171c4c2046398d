"""Tidy: a collector's slots are joined by hour, then by day. Later they are thinned, then deleted.

First the batch of an hour or a day is published. Then the manifests of its slots are deleted. An
hour later, the files of the slots are deleted. So a reader can read each slot at any time. If a
tidy is killed, the next tidy finishes its work.
"""

import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import NamedTuple

import msgspec
import pyarrow as pa

from evenkeel.data.errors import PlaceError, SnapshotError
from evenkeel.data.lake import lease, manifest
from evenkeel.data.lake.lease import TIDYING, delete_old, leased
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place, StoredObject
from evenkeel.data.lake.run import sweep
from evenkeel.data.lake.service import in_words, obstore
from evenkeel.data.lake.slots.day_rows import Day, first_groups_of, write_rows
from evenkeel.data.lake.slots.retention import Form, Retention
from evenkeel.data.lake.slots.slot_batches import (
    day_batch,
    day_of,
    hour_batch,
    hour_of,
    manifest_of_day,
    ranges,
    slots_of,
    slug_in,
    time_of,
)
from evenkeel.data.threads import in_threads

HOUR_IS_OVER = timedelta(hours=1, minutes=10)
"""Time from the start of an hour until its slots are joined. A slot may be stored even later, after
its hour was joined.
"""

_SETTLE_SECONDS = 5
"""Time before the old manifests are deleted, because a reader may have listed the manifests before
the new batch was published.
"""


class StoppedError(Exception):
    """Raised if the process that tidies must end."""


class TidyResult(NamedTuple):
    """The result for a day: its form, and the number of slots before and after.

    `problem`: reason why the day was not changed, None if it was changed.
    """

    cluster: str | None
    day: date
    form: Form
    slot_count: int
    left_count: int
    problem: str | None = None


class _Key(NamedTuple):
    slug: str
    day: date


@dataclass(frozen=True)
class _Names:
    """Names of a cluster's batches for one day: slots, hours and days."""

    slots: list[str]
    hours: list[str]
    days: list[str]

    @property
    def all(self) -> list[str]:
        return [*self.slots, *self.hours, *self.days]


def tidy(
    lake: Place,
    retention: Retention,
    report: Callable[[TidyResult], None] = lambda result: None,
    is_over: Callable[[], bool] = lambda: False,
    settle_seconds: float | None = None,
) -> int:
    """Join, thin or delete the slots of each day, as its age requires. Return the number of deleted
    files.

    If no batch needs a file any more, the file is deleted an hour later. `report` is called with
    each result. `is_over` is called often: true if this process must end.

    Raises
    ------
    HeldError
        If another process tidies this lake.
    SnapshotError
        If the lake cannot be read or written.
    StoppedError
        If `is_over` is true. The next tidy continues.
    """

    def look() -> None:
        if is_over():
            raise StoppedError

    with leased(lake, "lake", TIDYING):
        now = lease.now(lake)
        sweep(lake)
        delete_old(lake, now)
        deleted = delete_garbage(lake, now)
        done = [
            replaced
            for key, names in sorted(_by_day(lake).items())
            if (
                replaced := _Tidy(lake, key, names, report, look).replaced(
                    retention.form(key.day, now), now
                )
            )
        ]
        if done:
            time.sleep(_SETTLE_SECONDS if settle_seconds is None else settle_seconds)
        for replaced in done:
            _retire(lake, replaced)
    return deleted


@dataclass(frozen=True)
class _Tidy:
    """Tidies one day of one cluster."""

    lake: Place
    key: _Key
    names: _Names
    report: Callable[[TidyResult], None]
    look: Callable[[], None]

    def replaced(self, form: Form, now: datetime) -> list[Manifest]:
        """Publish the day in its new form. Return the old batches, which are no longer needed."""
        self.look()
        whole, thin = (day_batch(*self.key, is_thinned=is_thinned) for is_thinned in (False, True))
        if form is Form.NONE:
            doomed = self._read(self.names.all)
            self._tell(Form.NONE, _slots(doomed), [])
            return doomed
        if form is Form.THINNED or thin in self.names.days:
            return self._replaced_by(Form.THINNED, thin, self.names.all)
        if form is Form.DAY and (self.names.slots or self.names.hours):
            return self._replaced_by(Form.DAY, whole, self.names.all)
        if form is Form.HOUR:
            return [
                manifest
                for batch, names in self._hours(now)
                for manifest in self._replaced_by(Form.HOUR, batch, names)
            ]
        return []

    def _hours(self, now: datetime) -> Iterator[tuple[str, list[str]]]:
        """For each hour that is over and has several batches: yield the name of the joined batch,
        and the names of the batches that it joins.
        """
        by_hour = defaultdict(list)
        for name in sorted(self.names.slots):
            if time := time_of(name):
                by_hour[time.replace(minute=0, second=0)].append(name)
        for hour, names in by_hour.items():
            batch = hour_batch(self.key.slug, hour)
            names = [*names, batch] if batch in self.names.hours else names
            if len(names) > 1 and now - hour >= HOUR_IS_OVER:
                yield batch, names

    def _replaced_by(self, form: Form, batch: str, names: Sequence[str]) -> list[Manifest]:
        self.look()
        others = self._read(name for name in names if name != batch)
        if others and batch not in names:
            joint, slots = [manifest for manifest in others if manifest.slots], _slots(others)
            chosen = thinned(slots) if form is Form.THINNED else slots
            return others if self._is_published(form, batch, slots, Day(chosen, joint)) else []
        if form is Form.THINNED or not others:
            return others
        # A slot that was stored after its hour or day was joined has a batch of its own until the
        # next form.
        stored = {slot.batch for day in self._read([batch]) for slot in day.slots}
        return [
            manifest
            for manifest in others
            if stored.issuperset(slot.batch for slot in slots_of(manifest))
        ]

    def _is_published(self, form: Form, batch: str, slots: list[Manifest], day: Day) -> bool:
        """Write the files of a day and publish the day. Return whether it was published.

        It is not published if another process was first, if this process was stopped for too long,
        or if the file of a slot cannot be read.
        """
        try:
            first = {name: first_groups_of(self.lake, name, day) for name in day.names}
            files = {
                name: tuple(f"{name}/{batch}/{secrets.token_hex(8)}.parquet" for _ in first[name])
                for name in first
            }
            doomed = {batch: [file for some in files.values() for file in some]}
            attempt = list_garbage(self.lake, doomed)
            for name in files:
                for file, groups in zip(files[name], ranges(first[name]), strict=True):
                    write_rows(self.lake, name, day, groups, file, self.look)
                    if not is_safe(self.lake, attempt):
                        return False
                    list_garbage(self.lake, doomed, attempt)
        except (OSError, pa.ArrowException) as error:
            self._tell(form, slots, slots, str(error).splitlines()[0])
            return False
        except obstore().exceptions.BaseError as error:
            raise PlaceError(str(self.lake), in_words(error)) from None
        is_first = manifest.is_first(self.lake, manifest_of_day(batch, day.slots, files, first))
        if is_first:
            self._tell(form, slots, day.slots)
        return is_first

    def _tell(
        self,
        form: Form,
        slots: Sequence[Manifest],
        left: Sequence[Manifest],
        problem: str | None = None,
    ) -> None:
        if slots:
            self.report(
                TidyResult(slots[0].cluster, self.key.day, form, len(slots), len(left), problem)
            )

    def _read(self, batches: Iterable[str]) -> list[Manifest]:
        """Return the manifests of slots, hours and days. Batches without a cluster are left out:
        they are not from a collector, although they have names of this form.
        """
        manifests = in_threads(partial(_manifest, self.lake), list(batches))
        return [manifest for manifest in manifests if manifest and manifest.cluster is not None]


def _manifest(lake: Place, batch: str) -> Manifest | None:
    key = manifest.key_of(batch)
    try:
        data = lake.read(key)
    except FileNotFoundError:
        return None
    # A broken manifest remains, and the pages name it.
    with suppress(SnapshotError):
        return manifest.decoded(lake, key, data)
    return None


def _slots(batches: Iterable[Manifest]) -> list[Manifest]:
    """Return the slots of all these batches, without duplicates."""
    slots: dict[str, Manifest] = {}
    for batch in batches:
        slots |= {slot.batch: slot for slot in slots_of(batch) if not slot.is_abandoned}
    return sorted(slots.values(), key=lambda slot: slot.batch)


def _retire(lake: Place, batches: Iterable[Manifest]) -> None:
    list_garbage(
        lake,
        {
            manifest.batch: [file for files in manifest.tables.values() for file in files]
            for manifest in batches
        },
    )
    lake.delete(manifest.key_of(file_in.batch) for file_in in batches)


def _by_day(lake: Place) -> dict[_Key, _Names]:
    by_day: defaultdict[_Key, _Names] = defaultdict(lambda: _Names([], [], []))
    for batch in (name.removesuffix(".json") for name in lake.names(manifest.FOLDER)):
        if time := time_of(batch):
            by_day[_Key(slug_in(batch), time.date())].slots.append(batch)
        elif hour := hour_of(batch):
            by_day[_Key(slug_in(batch), hour.date())].hours.append(batch)
        elif day := day_of(batch):
            by_day[_Key(slug_in(batch), day)].days.append(batch)
    return by_day


# Thinning: which of a collector's slots remain.


THINNED_TO = timedelta(minutes=10)


def thinned(slots: Iterable[Manifest]) -> list[Manifest]:
    """Return one slot of each 10 minutes: the first snapshot, or the first gap if there is no
    snapshot. A gap over several 10-minute windows also stays.
    """
    first: dict[datetime, Manifest] = {}
    long = []
    for slot in sorted(slots, key=lambda slot: slot.batch):
        window = _window(slot)
        if slot.gap and _window(slot) != _window_of(slot.taken_at):
            long.append(slot)
        elif window not in first or (first[window].gap and not slot.gap):
            first[window] = slot
    return sorted([*first.values(), *long], key=lambda slot: slot.batch)


def _window(slot: Manifest) -> datetime:
    return _window_of(time_of(slot.batch))


def _window_of(moment: datetime) -> datetime:
    return moment - (moment - datetime.min.replace(tzinfo=UTC)) % THINNED_TO


# Files that are deleted later, so that a reader that has just read a manifest still finds its
# files. `garbage/<name>.json` lists files by batch. After the grace time, the listed files that no
# manifest names are deleted. A writer lists its files here before it writes them, so they are
# deleted if the writer is killed.


GRACE = timedelta(hours=1)

_FOLDER = "garbage"


class Garbage(msgspec.Struct, frozen=True):
    """A stored list of files that are deleted later, by batch."""

    files: dict[str, tuple[str, ...]]


def list_garbage(lake: Place, files: Mapping[str, Iterable[str]], key: str | None = None) -> str:
    """Store a list of files. The files are deleted when the grace time is over. Return the key of
    the list. `key`: an existing list to replace; the grace time starts again.
    """
    key = key or f"{_FOLDER}/{secrets.token_hex(8)}.json"
    lake.write(
        key, msgspec.json.encode(Garbage({batch: tuple(some) for batch, some in files.items()}))
    )
    return key


def is_safe(lake: Place, key: str) -> bool:
    """Return whether at least half of a list's grace time is left, so that its files are not
    deleted soon.
    """
    try:
        return lease.now(lake) - lake.written_at(key) < GRACE / 2
    except FileNotFoundError:
        return False


def delete_garbage(lake: Place, now: datetime) -> int:
    """Delete files whose grace time is over at `now`. Files in a manifest stay. Return the number
    of deleted files.
    """
    lists = {file: _listed(lake, file) for file in lake.found(_FOLDER)}
    young: set[str] = set()
    for file, garbage in lists.items():
        if not _is_old(file, now):
            young.update(garbage.files)
    old = {file: garbage for file, garbage in lists.items() if _is_old(file, now)}
    published = set(lake.names(manifest.FOLDER)) if old else set()
    count = 0
    for file, garbage in old.items():
        doomed: list[str] = []
        for batch, files in garbage.files.items():
            if batch not in young:
                doomed.extend(_unnamed(lake, batch, files, published))
        lake.delete(doomed)
        count += len(doomed)
        # If a batch is also in a younger list, its files wait for the younger list's grace time.
        if young.isdisjoint(garbage.files):
            lake.delete([file.key])
    return count


def _is_old(file: StoredObject, now: datetime) -> bool:
    return now - file.written_at >= GRACE


def _listed(lake: Place, file: StoredObject) -> Garbage:
    # Another process may have deleted the list meanwhile.
    with suppress(FileNotFoundError):
        return msgspec.json.decode(lake.read(file.key), type=Garbage)
    return Garbage({})


def _unnamed(lake: Place, batch: str, files: Iterable[str], published: Container[str]) -> list[str]:
    if f"{batch}.json" not in published:
        return list(files)
    named = manifest.named_files(lake, batch)
    return [file for file in files if file not in named]
