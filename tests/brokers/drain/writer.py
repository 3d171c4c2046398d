"""Writer: records that are there at the beginning, and records that keep coming."""

import threading
import time

import numpy as np
from confluent_kafka import Producer


class Writer:
    """Writes to the partitions of a topic, and keeps when each record was written; a context
    manager that writes on until it ends.

    `times`: seconds since 1970, by partition and offset.
    """

    def __init__(self, bootstrap: str, topic: str, first: np.ndarray, rate: float):
        # Small batches, so that a consumer's fetch may hold few records.
        self._producer = Producer(
            {"bootstrap.servers": bootstrap, "linger.ms": 5, "batch.num.messages": 10}
        )
        self._topic, self._rate, self._over = topic, rate, threading.Event()
        self.times: list[list[float]] = [[] for _ in first]
        for number in range(int(first.max())):
            self._write(np.flatnonzero(first > number))
        self._producer.flush()
        self._thread = threading.Thread(target=self._go_on)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _go_on(self) -> None:
        due = time.monotonic()
        while not self._over.wait(max(due - time.monotonic(), 0)):
            due += 1 / self._rate
            self._write(np.arange(len(self.times)))
        self._producer.flush()

    def _write(self, partitions: np.ndarray) -> None:
        for partition in partitions.tolist():
            now = time.time()
            self._producer.produce(
                self._topic, b"x" * 20, partition=partition, timestamp=int(now * 1000)
            )
            self.times[partition].append(now)
        self._producer.poll(0)
