"""`make kafka`: a real broker with groups to look at, until Ctrl-C. Nothing of it stays.

payments: range, five members on four partitions, so one is idle. orders: cooperative-sticky, a
member stops and returns each half minute. shipping: uniform (KIP-848). reports: one member that
never reads partition 0, whose lag grows.
"""

import random
import signal
import sys
import threading
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.topics import create_topics

_CLIENT = "org.apache.kafka.clients.consumer."
_TOPICS = {"payments": 4, "orders": 12, "shipping": 6, "clicks": 3}
_GROUPS = {
    "payments": ("payments", 5, {"partition_assignment_strategy": _CLIENT + "RangeAssignor"}),
    "orders": (
        "orders,clicks",
        3,
        {"partition_assignment_strategy": _CLIENT + "CooperativeStickyAssignor"},
    ),
    "shipping": ("shipping", 2, {"group_protocol": "consumer", "group_remote_assignor": "uniform"}),
}
_RECORDS_A_SECOND, _TURN_SECONDS = 40, 30


def main() -> None:
    """Start everything, say what to run, and go on until interrupted."""
    over = threading.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda *_: over.set())
    with ExitStack() as opened:
        broker = opened.enter_context(Brokers())
        _make_topics(broker.bootstrap())
        slow = threading.Thread(target=_read_all_but_one, args=(broker.bootstrap(), over))
        slow.start()
        opened.callback(slow.join)
        opened.callback(over.set)
        consumers = opened.enter_context(JavaConsumers(broker.bootstrap()))
        for group_id, (_, member_count, _) in _GROUPS.items():
            for number in range(member_count):
                _start(consumers, group_id, number)
        say(_configured(broker.folder, broker.bootstrap()))
        _go_on(broker.bootstrap(), consumers, over)


def _make_topics(bootstrap: str) -> None:
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
    create_topics(admin, [NewTopic(name, size, 1) for name, size in _TOPICS.items()])
    commit(admin, "reports", {("clicks", number): 0 for number in range(_TOPICS["clicks"])})


def _start(consumers: JavaConsumers, group_id: str, number: int) -> None:
    topics, _, settings = _GROUPS[group_id]
    consumers.start(f"{group_id}-{number}", topics, group_id=group_id, **settings)


def _read_all_but_one(bootstrap: str, over: threading.Event) -> None:
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "reports",
            "client.id": "reports-0",
            "auto.commit.interval.ms": 500,
            "log_level": 0,
        }
    )
    consumer.subscribe(["clicks"], on_assign=_assign_and_pause)
    while not over.is_set():
        consumer.poll(0.1)
    consumer.close()


def _assign_and_pause(consumer: Consumer, places: list[TopicPartition]) -> None:
    consumer.assign(places)
    consumer.pause([one for one in places if one.partition == 0])


def _configured(folder: Path, bootstrap: str) -> Path:
    path = folder / "evenkeel.toml"
    path.write_text(
        f'[lake]\npath = "{folder / "lake"}"\n\n[clusters.demo]\n"bootstrap.servers" ='
        f' "{bootstrap}"\n'
    )
    return path


def say(configuration: Path) -> None:
    """Say how the cluster is reached, and what is gone once it ends."""
    print(
        f"A cluster named demo is up. Ctrl-C ends the broker and deletes {configuration.parent}"
        " with its data and its configuration. In another terminal:\n\n "
        f" EVENKEEL_CONFIG={configuration} make run"
    )
    print(
        f"  EVENKEEL_CONFIG={configuration} .venv/bin/evenkeel groups --cluster demo\n", flush=True
    )


def _go_on(bootstrap: str, consumers: JavaConsumers, over: threading.Event) -> None:
    producer, chance = (
        Producer({"bootstrap.servers": bootstrap, "client.id": "demo", "log_level": 0}),
        random.Random(1),
    )
    for second in count():
        if over.wait(1):
            return
        for _ in range(_RECORDS_A_SECOND):
            topic = chance.choice(list(_TOPICS))
            producer.produce(topic, b"record", partition=chance.randrange(_TOPICS[topic]))
        producer.poll(0)
        if second % (2 * _TURN_SECONDS) == _TURN_SECONDS:
            consumers.stop("orders-2")
        elif second and second % (2 * _TURN_SECONDS) == 0:
            _start(consumers, "orders", 2)


if __name__ == "__main__":
    sys.exit(main())
