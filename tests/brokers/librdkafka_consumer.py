"""A consumer of librdkafka in a process of its own: `python -m tests.brokers.librdkafka_consumer
BOOTSTRAP NAME GROUP_ID ASSIGNOR TOPICS`.

It writes how many partitions it has, a line each time that this changes, and ends when its standard
input does, or when its client dies.
"""

import select
import sys

from confluent_kafka import Consumer

_HEARTBEAT_MS = 4000
"""Long enough that members which start together join the same rebalance."""


def main(bootstrap: str, name: str, group_id: str, assignor: str, topics: str) -> None:
    """Consume until standard input ends."""
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": group_id,
            "client.id": name,
            "partition.assignment.strategy": assignor,
            "heartbeat.interval.ms": _HEARTBEAT_MS,
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe(topics.split(","))
    told = -1
    while not select.select([sys.stdin], [], [], 0)[0]:
        consumer.poll(0.1)
        if (count := len(consumer.assignment())) != told:
            print(told := count, flush=True)
    consumer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
