"""Debian's Prometheus as a process of its own, and what it scrapes.

A small exporter keeps what it answered, with the time: it is the truth that tests compare with.
"""

import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.ending import WITH_US
from tests.services.ports import free_port

GROUP, TOPIC = "pay", "orders"


class Scrape(NamedTuple):
    """What one answer of the exporter said, by partition."""

    at: float
    committed: tuple[int, ...]
    end: tuple[int, ...]


class Endpoint:
    """What answers a scrape with a text, once it is open; 503 while it `is_quiet`."""

    def __init__(self, text: Callable[[], str]):
        self.port, self.is_quiet = free_port(), False
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: object) -> None:
                pass

            def do_GET(self) -> None:
                status, body = (503, b"") if endpoint.is_quiet else (200, text().encode())
                self.send_response(status)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._handler = Handler
        self.open()

    def open(self) -> None:
        """Listen, again after it was closed."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), self._handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        """End it: a connection is refused."""
        self._server.shutdown()
        self._server.server_close()


class Exporter(Endpoint):
    """A group of three partitions under kafka_exporter's names; partition 2 makes no progress."""

    def __init__(self):
        self.scrapes: list[Scrape] = []
        super().__init__(self.text)

    def text(self) -> str:
        """Return the gauges of this moment."""
        step = len(self.scrapes)
        end = tuple(1000 + 10 * step + partition for partition in range(3))
        committed = (end[0] - 3, end[1], 500)
        self.scrapes.append(Scrape(time.time(), committed, end))
        lines = []
        for partition in range(3):
            place = f'topic="{TOPIC}",partition="{partition}"'
            of_group = f'consumergroup="{GROUP}",{place}'
            lag = end[partition] - committed[partition] + 2
            lines += [
                f"kafka_consumergroup_current_offset{{{of_group}}} {committed[partition]}",
                f"kafka_consumergroup_lag{{{of_group}}} {lag}",
                f"kafka_topic_partition_current_offset{{{place}}} {end[partition]}",
                f"kafka_topic_partition_oldest_offset{{{place}}} 0",
            ]
        lines.append(f'kafka_consumergroup_members{{consumergroup="{GROUP}"}} 0')
        return "\n".join(lines) + "\n"


class Prometheus:
    """A Prometheus that scrapes an endpoint; a context manager. Without the program on this
    machine, the test is skipped and says so.
    """

    def __init__(self, endpoint: Endpoint, every: int = 1):
        self._program = shutil.which("prometheus")
        if not self._program:
            pytest.skip("Prometheus is not installed: make prometheus")
        self._folder, self._port = (
            Path(tempfile.mkdtemp(prefix="evenkeel-prometheus-")),
            free_port(),
        )
        (self._folder / "prometheus.yml").write_text(
            f"global: {{scrape_interval: {every}s}}\n"
            "scrape_configs:\n"
            "- job_name: kafka\n"
            f"  static_configs: [{{targets: ['127.0.0.1:{endpoint.port}']}}]\n"
        )
        self.data = self._folder / "data"
        self.url = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start it, with the data that it had."""
        self._process = subprocess.Popen(
            [
                *WITH_US,
                self._program,
                f"--config.file={self._folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={self.data}",
                f"--web.listen-address=127.0.0.1:{self._port}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def kill(self) -> None:
        """End it without a word."""
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> "Prometheus":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)
