"""Renew the picture of docs/deploy.md: `python -m tests.dashboard.browser.lag_aware_group`, twelve
minutes.

A real group of three members of kafka-python on a broker, on a topic whose first three partitions
get most of the records. It runs `range`, then its members are restarted one after another with
`[lag, range]`, as docs/deploy.md says. `evenkeel collect` follows it all the while.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from confluent_kafka import Producer

from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.group.document import Document
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import place_of
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups
from tests.brokers.broker import Brokers
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.dashboard.browser.screenshots import take

CLUSTER, GROUP, TOPIC = "production", "payments", "orders"
MEMBERS = ["pay-a", "pay-b", "pay-c"]
RATES = [45, 45, 45, 4, 4, 4, 4, 4, 4, 4, 4, 4]
"""Records that each partition gets in a second. `range` gives the first four to one member."""

SECONDS_EACH = 0.01
"""A member reads at most 100 records a second; what arrives, 171, is less than three members read.
"""

BEFORE_SECONDS, BETWEEN_SECONDS, AFTER_SECONDS, SLOT_SECONDS = 300, 10, 330, 5


def main() -> None:
    """Run the group, print what it lagged by, and take the picture."""
    with tempfile.TemporaryDirectory() as name, Brokers() as broker:
        folder = Path(name)
        _run(broker.bootstrap(), folder)
        address = (
            "/timeline?opened="
            f"{instants(place_of(folder / 'lake'), CLUSTER).axis.batch[-1]}&place=1"
        )
        take(folder, {"lag-aware-light": (address, False)})


def _run(bootstrap: str, folder: Path) -> None:
    connection = Connection(Profile(CLUSTER, {"bootstrap.servers": bootstrap}))
    create_topic(connection.admin, TOPIC, len(RATES))
    with _written(bootstrap), OtherConsumers(bootstrap) as consumers:
        for member in MEMBERS:
            _start(consumers, member, "range")
        with _collected(bootstrap, folder):
            time.sleep(BEFORE_SECONDS)
            _print("under range", connection)
            for member in MEMBERS:
                consumers.stop(member)
                _start(consumers, member, "lag,range")
                time.sleep(BETWEEN_SECONDS)
            _print("all restarted", connection)
            time.sleep(AFTER_SECONDS)
            _print("under lag", connection)
    connection.close()


def _start(consumers: OtherConsumers, member: str, assignor: str) -> None:
    # Small batches of few partitions: a member then reads all of its partitions in turn, not one
    # for a minute.
    small = {
        "max_poll_records": 20,
        "max_partition_fetch_bytes": 2_000,
        "auto_commit_interval_ms": 1_000,
    }
    settings = small | {"enable_auto_commit": True, "auto_offset_reset": "earliest"}
    consumers.start_kafka_python(
        member, [TOPIC], GROUP, assignor, settings=settings, seconds_each=SECONDS_EACH
    )


@contextmanager
def _written(bootstrap: str) -> Iterator[None]:
    """Write to every partition at its rate meanwhile."""
    over = threading.Event()
    writer = threading.Thread(target=_write, args=(bootstrap, over))
    writer.start()
    try:
        yield
    finally:
        over.set()
        writer.join()


def _write(bootstrap: str, over: threading.Event) -> None:
    producer, began, sent = (
        Producer({"bootstrap.servers": bootstrap, "log_level": 0}),
        time.monotonic(),
        [0] * len(RATES),
    )
    while not over.wait(0.1):
        for partition, rate in enumerate(RATES):
            for _ in range(int((time.monotonic() - began) * rate) - sent[partition]):
                producer.produce(TOPIC, b"an order of some bytes", partition=partition)
                sent[partition] += 1
        producer.poll(0)
    producer.flush(10)


@contextmanager
def _collected(bootstrap: str, folder: Path) -> Iterator[None]:
    """Have `evenkeel collect` append snapshots to the folder's lake meanwhile."""
    configuration = folder / "evenkeel.toml"
    configuration.write_text(f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "{bootstrap}"\n')
    command = [
        sys.executable,
        "-m",
        "evenkeel",
        "collect",
        "--cluster",
        CLUSTER,
        "--group",
        GROUP,
        "--every",
        f"{SLOT_SECONDS}s",
    ]
    environment = os.environ | {
        "EVENKEEL_CONFIG": str(configuration),
        "EVENKEEL_LAKE": str(folder / "lake"),
    }
    with (
        (folder / "collect.log").open("w") as log,
        subprocess.Popen(command, env=environment, stdout=log, stderr=log) as process,
    ):
        try:
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def _print(when: str, connection: Connection) -> None:
    (found,) = live_groups(connection, chosen_groups(connection, [GROUP]))
    document = found.document
    lags = ", ".join(
        f"{one.client_id} {_lag(document, one.owned or {})}"
        for one in sorted(document.members, key=lambda one: one.client_id)
    )
    print(
        f"{datetime.now(UTC):%H:%M:%S} {when}: {document.assignor}, records behind: {lags}",
        flush=True,
    )


def _lag(document: Document, owned: dict[str, list[int]]) -> int:
    (topic,) = document.topics
    partitions = (topic.partitions[number] for number in owned.get(TOPIC, []))
    return sum(max(one.end_offset - (one.committed_offset or 0), 0) for one in partitions)


if __name__ == "__main__":
    main()
