"""A consumer of kafka-python, in a process of its own: `python -m
tests.brokers.kafka_python_consumer BOOTSTRAP NAME GROUP ASSIGNOR TOPIC,TOPIC [INSTANCE] [MORE]`
leaves its group when its input ends.

Its `poll` never ends. Where a member of kafka-python 3.0.12 leads its group and joins it again
because partitions of a topic became known, and its `poll` ends before that rebalance does, no later
`poll` waits for it: heartbeats stay off, and when the session is over the member is out of the
group for good.

MORE is a JSON object: `settings` of the consumer, `seconds_each` that it takes for a record, and
arguments of Evenkeel's own assignors `lag` and `cooperative-lag`, whose `read_with` stands in place
of settings.
"""

import json
import signal
import sys
import threading
import time
from contextlib import closing

from evenkeel_assignors.kafka_python import CooperativeLagAssignor, LagAssignor
from kafka import KafkaConsumer
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor

_CLASSES = (
    RangePartitionAssignor,
    RoundRobinPartitionAssignor,
    StickyPartitionAssignor,
    CooperativeStickyAssignor,
)
_ASSIGNORS = {one.name: one for one in _CLASSES}
_OURS = {one.name: one for one in (LagAssignor, CooperativeLagAssignor)}
_HEARTBEAT_MS = 200
"""A member learns of a rebalance by its next heartbeat."""


def main(
    bootstrap: str,
    name: str,
    group_id: str,
    assignor: str,
    topics: str,
    instance_id: str = "",
    more: str = "{}",
) -> None:
    """Read topics, and throw away what is in them, until the input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    threading.Thread(target=_end_with_the_input, daemon=True).start()
    own = json.loads(more)
    settings = {
        "bootstrap_servers": bootstrap,
        "client_id": name,
        "group_id": group_id,
        "group_instance_id": instance_id or None,
    }
    settings |= {"heartbeat_interval_ms": _HEARTBEAT_MS, "enable_auto_commit": False} | own.pop(
        "settings", {}
    )
    read_with, seconds_each = settings | own.pop("read_with", {}), own.pop("seconds_each", 0)
    settings["partition_assignment_strategy"] = [
        _OURS[one](read_with, **own) if one in _OURS else _ASSIGNORS[one]
        for one in assignor.split(",")
    ]
    with closing(KafkaConsumer(*topics.split(","), **settings)) as consumer:
        for _ in consumer:
            time.sleep(seconds_each)


def _end_with_the_input() -> None:
    sys.stdin.read()
    signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)


if __name__ == "__main__":
    main(*sys.argv[1:])
