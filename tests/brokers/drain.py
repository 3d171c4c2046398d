"""When a group is drained: predicted from its first seconds, and seen, on a real broker.

python -m tests.brokers.drain --runs 5

Three consumers read at a limited rate, four of twelve partitions have most of the lag, records keep coming. Half of the runs have the
owners that `range` gives, half those that `sticky` gives to a group that owned nothing. Offsets are read four times a second.
"""

import argparse
import threading
import time
from typing import NamedTuple

import numpy as np
from confluent_kafka import Consumer, ConsumerGroupTopicPartitions, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from assignors.drain.band import Band, band
from assignors.drain.drain import drain
from assignors.history.series import Series
from assignors.history.speed.draws import draws
from assignors.history.speed.time_lag import INTERPOLATED, time_lag
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.topics import create_topic

PARTITIONS, MEMBERS = 12, 3
CAPACITY, COMES = 300.0, 5.0
"""Records/s: of each consumer, into each partition."""

BEHIND = np.array([2500] * 4 + [500] * 8)
OWNERS = {"range": np.arange(PARTITIONS) // 4, "sticky": np.arange(PARTITIONS) % 3}
SLOT_SECONDS, PREDICTED_AFTER_SLOTS, LIMIT_SECONDS = 0.25, 44, 120


class Run(NamedTuple):
    """Seconds from the prediction: the band, and what was seen; errors of interpolated time lags, seconds (N,)."""

    owners: str
    predicted: Band
    seen: float
    time_lag_errors: np.ndarray


def main() -> None:
    """Print a line for each run, then how good the predictions were."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="of each assignor")
    count, runs = parser.parse_args().runs, []
    with Brokers() as broker:
        for number in range(count):
            for owners in OWNERS:
                runs.append(_run(broker.bootstrap(), f"{owners}-{number}", owners))
                print(_line(runs[-1]), flush=True)
    inside = sum(one.predicted.low <= one.seen <= one.predicted.high for one in runs)
    errors = [abs(one.predicted.middle - one.seen) / one.seen for one in runs]
    off = np.abs(np.concatenate([one.time_lag_errors for one in runs]))
    print(f"{inside} of {len(runs)} inside the band; error of its middle: median {np.median(errors):.1%}, largest {max(errors):.1%}")
    print(f"interpolated time lag against timestamps of records: error median {np.median(off):.2f} s, 95 % {np.percentile(off, 95):.2f} s")


def _line(one: Run) -> str:
    low, middle, high = one.predicted
    return f"{one.owners}: predicted {low:.1f} to {high:.1f} s, middle {middle:.1f} s; seen {one.seen:.1f} s"


def _run(bootstrap: str, topic: str, owners: str) -> Run:
    admin, over = AdminClient({"bootstrap.servers": bootstrap}), threading.Event()
    create_topic(admin, topic, PARTITIONS)
    # A broker that has just started answers for groups only after a while.
    commit(admin, topic, {(topic, number): 0 for number in range(PARTITIONS)})
    written = _Written(bootstrap, topic)
    written.fill()
    threads = [threading.Thread(target=written.go_on, args=(over,))]
    threads += [
        threading.Thread(target=_read, args=(bootstrap, topic, np.flatnonzero(OWNERS[owners] == member), over)) for member in range(MEMBERS)
    ]
    for thread in threads:
        thread.start()
    try:
        return _watched(admin, topic, owners, written)
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _watched(admin: AdminClient, topic: str, owners: str, written: "_Written") -> Run:
    times, ends, commits = [], [], []
    predicted, at = None, 0.0
    while predicted is None or time.time() - at < LIMIT_SECONDS:
        began = time.time()
        committed, end = _offsets(admin, topic)
        # Until every member reads, what it can is not to be seen.
        if not times and any(committed[OWNERS[owners] == member].sum() == 0 for member in range(MEMBERS)):
            time.sleep(SLOT_SECONDS)
            continue
        times.append((began + time.time()) / 2)
        ends.append(end)
        commits.append(committed)
        if predicted is None and len(times) == PREDICTED_AFTER_SLOTS:
            series, at = _series(times, ends, commits, OWNERS[owners]), times[-1]
            predicted, errors = _predicted(series), _time_lag_errors(series, written)
        # What came within a second is on its way.
        if predicted and (end - committed).sum() <= COMES * PARTITIONS:
            return Run(owners, predicted, times[-1] - at, errors)
        time.sleep(max(SLOT_SECONDS - (time.time() - began), 0))
    raise TimeoutError(f"{topic}: not drained after {LIMIT_SECONDS} s")


def _predicted(series: Series) -> Band:
    drawn = draws(series, np.random.default_rng(0))
    return band(drain(series.lag[-1], drawn.in_rate, series.owner[-1], drawn.capacity).group)


def _time_lag_errors(series: Series, written: "_Written") -> np.ndarray:
    """Return interpolated time lags less those by the records' own timestamps."""
    found, rows = time_lag(series), np.arange(series.slot_count)
    is_inside = found.method == INTERPOLATED
    known = [series.time[row] - written.times[tp][series.committed_offset[row, tp]] for row, tp in zip(*np.nonzero(is_inside), strict=True)]
    return found.seconds[is_inside] - np.array(known) if rows.size else np.empty(0)


def _series(times: list[float], ends: list[np.ndarray], commits: list[np.ndarray], owner: np.ndarray) -> Series:
    slots, end, committed = len(times), np.array(ends), np.array(commits)
    return Series(
        slot=np.arange(slots),
        time=np.array(times),
        topic_name=("drained",),
        topic=np.zeros(PARTITIONS, dtype=np.int32),
        partition=np.arange(PARTITIONS, dtype=np.int32),
        begin_offset=np.zeros_like(end),
        committed_offset=committed,
        end_offset=end,
        lag=end - committed,
        member_id=tuple(f"member-{number}" for number in range(MEMBERS)),
        owner=np.tile(owner.astype(np.int32), (slots, 1)),
        is_listed=np.ones(end.shape, dtype=bool),
        is_member=np.ones((slots, MEMBERS), dtype=bool),
        generation=np.ones(slots, dtype=np.int64),
    )


def _offsets(admin: AdminClient, topic: str) -> tuple[np.ndarray, np.ndarray]:
    """Return committed offsets, then end offsets: in this order the lag is never below 0."""
    tps = [TopicPartition(topic, number) for number in range(PARTITIONS)]
    (asked,) = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(topic, tps)]).values()
    committed = {one.partition: max(one.offset, 0) for one in asked.result().topic_partitions}
    ends = {one.partition: found.result().offset for one, found in admin.list_offsets(dict.fromkeys(tps, OffsetSpec.latest())).items()}
    return tuple(np.array([found[number] for number in range(PARTITIONS)], dtype=np.int64) for found in (committed, ends))


def _read(bootstrap: str, topic: str, partitions: np.ndarray, over: threading.Event) -> None:
    """Read some partitions at a limited rate and commit what was read."""
    settings = {"bootstrap.servers": bootstrap, "group.id": topic, "enable.auto.commit": False, "auto.offset.reset": "earliest"}
    consumer = Consumer(settings | {"queued.min.messages": 500, "fetch.message.max.bytes": 20_000})
    consumer.assign([TopicPartition(topic, int(number), 0) for number in partitions])
    next_offset, began, taken = {}, None, 0
    while not over.is_set():
        found = consumer.consume(int(CAPACITY / 20), timeout=0.05)
        began = began or (time.monotonic() if found else None)
        for message in found:
            next_offset[message.partition()] = message.offset() + 1
        if found:
            consumer.commit(offsets=[TopicPartition(topic, *one) for one in next_offset.items()], asynchronous=False)
            taken += len(found)
            # A pause is not made up for: a member never reads faster than it can.
            began = max(began, time.monotonic() - taken / CAPACITY - 0.05)
            time.sleep(max(began + taken / CAPACITY - time.monotonic(), 0))
    consumer.close()


class _Written:
    """Writes records, and keeps when each was: `times` by partition."""

    def __init__(self, bootstrap: str, topic: str):
        self._producer, self._topic = Producer({"bootstrap.servers": bootstrap, "linger.ms": 5}), topic
        self.times: list[list[float]] = [[] for _ in range(PARTITIONS)]

    def fill(self) -> None:
        """Write what is behind at the beginning."""
        for partition, count in enumerate(BEHIND.tolist()):
            for _ in range(count):
                self._write(partition)
        self._producer.flush()

    def go_on(self, over: threading.Event) -> None:
        """Write at an even rate."""
        while not over.wait(1 / COMES):
            for partition in range(PARTITIONS):
                self._write(partition)
            self._producer.poll(0)
        self._producer.flush()

    def _write(self, partition: int) -> None:
        now = time.time()
        self._producer.produce(self._topic, b"x" * 20, partition=partition, timestamp=int(now * 1000))
        self.times[partition].append(now)


if __name__ == "__main__":
    main()
