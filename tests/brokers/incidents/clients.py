"""Clients of the incidents: members in threads that read as they are told, and a producer."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

_COMMIT_MS, _TICK_SECONDS = 1000, 0.25


class Member(threading.Thread):
    """A consumer of librdkafka.

    Parameters
    ----------
    pace : float or None
        Records a second that it reads at most.
    behind : int
        Records on their way: it commits so many below its position.
    settings : str
        Further settings, with `_` for `.`.
    """

    def __init__(
        self,
        bootstrap: str,
        group: str,
        name: str,
        *topics: str,
        pace: float | None = None,
        behind: int = 0,
        **settings: object,
    ):
        super().__init__(daemon=True)
        self.pace, self.is_paused, self._behind = pace, False, behind
        self._topics, self._orders = topics, SimpleQueue()
        self._over = threading.Event()
        self._settings = {
            "bootstrap.servers": bootstrap,
            "group.id": group,
            "client.id": name,
            "auto.offset.reset": "earliest",
            "auto.commit.interval.ms": _COMMIT_MS,
            "enable.auto.commit": not behind,
            "log_level": 0,
        } | {key.replace("_", "."): value for key, value in settings.items()}
        self.start()

    def order(self, work: Callable[[Consumer], object]) -> None:
        """Have the member do something with its consumer."""
        self._orders.put(work)

    def leave(self) -> None:
        """End; a dynamic member leaves its group."""
        self._over.set()
        self.join()

    def run(self) -> None:
        """Read until the end."""
        consumer = Consumer(self._settings)
        consumer.subscribe(list(self._topics))
        committed = time.monotonic()
        while not self._over.is_set():
            while not self._orders.empty():
                self._orders.get()(consumer)
            if self.is_paused:
                time.sleep(_TICK_SECONDS)
                continue
            message = consumer.poll(_TICK_SECONDS)
            if message is not None and message.error() is None and self.pace:
                time.sleep(1 / self.pace)
            if self._behind and time.monotonic() - committed > _COMMIT_MS / 1000:
                committed = time.monotonic()
                self._commit_behind(consumer)
        consumer.close()

    def _commit_behind(self, consumer: Consumer) -> None:
        places = [
            TopicPartition(each.topic, each.partition, each.offset - self._behind)
            for each in consumer.position(consumer.assignment())
            if each.offset > self._behind
        ]
        if places:
            consumer.commit(offsets=places)


def goes_back(records: int) -> Callable[[Consumer], None]:
    """Return the order to commit and read again from some records before."""

    def work(consumer: Consumer) -> None:
        places = [
            TopicPartition(each.topic, each.partition, each.offset - records)
            for each in consumer.position(consumer.assignment())
        ]
        consumer.commit(offsets=places, asynchronous=False)
        for place in places:
            consumer.seek(place)

    return work


class Records(threading.Thread):
    """Writes records to partitions: `rate`, records a second by (topic, partition)."""

    def __init__(self, bootstrap: str, rate: dict[tuple[str, int], float]):
        super().__init__(daemon=True)
        self.rate, self._over = rate, threading.Event()
        self._producer = Producer(
            {
                "bootstrap.servers": bootstrap,
                "log_level": 0,
                "topic.metadata.refresh.interval.ms": 2000,
            }
        )
        self.start()

    def write(self, topic: str, partition: int, count: int) -> None:
        """Write some records at once."""
        # A new partition is not known at once, and one without a leader fills the queue.
        with suppress(KafkaException, BufferError):
            for _ in range(count):
                self._producer.produce(topic, bytes(100), partition=partition)

    def run(self) -> None:
        """Write until the end."""
        due = dict.fromkeys(self.rate, 0.0)
        last = time.monotonic()
        while not self._over.wait(_TICK_SECONDS):
            now = time.monotonic()
            for place, rate in list(self.rate.items()):
                due[place] = due.get(place, 0.0) + rate * (now - last)
                self.write(*place, int(due[place]))
                due[place] -= int(due[place])
            last = now
            self._producer.poll(0)

    def end(self) -> None:
        """Stop writing."""
        self._over.set()
        self.join()
