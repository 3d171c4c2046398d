"""How far time lags are from the truth, by method, on a real broker whose records have known times.

python -m tests.brokers.time_lag --slots 60 --seconds 2

Two topics: `steady` gets a record every 50 ms in each partition, `bursty` gets some hundred at
once, now and then. A group stands 3, 10, 25 and 60 seconds behind. Each slot is read as `collect`
reads it, and looked at with the 20 slots up to it.
"""

import argparse
import bisect
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from kafka import TopicPartition
from kafka.admin import KafkaAdminClient
from kafka.structs import OffsetAndMetadata

from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.timeline.time_lag import (
    EXTRAPOLATED,
    INTERPOLATED,
    METHODS,
    TIMESTAMP,
    UNKNOWN_SECONDS,
    time_lag,
)
from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.group.tables.series import MEMBER_COLUMNS, OFFSET_COLUMNS, Axis, series_of
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups
from evenkeel.data.live.reading.tables import parsed_groups
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.topics import create_topic

BEHIND = (3.0, 10.0, 25.0, 60.0)
"""Seconds; each for `_EACH` partitions of a topic."""

TOPICS = ("bursty", "steady")
_EACH, _LEAD_SECONDS, _WINDOW, _AGE_SECONDS = 3, 70, 20, 2.0
_GROUP, _PARTITIONS = "measured", _EACH * len(BEHIND)


class Slot(NamedTuple):
    """One reading: when, and OFFSETS of the group."""

    time: float
    offsets: pa.Table


class Error(NamedTuple):
    """Seconds that a time lag is away from the truth."""

    topic: str
    method: int
    seconds: float


def main() -> None:
    """Print a line for each kind of producer and each method."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slots", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=2.0, help="of a slot")
    options, over = parser.parse_args(), threading.Event()
    with Brokers() as broker:
        written = _Written(broker.bootstrap())
        threads = [
            threading.Thread(target=one, args=(over,))
            for one in (written.steadily, written.in_bursts)
        ]
        for thread in threads:
            thread.start()
        try:
            time.sleep(_LEAD_SECONDS)
            slots = list(_slots(broker.bootstrap(), written, options.slots, options.seconds))
        finally:
            over.set()
            for thread in threads:
                thread.join()
    _print(
        [
            error
            for last in range(1, len(slots))
            for error in _errors(slots[max(last + 1 - _WINDOW, 0) : last + 1], written)
        ]
    )


def _print(errors: list[Error]) -> None:
    print(f"{'producer':10}{'method':14}{'figures':>8}{'median':>9}{'95 %':>9}{'largest':>9}")
    for topic in TOPICS:
        for method in (TIMESTAMP, INTERPOLATED, EXTRAPOLATED):
            off = np.abs(
                [one.seconds for one in errors if (one.topic, one.method) == (topic, method)]
            )
            figures = (
                (np.median(off), np.percentile(off, 95), off.max()) if off.size else (np.nan,) * 3
            )
            print(
                f"{topic:10}{METHODS[method]:14}{off.size:8,}"
                + "".join(f"{figure:7.2f} s" for figure in figures)
            )


def _slots(bootstrap: str, written: "_Written", count: int, seconds: float) -> Iterator[Slot]:
    """Commit and read, slot by slot."""
    connection = Connection(
        Profile("local", {"bootstrap.servers": bootstrap, "record_timestamps": True})
    )
    # A broker that has just started answers for groups only after a while.
    commit(connection.admin, _GROUP, {(topic, 0): 0 for topic in TOPICS})
    began = time.monotonic()
    with KafkaAdminClient(bootstrap_servers=[bootstrap]) as client:
        for number in range(count):
            time.sleep(max(began + number * seconds - time.monotonic(), 0))
            client.alter_group_offsets(_GROUP, written.offsets_behind())
            (found,) = live_groups(
                connection, chosen_groups(connection, [_GROUP]), age_seconds=_AGE_SECONDS
            )
            yield Slot(
                found.document.taken_at.timestamp(), parsed_groups("local", [(1, found)]).offsets
            )
    connection.close()


def _errors(slots: list[Slot], written: "_Written") -> Iterator[Error]:
    """Compare the time lags of the last slot, with the record's timestamp and without, to the
    truth.
    """
    series, last = _series(slots), np.array([len(slots) - 1])
    told = time_lag(series, last), time_lag(replace(series, read_seconds=None), last)
    for tp in range(series.tp_count):
        topic = series.topic_name[series.topic[tp]]
        committed = int(series.committed_offset[-1, tp])
        if committed == UNKNOWN or series.lag[-1, tp] <= 0:
            continue
        truth = series.time[-1] - written.times[topic][series.partition[tp]][committed]
        for seconds, method in {
            (float(one.seconds[0, tp]), int(one.method[0, tp])) for one in told
        }:
            if seconds != UNKNOWN_SECONDS:
                yield Error(topic, method, seconds - truth)


def _series(slots: list[Slot]) -> Series:
    batch = tuple(f"{number:06d}" for number in range(len(slots)))
    parts = [
        one.offsets.select(OFFSET_COLUMNS).append_column(
            "batch", pa.array([name] * one.offsets.num_rows, pa.string())
        )
        for name, one in zip(batch, slots, strict=True)
    ]
    members = pa.table(
        {
            name: pa.array([], pa.string() if name in ("group_id", "member_id") else pa.int64())
            for name in MEMBER_COLUMNS
        }
    )
    axis = Axis(batch, np.arange(len(slots)), np.array([one.time for one in slots]))
    return series_of(
        pa.concat_tables(parts), members.append_column("batch", pa.array([], pa.string())), axis
    )


class _Written:
    """Writes records, and keeps when each was: `times` by topic and partition."""

    def __init__(self, bootstrap: str):
        admin = AdminClient({"bootstrap.servers": bootstrap})
        for topic in TOPICS:
            create_topic(admin, topic, _PARTITIONS)
        self._producers = {
            topic: Producer(
                {"bootstrap.servers": bootstrap, "linger.ms": 5, "enable.idempotence": True}
            )
            for topic in TOPICS
        }
        self.times: dict[str, list[list[float]]] = {
            topic: [[] for _ in range(_PARTITIONS)] for topic in TOPICS
        }

    def steadily(self, over: threading.Event) -> None:
        """Write 20 records/s into each partition."""
        while not over.wait(0.05):
            for partition in range(_PARTITIONS):
                self._write("steady", partition, 1)
        self._producers["steady"].flush()

    def in_bursts(self, over: threading.Event) -> None:
        """Write some hundred records into one partition after another, each of which waits for 4
        seconds in the mean.
        """
        chance = np.random.default_rng(0)
        while not over.wait(chance.exponential(4.0 / _PARTITIONS)):
            self._write("bursty", int(chance.integers(_PARTITIONS)), int(chance.integers(20, 400)))
        self._producers["bursty"].flush()

    def offsets_behind(self) -> dict[TopicPartition, OffsetAndMetadata]:
        """Return for each partition the first record that is no older than it shall be behind."""
        now = time.time()
        return {
            TopicPartition(topic, partition): OffsetAndMetadata(
                bisect.bisect_left(times, now - BEHIND[partition // _EACH]), "", -1
            )
            for topic in TOPICS
            for partition, times in enumerate(self.times[topic])
        }

    def _write(self, topic: str, partition: int, count: int) -> None:
        for _ in range(count):
            now = time.time()
            self._producers[topic].produce(
                topic, b"x" * 20, partition=partition, timestamp=int(now * 1000)
            )
            self.times[topic][partition].append(now)
        self._producers[topic].poll(0)


if __name__ == "__main__":
    main()
