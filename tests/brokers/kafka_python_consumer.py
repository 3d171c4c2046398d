"""A consumer of kafka-python, in a process of its own: `python -m tests.brokers.kafka_python_consumer BOOTSTRAP NAME GROUP ASSIGNOR TOPIC,TOPIC [INSTANCE]` leaves its group when its input ends.

Its `poll` never ends. Where a member of kafka-python 3.0.12 leads its group and joins it again because partitions of a topic became known, and its `poll` ends before that rebalance does,
no later `poll` waits for it: heartbeats stay off, and when the session is over the member is out of the group for good.
"""

import signal
import sys
import threading
from contextlib import closing

from kafka import KafkaConsumer
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor

_CLASSES = (RangePartitionAssignor, RoundRobinPartitionAssignor, StickyPartitionAssignor, CooperativeStickyAssignor)
_ASSIGNORS = {one.name: one for one in _CLASSES}
_HEARTBEAT_MS = 200
"""A member learns of a rebalance by its next heartbeat."""


def main(bootstrap: str, name: str, group_id: str, assignor: str, topics: str, instance_id: str | None = None) -> None:
    """Read topics, and throw away what is in them, until the input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    threading.Thread(target=_end_with_the_input, daemon=True).start()
    settings = {"bootstrap_servers": bootstrap, "client_id": name, "group_id": group_id, "group_instance_id": instance_id}
    settings |= {
        "partition_assignment_strategy": [_ASSIGNORS[assignor]],
        "heartbeat_interval_ms": _HEARTBEAT_MS,
        "enable_auto_commit": False,
    }
    with closing(KafkaConsumer(*topics.split(","), **settings)) as consumer:
        for _ in consumer:
            pass


def _end_with_the_input() -> None:
    sys.stdin.read()
    signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)


if __name__ == "__main__":
    main(*sys.argv[1:])
