"""Collect: store snapshots of a live cluster in the lake, at most one for each time slot, and keep
the lake tidy.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime

from pyspark.sql import SparkSession

from evenkeel.data import clock
from evenkeel.data.errors import GivenUpError, NoBatchError, PlaceError, SnapshotError
from evenkeel.data.lake import lease, manifest
from evenkeel.data.lake.history.change_store import tidy_changes
from evenkeel.data.lake.history.verdict_ages import follow_verdicts
from evenkeel.data.lake.lease import COLLECTORS, HeldError, Lease, leased
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.run import give_up, running
from evenkeel.data.lake.service import will_last
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.lake.slots.slot_batches import last_slot, slot_batch, slug_of
from evenkeel.data.lake.slots.tidy import HOUR_IS_OVER, StoppedError, TidyResult, tidy
from evenkeel.data.lake.store import batch as stored_batch
from evenkeel.data.pipeline.faults import named_errors
from evenkeel.data.pipeline.snapshots import (
    LATE,
    PLANNED,
    SET,
    UNREADY,
    Gap,
    Slots,
    Snapshots,
)
from evenkeel.data.text.formats import duration

_LOOK_SECONDS = 0.2


def collect(
    spark: SparkSession,
    cluster: str,
    lake: Place,
    every: int,
    groups: Sequence[str] = (),
    is_over: Callable[[], bool] = lambda: False,
    report: Callable[[Manifest], None] = lambda manifest: None,
    complain: Callable[[str], None] = lambda line: None,
) -> None:
    """Store a snapshot every `every` seconds, until `is_over` returns true. `groups`: the collected
    groups; empty means all groups.

    `report` is called with each stored snapshot or gap. A slot becomes a gap with a reason if an
    earlier collector was killed while it read the slot, if no collector ran, or if the cluster did
    not answer. If the lake refuses a slot, `complain` is called at once. The gap is stored later,
    when the lake can be written again.

    Slots are stored in order. If the clock shows a time before the last slot, `complain` is called,
    and the next slot waits.

    Raises
    ------
    SnapshotError
        If another process collects this cluster into this lake, or if Spark fails. Also if the
        lake cannot be written at the start, if access to it is denied later, or if its bucket is
        missing.
    """
    slots, watch, shift = Slots(every, int(clock.seconds())), clock.Watch(), 0.0
    with _alone(lake, cluster) as own:
        collector = _Collector(
            cluster,
            lake,
            own,
            slots,
            Snapshots(spark, cluster, groups, lake, every),
            report,
            complain,
        )
        collector.give_up_begun()
        last = collector.last_slot()
        collector.say_if_ahead(last)
        while not is_over():
            now = slots.at(clock.seconds())
            if set_now := watch.set_by():
                shift += set_now
                collector.say_if_ahead(last)
            if last is not None and now <= last:
                time.sleep(_LOOK_SECONDS)
                continue
            late_reason = SET if shift > 0 else LATE
            collector.store(
                now, slots.gaps(slots.at(last), now, now, late_reason) if last is not None else ()
            )
            last, shift = now, 0.0
        collector.tell_what_is_left()


class _Collector:
    """Collects one cluster, and holds the lease of the cluster."""

    def __init__(
        self,
        cluster: str,
        lake: Place,
        own: Lease,
        slots: Slots,
        snapshots: Snapshots,
        report: Callable[[Manifest], None],
        complain: Callable[[str], None],
    ):
        self._cluster, self._lake, self._own, self._slots, self._snapshots = (
            cluster,
            lake,
            own,
            slots,
            snapshots,
        )
        self._report, self._complain = report, complain
        self._untold: list[Gap] = []
        self._has_said_unread = False
        self._last_published = ""

    def last_slot(self) -> int | None:
        """Return the last slot with a snapshot or a gap, None if the cluster has no slot."""
        return last_slot(self._lake, slug_of(self._cluster))

    def say_if_ahead(self, last: int | None) -> None:
        """If the clock now shows a time before the last slot, report that the next slot waits."""
        ahead = (last or 0) - clock.seconds()
        if last and ahead > 0:
            time = (
                f"{datetime.fromtimestamp(last, UTC):%Y-%m-%d %H:%M:%S} UTC, {duration(ahead)}"
                " ahead of the clock"
            )
            self._complain(
                f"the last slot of cluster {self._cluster} is {time}; the next slot waits until"
                " then"
            )

    def give_up_begun(self) -> None:
        """Publish a gap for each slot that an earlier collector started but did not store."""
        is_ours = re.compile(rf"{re.escape(slug_of(self._cluster))}-\d{{8}}T\d{{6}}Z")
        for batch, last in lease.holders(self._lake).items():
            if is_ours.fullmatch(batch):
                is_published = manifest.exists(self._lake, batch)
                give_up(self._lake, batch, last, clock.now())
                if not is_published:
                    self._report(manifest.read(self._lake, batch))

    def store(self, slot: int, missed: Iterable[Gap]) -> None:
        """Publish the gaps in `missed`, then the snapshot of the slot. If there is no snapshot:
        publish a gap with the reason. If the lake refuses the slot, a gap waits until the lake can
        be written.
        """
        self._untold.extend(missed)
        try:
            self._tell()
            self._read(slot)
        except PlaceError as error:
            if will_last(error.cause):
                raise
            self._miss(slot, error, f"the lake could not be written: {error.cause}")
        except GivenUpError as error:
            self._miss(slot, error, PLANNED)

    def tell_what_is_left(self) -> None:
        """Publish the gaps that wait. If the lake still refuses them, the next collector stores
        gaps for these slots, with the reason that no collector ran.
        """
        with suppress(PlaceError):
            self._tell()

    def _read(self, slot: int) -> None:
        batch = slot_batch(self._cluster, slot)
        with running(self._lake, batch, otherwise=self._gap(Gap(slot, slot, PLANNED))):
            with named_errors([f"cluster {self._cluster}"], self._lake):
                # If the lake was not ready in time, a snapshot of now must not be stored for an old
                # slot.
                reading = (
                    UNREADY
                    if self._slots.is_over(slot, clock.seconds())
                    else self._snapshots.read(batch)
                )
            published = self._gap(Gap(slot, slot, reading)) if isinstance(reading, str) else reading
            self._must_be_alone()
            if stored := self._stored(slot):
                self._report(stored)
                return
            manifest.publish(self._lake, published)
            self._last_published = batch
            self._report(published)
            self._say_unread(published)

    def _say_unread(self, manifest: Manifest) -> None:
        """Report the parts of the cluster that cannot be read. They are in every manifest, but are
        reported only once.
        """
        if manifest.problems and not self._has_said_unread:
            self._has_said_unread = True
            self._complain("; ".join(manifest.problems))

    def _miss(self, slot: int, error: SnapshotError, reason: str) -> None:
        # The slot may already be published. Then only the end of its run failed.
        if self._last_published != slot_batch(self._cluster, slot):
            self._complain(
                f"{datetime.fromtimestamp(slot, UTC):%Y-%m-%d %H:%M:%S} UTC is a gap: {error}"
            )
            self._untold.append(Gap(slot, slot, reason))

    def _tell(self) -> None:
        """Publish the gaps that wait. A gap may already be in the lake, because the lake's answer
        was lost, or because another process gave up this run and published the gap.
        """
        while self._untold:
            self._must_be_alone()
            gap_manifest = self._gap(self._untold[0])
            with manifest.publishing(self._lake, gap_manifest.batch):
                stored = self._stored(self._untold[0].last)
                is_first = not stored and manifest.is_first(self._lake, gap_manifest)
                published = (
                    gap_manifest
                    if is_first
                    else stored or stored_batch(self._lake, gap_manifest.batch)
                )
            self._report(published)
            self._untold.pop(0)

    def _stored(self, slot: int) -> Manifest | None:
        """Return the stored batch of an old slot. If the slot is already joined with its hour, no
        batch has the slot's name, so the slot could be published twice.
        """
        if clock.seconds() - slot < HOUR_IS_OVER.total_seconds():
            return None
        with suppress(NoBatchError):
            return stored_batch(self._lake, slot_batch(self._cluster, slot))
        return None

    def _gap(self, gap: Gap) -> Manifest:
        first, last = (datetime.fromtimestamp(slot, UTC) for slot in (gap.first, gap.last))
        batch = slot_batch(self._cluster, gap.last)
        return Manifest(
            batch=batch,
            ingested_at=clock.now(),
            taken_at=first,
            gap_until=last,
            cluster=self._cluster,
            gap=gap.reason,
        )

    def _must_be_alone(self) -> None:
        """Raise an error if another collector of this cluster has started. Only the new collector
        is allowed to publish.
        """
        if not self._own.is_last:
            raise SnapshotError(
                f"cluster {self._cluster}: another process started to collect it into {self._lake}"
                " while this process was asleep"
            )


@contextmanager
def _alone(lake: Place, cluster: str) -> Iterator[Lease]:
    with ExitStack() as stack:
        try:
            own = stack.enter_context(leased(lake, slug_of(cluster), folder=COLLECTORS))
        except HeldError:
            seconds = lease.LASTS.total_seconds()
            raise SnapshotError(
                f"another process collects cluster {cluster} into {lake}; if that process was"
                f" killed, try again in {seconds:.0f} s"
            ) from None
        yield own


# Housekeeping, in a thread next to the collector: tidy the lake once an hour, and store changes of
# verdicts.


TIDY_SECONDS = 3600
LOOK_SECONDS = 60
"""Seconds between checks for new snapshots. Most checks find too few."""

_NICE = 10
"""Low priority, so that the thread waits for the collector and other processes."""


@contextmanager
def housekeeping(
    lake: Place,
    cluster: str,
    retention: Retention,
    report: Callable[[TidyResult], None],
    complain: Callable[[str], None],
    alert: Callable[[Callable[[float], None]], None] = lambda wait: None,
) -> Iterator[None]:
    """While the `with` block runs, tidy the lake at once and then every hour, and store changes of
    the cluster's verdicts. A thread does this, so snapshots do not wait.

    `complain` is called with the message of an error. After an error, the lake is tidied an hour
    later; other work is tried again a minute later. `alert` is called once a minute. Its argument
    is a function that waits for a number of seconds.
    """
    is_over = threading.Event()

    def pause() -> None:
        if is_over.wait(1.0):
            raise StoppedError

    def tidy_all() -> None:
        # Another collector tidies this lake.
        with suppress(HeldError):
            tidy(lake, retention, report, is_over.is_set)
        tidy_changes(lake, lease.now(lake), retention.keep_changes)

    def follow() -> None:
        follow_verdicts(lake, cluster, pause)

    def wait(seconds: float) -> None:
        if is_over.wait(seconds):
            raise StoppedError

    def tell() -> None:
        alert(wait)

    thread = threading.Thread(
        target=_work, args=(tidy_all, (follow, tell), is_over, complain), name="housekeeping"
    )
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _work(
    tidy_all: Callable[[], None],
    each_minute: Sequence[Callable[[], None]],
    is_over: threading.Event,
    complain: Callable[[str], None],
) -> None:
    with suppress(AttributeError, OSError):
        # On Linux, this applies to this thread and the threads that it starts.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
    due = time.monotonic()
    while not is_over.is_set():
        is_due = time.monotonic() >= due
        due += TIDY_SECONDS * is_due
        for work in (tidy_all, *each_minute) if is_due else each_minute:
            try:
                with suppress(StoppedError):
                    work()
            except SnapshotError as error:
                complain(str(error))
            except Exception as error:
                # An unexpected error in one function must not stop the others forever.
                complain(f"{type(error).__name__} in {work.__name__}: {error}")
        is_over.wait(LOOK_SECONDS)
