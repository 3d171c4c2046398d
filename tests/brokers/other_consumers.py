"""OtherConsumers: consumers of librdkafka, a thread for each, and of kafka-python and aiokafka, a
process for each.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from confluent_kafka import Consumer

_HEARTBEAT_MS = 200
"""A member learns of a rebalance by its next heartbeat."""

_ROOT = Path(__file__).parents[2]
_LEAVE_SECONDS = 5
_CLOSE_SECONDS = 60
"""librdkafka's own code may wait for ever for a broker that is gone, and no signal ends it."""


class _Running(NamedTuple):
    """How to tell a consumer to leave its group, and to wait until it has ended."""

    stop: Callable[[], None]
    join: Callable[[], None]


class OtherConsumers:
    """Started and stopped by name (their client id); a context manager that stops them all."""

    def __init__(self, bootstrap: str):
        self._bootstrap = bootstrap
        self._running: dict[str, _Running] = {}

    def start_librdkafka(
        self, name: str, topics: list[str], group_id: str, **settings: str
    ) -> None:
        """Start a consumer of librdkafka, settings by its names with _ for the dots."""
        over = threading.Event()
        thread = threading.Thread(
            target=self._librdkafka, args=(name, topics, group_id, settings, over), daemon=True
        )
        self._running[name] = _Running(over.set, lambda: _join(thread, name))
        thread.start()

    def start_kafka_python(
        self,
        name: str,
        topics: list[str],
        group_id: str,
        assignor: str,
        instance_id: str | None = None,
        **more: Any,
    ) -> subprocess.Popen:
        """Start a consumer of kafka-python; `more` as its program says."""
        program = [sys.executable, "-m", "tests.brokers.kafka_python_consumer"]
        return self._start(program, name, topics, group_id, assignor, instance_id, more)

    def start_aiokafka(
        self,
        name: str,
        topics: list[str],
        group_id: str,
        assignor: str,
        python: str = sys.executable,
        instance_id: str | None = None,
        **more: Any,
    ) -> subprocess.Popen:
        """Start a consumer of aiokafka with an interpreter that has it."""
        return self._start(
            [python, "tests/brokers/aiokafka_consumer.py"],
            name,
            topics,
            group_id,
            assignor,
            instance_id,
            more,
        )

    def _start(
        self,
        program: list[str],
        name: str,
        topics: list[str],
        group_id: str,
        assignor: str,
        instance_id: str | None,
        more: dict[str, Any],
    ) -> subprocess.Popen:
        words = [
            self._bootstrap,
            name,
            group_id,
            assignor,
            ",".join(topics),
            instance_id or "",
            json.dumps(more),
        ]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        process = subprocess.Popen(
            [*program, *words],
            **pipes,
            cwd=_ROOT,
            env=os.environ | {"PYTHONPATH": str(_ROOT / "deploy/python")},
        )
        self._running[name] = _Running(process.stdin.close, lambda: _end(process))
        return process

    def stop(self, name: str) -> None:
        """Tell one consumer to leave its group."""
        self._running[name].stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self._running.values():
            one.stop()
        for one in self._running.values():
            one.join()

    def _librdkafka(
        self,
        name: str,
        topics: list[str],
        group_id: str,
        settings: dict[str, str],
        over: threading.Event,
    ) -> None:
        more = {key.replace("_", "."): value for key, value in settings.items()}
        if "group_protocol" not in settings:
            more["heartbeat.interval.ms"] = _HEARTBEAT_MS
        consumer = Consumer(
            {
                "bootstrap.servers": self._bootstrap,
                "group.id": group_id,
                "client.id": name,
                "enable.auto.commit": False,
                "log_level": 0,
            }
            | more
        )
        consumer.subscribe(topics)
        while not over.is_set():
            consumer.poll(0.1)
        consumer.close()


def _join(thread: threading.Thread, name: str) -> None:
    thread.join(_CLOSE_SECONDS)
    assert not thread.is_alive(), f"{name} has not left its group in {_CLOSE_SECONDS} s"


def _end(process: subprocess.Popen) -> None:
    """Wait for a process that may itself wait for a rebalance: beside a static member, which leaves
    without a word, until its session is over.
    """
    try:
        process.wait(_LEAVE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
