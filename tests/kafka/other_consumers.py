"""OtherConsumers: consumers of librdkafka, a thread for each."""

import threading
from collections.abc import Callable

from confluent_kafka import Consumer

_HEARTBEAT_MS = 200
"""A member learns of a rebalance by its next heartbeat."""


class OtherConsumers:
    """Started and stopped by name (their client id); a context manager that stops them all."""

    def __init__(self, bootstrap: str):
        self._bootstrap = bootstrap
        self._running: dict[str, tuple[threading.Thread, threading.Event]] = {}

    def start_librdkafka(self, name: str, topics: list[str], group_id: str, **settings: str) -> None:
        """Start a consumer of librdkafka, settings by its names with _ for the dots."""
        self._start(name, lambda over: self._librdkafka(name, topics, group_id, settings, over))

    def stop(self, name: str) -> None:
        """Tell one consumer to leave its group."""
        self._running[name][1].set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for _, over in self._running.values():
            over.set()
        for thread, _ in self._running.values():
            thread.join()

    def _start(self, name: str, consume: Callable[[threading.Event], None]) -> None:
        over = threading.Event()
        thread = threading.Thread(target=consume, args=(over,))
        self._running[name] = thread, over
        thread.start()

    def _librdkafka(self, name: str, topics: list[str], group_id: str, settings: dict[str, str], over: threading.Event) -> None:
        more = {key.replace("_", "."): value for key, value in settings.items()}
        if "group_protocol" not in settings:
            more["heartbeat.interval.ms"] = _HEARTBEAT_MS
        consumer = Consumer({"bootstrap.servers": self._bootstrap, "group.id": group_id, "client.id": name, "enable.auto.commit": False, "log_level": 0} | more)
        consumer.subscribe(topics)
        while not over.is_set():
            consumer.poll(0.1)
        consumer.close()
