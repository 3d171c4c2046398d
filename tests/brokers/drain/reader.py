"""A consumer that reads a topic at a limited rate: `python -m tests.brokers.drain.reader BOOTSTRAP
NAME GROUP ASSIGNOR RECORDS_A_SECOND`.

The topic is called as the group. It writes a line when it is loaded, and joins at the first line of
its input; each further one is a new rate. It leaves the group when its input ends.
"""

import signal
import sys
import threading
import time
from contextlib import closing

from kafka import KafkaConsumer
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor

_ASSIGNORS = {one.name: one for one in (RangePartitionAssignor, StickyPartitionAssignor)}
_COMMIT_SECONDS = 0.1
_MADE_UP_SECONDS = 0.05
"""A longer pause is not made up for: a member never reads faster than it can."""


class _Pace:
    """Holds back what would be faster than a rate, records/s."""

    def __init__(self, rate: float):
        self.rate, self._next = rate, time.monotonic()

    def wait(self) -> None:
        self._next = max(self._next, time.monotonic() - _MADE_UP_SECONDS) + 1 / self.rate
        time.sleep(max(self._next - time.monotonic(), 0))


def main(bootstrap: str, name: str, group_id: str, assignor: str, rate: str) -> None:
    """Read until the input ends; what was read is committed."""
    print("loaded", flush=True)
    sys.stdin.readline()
    pace = _Pace(float(rate))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    threading.Thread(target=_follow, args=(pace,), daemon=True).start()
    settings = {
        "bootstrap_servers": bootstrap,
        "client_id": name,
        "group_id": group_id,
        "auto_offset_reset": "earliest",
    }
    settings |= {
        "partition_assignment_strategy": [_ASSIGNORS[assignor]],
        "heartbeat_interval_ms": 200,
        "enable_auto_commit": False,
        # Small, so that it serves its partitions in turn.
        "max_partition_fetch_bytes": 2_000,
        "max_poll_records": 20,
    }
    with closing(KafkaConsumer(group_id, **settings)) as consumer:
        committed = time.monotonic()
        try:
            for _ in consumer:
                pace.wait()
                if time.monotonic() - committed > _COMMIT_SECONDS:
                    committed = time.monotonic()
                    consumer.commit_async()
        finally:
            consumer.commit()


def _follow(pace: _Pace) -> None:
    for line in sys.stdin:
        pace.rate = float(line)
    signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)


if __name__ == "__main__":
    main(*sys.argv[1:])
