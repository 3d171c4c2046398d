"""A broker with thousands of groups, for benchmarks of live clusters.

`python -m tests.benchmarks.many_groups` keeps one until it is interrupted or terminated, and prints
its address and process, for `--bootstrap` and `--broker` of the others.
"""

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import NamedTuple

import numpy as np
from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient, NewTopic
from kafka import TopicPartition
from kafka.admin import KafkaAdminClient
from kafka.structs import OffsetAndMetadata

from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.offsets import ends
from evenkeel.data.live.reading.topics import topics
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit

_TOPICS_A_REQUEST, _WITH_MEMBERS, _COMMITS_A_GROUP = 10, 20, 20
_MOST_RECORDS, _SEED = 20, 7


class Cluster(NamedTuple):
    """A running broker: its address, and its process where this program has started it."""

    bootstrap: str
    process: int | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the cluster has."""
    parser.add_argument("--groups", type=int, default=5000)
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--partitions", type=int, default=100, help="of each topic")
    parser.add_argument(
        "--bootstrap", help="a test broker that has these topics and groups already"
    )
    parser.add_argument("--broker", type=int, help="its process, to measure its processor time")


@contextmanager
def cluster(options: argparse.Namespace) -> Iterator[Cluster]:
    """Yield the cluster that is named, or a new one: every group has 20 commits, 20 groups have a
    member.
    """
    if options.bootstrap:
        yield Cluster(options.bootstrap, options.broker)
        return
    with Brokers(memory="1g") as broker, ExitStack() as members:
        admin = AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
        places = _made(admin, options.topics, options.partitions, broker.bootstrap())
        counts = _produced(broker.bootstrap(), places)
        _commit(admin, broker.bootstrap(), options.groups, dict(zip(places, counts, strict=True)))
        for number in range(min(_WITH_MEMBERS, options.groups, options.topics)):
            members.enter_context(closing(_member(broker.bootstrap(), number)))
        print(
            f"{options.groups:,} groups, {len(places):,} partitions with {sum(counts):,} records,"
            f" {options.groups * _COMMITS_A_GROUP:,} commits",
            flush=True,
        )
        yield Cluster(broker.bootstrap(), broker.process())


def _made(admin: AdminClient, topic_count: int, size: int, bootstrap: str) -> list[tuple[str, int]]:
    """Make the topics, wait until the broker has loaded them, and return their partitions."""
    names = [f"topic-{number}" for number in range(topic_count)]
    for start in range(0, topic_count, _TOPICS_A_REQUEST):
        for made in admin.create_topics(
            [NewTopic(name, size, 1) for name in names[start : start + _TOPICS_A_REQUEST]]
        ).values():
            made.result()
    places = [(name, number) for name in names for number in range(size)]
    with closing(Connection(Profile("scale", {"bootstrap.servers": bootstrap}))) as connection:
        while ends(connection, places, topics(connection, names)[0]).problems:
            time.sleep(1)
    return places


def _produced(bootstrap: str, places: list[tuple[str, int]]) -> list[int]:
    """Write up to 20 records into each partition; return how many."""
    counts = (
        np.random.default_rng(_SEED).integers(0, _MOST_RECORDS, len(places), endpoint=True).tolist()
    )
    producer = Producer({"bootstrap.servers": bootstrap, "linger.ms": 100})
    for (topic, number), count in zip(places, counts, strict=True):
        for _ in range(count):
            producer.produce(topic, b"x", partition=number)
        producer.poll(0)
    producer.flush()
    return counts


def _commit(
    admin: AdminClient, bootstrap: str, group_count: int, counts: dict[tuple[str, int], int]
) -> None:
    """Commit, for each group in turn, somewhere in the next 20 partitions."""
    random, places = np.random.default_rng(_SEED), list(counts)
    # A broker that has just started is asked until it can.
    commit(admin, "group-0000", {places[0]: 0})
    with closing(KafkaAdminClient(bootstrap_servers=[bootstrap])) as client:
        for group in range(group_count):
            some = [
                places[(group * _COMMITS_A_GROUP + step) % len(places)]
                for step in range(_COMMITS_A_GROUP)
            ]
            wanted = {
                TopicPartition(*one): OffsetAndMetadata(
                    int(random.integers(0, counts[one], endpoint=True)), "", -1
                )
                for one in some
            }
            client.alter_group_offsets(f"group-{group:04}", wanted)


def _member(bootstrap: str, number: int) -> Consumer:
    # Between polls a member stays for a day: nothing polls while the benchmark runs.
    stays = {"enable.auto.commit": False, "max.poll.interval.ms": 24 * 3600 * 1000}
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": f"group-{number:04}"} | stays)
    consumer.subscribe([f"topic-{number}"])
    while not consumer.assignment():
        consumer.poll(0.1)
    # Its records would fill the client's memory.
    consumer.pause(consumer.assignment())
    return consumer


def main() -> None:
    """Keep a cluster until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    with cluster(parser.parse_args()) as one:
        print(f"--bootstrap {one.bootstrap} --broker {one.process}", flush=True)
        # In the background of a shell Python ignores SIGINT.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
        while True:
            time.sleep(60)


if __name__ == "__main__":
    main()
