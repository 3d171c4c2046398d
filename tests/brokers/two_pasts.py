"""Ten minutes of trouble of a real group, as `evenkeel collect` recorded them and as a real
Prometheus did: offsets, verdicts and gaps of both pasts.

python -m tests.brokers.two_pasts takes eleven minutes.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
from confluent_kafka import Consumer, ConsumerGroupTopicPartitions, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from evenkeel.assignors.group.series import Series
from evenkeel.assignors.timeline.verdicts import OBSERVATIONS, STUCK, VERDICTS, verdicts
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.lake.history.history import history_in
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.prometheus.past import Past, with_past
from tests.brokers.broker import Brokers
from tests.brokers.topics import create_topic
from tests.services.prometheus import Endpoint, Prometheus
from tests.waiting import until

CLUSTER, GROUP, TOPIC = "twice", "pay", "orders"
EVERY, SECONDS, TICK = 5, 600, 0.5
RATE = 20
PARTITIONS = 6
STEADY, STALLED, SLOW, REWOUND, BURST, DELETED = range(PARTITIONS)
STALL, REWIND, DELETION, NO_EXPORTER, NO_STORE = (90, 300), 60, 200, (400, 460), (500, 560)
_BURST, _BURST_RECORDS, _SLOW_UNTIL = 330, 20_000, 240
_SLACK_SECONDS = 1.0
"""How late an offset may be read after the time that its slot has."""

_COMMAND = [sys.executable, "-m", "evenkeel"]
_OF_MEMBERS = ("no consumer", "no member", "joined", "rebalance", "owned by", " idle", " unread")


def main() -> None:
    """Record both pasts, and print how far they are from each other."""
    with Brokers() as brokers, tempfile.TemporaryDirectory(prefix="evenkeel-twice-") as folder:
        workload = Workload(brokers.bootstrap())
        endpoint = Endpoint(_text(workload.admin))
        with Prometheus(endpoint, EVERY) as prometheus:
            _configure(Path(folder), brokers.bootstrap(), prometheus.url)
            lake = place_of(Path(folder) / "lake")
            begin = _recorded(workload, endpoint, prometheus, lake)
            _compare(workload, lake, Path(folder), begin)


def _configure(folder: Path, bootstrap: str, url: str) -> None:
    (folder / "evenkeel.toml").write_text(
        f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "{bootstrap}"\n'
        f'[clusters.{CLUSTER}.history]\nprometheus = "{url}"\n'
    )
    os.environ["EVENKEEL_CONFIG"] = str(folder / "evenkeel.toml")


def _recorded(
    workload: "Workload", endpoint: Endpoint, prometheus: Prometheus, lake: Place
) -> float:
    """Let the trouble happen; return when it began."""
    over = threading.Event()
    command = [
        *_COMMAND,
        "collect",
        "--cluster",
        CLUSTER,
        "--every",
        f"{EVERY}s",
        "--out",
        lake.url,
    ]
    collector = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    work = threading.Thread(target=workload.run, args=(over,))
    try:
        until(lambda: lake.names("manifests"), seconds=200)
        begin = workload.begin = time.time()
        work.start()
        for moment, act in (
            (NO_EXPORTER[0], endpoint.close),
            (NO_EXPORTER[1], endpoint.open),
            (NO_STORE[0], prometheus.kill),
            (NO_STORE[1], prometheus.start),
        ):
            time.sleep(max(begin + moment - time.time(), 0))
            act()
        time.sleep(max(begin + SECONDS - time.time(), 0))
    finally:
        over.set()
        collector.send_signal(signal.SIGINT)
        collector.wait(60)
    work.join()
    return begin


class Workload:
    """A producer and a group of one member, which commits by a plan; `truth`: when which committed
    and end offsets held.
    """

    def __init__(self, bootstrap: str):
        settings = {"bootstrap.servers": bootstrap, "log_level": 0}
        self.admin = AdminClient(settings)
        create_topic(self.admin, TOPIC, PARTITIONS)
        self._producer = Producer(settings | {"linger.ms": 5})
        self._consumer = Consumer(settings | {"group.id": GROUP, "enable.auto.commit": False})
        self._consumer.subscribe([TOPIC])
        self.truth: list[tuple[float, np.ndarray, np.ndarray]] = []
        self.end = np.zeros(PARTITIONS, dtype=np.int64)
        self.committed = np.zeros(PARTITIONS, dtype=np.int64)
        self.begin = 0.0
        self._write(np.full(PARTITIONS, 5_000))
        until(lambda: (self._consumer.poll(0.1), self._consumer.assignment())[1], 60)
        self._consumer.pause(self._consumer.assignment())
        self._commit(self.end - 100)

    def run(self, over: threading.Event) -> None:
        """Write and commit every half second, until the end."""
        number = 0
        while not over.is_set():
            number += 1
            time.sleep(max(self.begin + number * TICK - time.time(), 0))
            at = number * TICK
            count = np.full(PARTITIONS, round(RATE * TICK))
            if at == _BURST:
                count[BURST] += _BURST_RECORDS
            self._write(count)
            if at == DELETION:
                last = TopicPartition(TOPIC, DELETED, int(self.end[DELETED]) - 50)
                for answer in self.admin.delete_records([last]).values():
                    answer.result(10)
            self._commit(self._plan(at))
            self._consumer.poll(0)
        self._consumer.close()

    def _plan(self, at: float) -> np.ndarray:
        # A lag that falls for 20 s and jumps: never 0, or a stall is none for a window.
        steady = self.end - 20 - round(10 * (20 - at % 20))
        planned = np.maximum(steady, self.committed)
        if STALL[0] <= at < STALL[1]:
            planned[[STALLED, DELETED]] = self.committed[[STALLED, DELETED]]
        if at < _SLOW_UNTIL:
            planned[SLOW] = self.committed[SLOW] + round(RATE * TICK / 2)
        if at == REWIND:
            planned[REWOUND] = self.committed[REWOUND] - 1_000
        elif at > REWIND:
            planned[REWOUND] = min(planned[REWOUND], self.committed[REWOUND] + 50)
        if at >= _BURST:
            planned[BURST] = min(planned[BURST], self.committed[BURST] + 250)
        return planned

    def _write(self, count: np.ndarray) -> None:
        for partition, records in enumerate(count.tolist()):
            for _ in range(records):
                self._producer.produce(TOPIC, b"x" * 20, partition=partition)
            self._producer.poll(0)
        self._producer.flush()
        self.end = self.end + count
        self._note()

    def _commit(self, offsets: np.ndarray) -> None:
        places = [TopicPartition(TOPIC, *each) for each in enumerate(offsets.tolist())]
        self._consumer.commit(offsets=places, asynchronous=False)
        self.committed = offsets
        self._note()

    def _note(self) -> None:
        self.truth.append((time.time(), self.committed.copy(), self.end.copy()))


def _text(admin: AdminClient):
    """Return what reads a text of kafka_exporter from the broker: ends first, as it does."""
    places = [TopicPartition(TOPIC, number) for number in range(PARTITIONS)]

    def offsets(which: OffsetSpec) -> Mapping[int, int]:
        asked = admin.list_offsets(dict.fromkeys(places, which))
        return {place.partition: answer.result(10).offset for place, answer in asked.items()}

    def text() -> str:
        ends, begins = offsets(OffsetSpec.latest()), offsets(OffsetSpec.earliest())
        (answer,) = admin.list_consumer_group_offsets(
            [ConsumerGroupTopicPartitions(GROUP)]
        ).values()
        lines = [f'kafka_consumergroup_members{{consumergroup="{GROUP}"}} 0']
        for one in answer.result(10).topic_partitions:
            place = f'topic="{TOPIC}",partition="{one.partition}"'
            of_group = f'consumergroup="{GROUP}",{place}'
            lines += [
                f"kafka_consumergroup_current_offset{{{of_group}}} {one.offset}",
                f"kafka_consumergroup_lag{{{of_group}}} {ends[one.partition] - one.offset + 4}",
                f"kafka_topic_partition_current_offset{{{place}}} {ends[one.partition]}",
                f"kafka_topic_partition_oldest_offset{{{place}}} {begins[one.partition]}",
            ]
        return "\n".join(lines) + "\n"

    return text


# Both pasts.


def _compare(workload: Workload, lake: Place, folder: Path, begin: float) -> None:
    until_time = begin + SECONDS
    span = [datetime.fromtimestamp(at, UTC) for at in (begin, until_time)]
    collected = history_in(lake, GROUP, instants(lake, CLUSTER, *span), CLUSTER).series
    with closing(Past(profile_of(CLUSTER))) as past:
        below = with_past(place_of(folder / "empty"), past, GROUP, *span).place
        scraped = history_in(below, GROUP, instants(below, CLUSTER, *span), CLUSTER).series
    print(f"{collected.slot_count} slots of the collector, {scraped.slot_count} of Prometheus")
    _print_offsets(workload, collected, scraped)
    _print_verdicts(collected, scraped, begin)
    _print_words(folder, span, begin)


def _print_offsets(workload: Workload, collected: Series, scraped: Series) -> None:
    """Print differences of both pasts at their nearest slots, beside what changed in half a
    slot.
    """
    times = np.array([at for at, _, _ in workload.truth])
    columns = {"committed": 1, "end": 2}
    for name, column in columns.items():
        truth = np.array([row[column] for row in workload.truth])
        pair = {series: getattr(series, f"{name}_offset") for series in (collected, scraped)}
        count = beyond = largest = worst = 0
        for row, at in enumerate(scraped.time.tolist()):
            near = int(np.argmin(np.abs(collected.time - at)))
            if abs(collected.time[near] - at) > EVERY / 2:
                continue
            difference = np.abs(pair[scraped][row] - pair[collected][near])
            allowed = _half_slot(times, truth, at)
            count += PARTITIONS
            beyond += int((difference > allowed).sum())
            largest = max(largest, int(difference.max()))
            worst = max(worst, int((difference - allowed).max()))
        print(
            f"{name}: {count} compared, {beyond} beyond half a slot, largest difference"
            f" {largest:,}; largest less allowed {worst:,}"
        )


def _half_slot(times: np.ndarray, truth: np.ndarray, at: float) -> np.ndarray:
    """Return the most that changed in half a slot near a time, by partition."""
    most = np.zeros(PARTITIONS, dtype=np.int64)
    for start in np.arange(at - EVERY / 2, at + _SLACK_SECONDS, TICK):
        first = max(np.searchsorted(times, start) - 1, 0)
        last = np.searchsorted(times, start + EVERY / 2 + _SLACK_SECONDS, "right")
        part = truth[first:last]
        most = np.maximum(most, part.max(axis=0) - part.min(axis=0))
    return most


class Interval(NamedTuple):
    """A verdict of a partition, in seconds since the begin."""

    partition: int
    verdict: str
    first: float
    last: float


def _print_verdicts(collected: Series, scraped: Series, begin: float) -> None:
    """Print intervals of verdicts, both over the windows of a store."""
    observations = scraped.window(OBSERVATIONS)
    pasts = [
        list(_intervals(series, verdicts(series, width).verdict, begin))
        for series, width in ((collected, observations), (scraped, OBSERVATIONS))
    ]
    for one in pasts[0]:
        same = [other for other in pasts[1] if other[:2] == one[:2]]
        if not same:
            print(f"{one}: not in Prometheus")
            continue
        other = min(same, key=lambda other: abs(other.first - one.first))
        off = [(b - a) / EVERY for a, b in zip(one[2:], other[2:], strict=True)]
        print(
            f"partition {one.partition} {one.verdict} {one.first:.0f} to {one.last:.0f} s:"
            f" Prometheus {off[0]:+.1f} and {off[1]:+.1f} slots"
        )
    print(f"{len(pasts[0])} intervals of the collector, {len(pasts[1])} of Prometheus")


def _intervals(series: Series, verdict: np.ndarray, begin: float) -> Iterator[Interval]:
    same = np.where(verdict > STUCK, STUCK, verdict)
    same = np.where(same == VERDICTS.index("STALL"), STUCK, same)
    for tp in range(series.tp_count):
        changes = np.flatnonzero(np.diff(same[:, tp])) + 1
        starts, ends = np.append(0, changes), np.append(changes, same.shape[0]) - 1
        for first, last in zip(starts.tolist(), ends.tolist(), strict=True):
            # A window of fewer slots sees a change of one.
            if same[first, tp] and last - first >= OBSERVATIONS:
                times = (series.time[[first, last]] - begin).tolist()
                yield Interval(int(series.partition[tp]), VERDICTS[same[first, tp]], *times)


def _print_words(folder: Path, span: list[datetime], begin: float) -> None:
    """Print the gaps of the store's past, and sentences about members."""
    # The trouble is over by then, and the verdicts are not.
    for at in (span[0] + timedelta(seconds=STALL[1] - EVERY), span[1]):
        named = ["--lake", str(folder / "empty"), "--cluster", CLUSTER, "--group", GROUP]
        ends = ["--from", span[0].isoformat(), "--to", at.isoformat()]
        text = subprocess.check_output([*_COMMAND, "history", *named, *ends], text=True)
        shown = json.loads(
            subprocess.check_output([*_COMMAND, "history", *named, *ends, "--json"], text=True)
        )
        findings = subprocess.run(
            [*_COMMAND, "findings", *named, *ends], text=True, capture_output=True, check=False
        )
        said = [
            line
            for line in (text + findings.stdout).splitlines()
            if any(words in line for words in _OF_MEMBERS)
        ]
        gaps = [each["what"] for each in shown["events"] if each["kind"] == "gap"]
        print(f"\nuntil {at - span[0]}: gaps {gaps}; {len(said)} sentences about members {said}")
        print(text, findings.stdout, findings.stderr, sep="\n")
    for name, (first, last) in (("exporter", NO_EXPORTER), ("Prometheus", NO_STORE)):
        print(
            f"without {name}: {datetime.fromtimestamp(begin + first, UTC)} to"
            f" {datetime.fromtimestamp(begin + last, UTC)}"
        )


if __name__ == "__main__":
    main()
