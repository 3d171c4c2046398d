"""Debian's Prometheus as a process of its own, and a small exporter that it scrapes every second.

What the exporter answered is kept, with the time: it is the truth that tests compare with.
"""

import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
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


class Exporter:
    """A group of three partitions under kafka_exporter's names; partition 2 makes no progress."""

    def __init__(self):
        self.port, self.scrapes, self.is_quiet = free_port(), [], False
        exporter = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: object) -> None:
                pass

            def do_GET(self) -> None:
                status, body = (503, b"") if exporter.is_quiet else (200, exporter.text().encode())
                self.send_response(status)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

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

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def prometheus(exporter: Exporter) -> Iterator[str]:
    """Yield the address of a Prometheus that scrapes an exporter; without the program on this
    machine, the test is skipped and says so.
    """
    program = shutil.which("prometheus")
    if not program:
        pytest.skip("Prometheus is not installed: make prometheus")
    folder, port = Path(tempfile.mkdtemp(prefix="evenkeel-prometheus-")), free_port()
    (folder / "prometheus.yml").write_text(
        "global: {scrape_interval: 1s}\n"
        "scrape_configs:\n"
        "- job_name: kafka\n"
        f"  static_configs: [{{targets: ['127.0.0.1:{exporter.port}']}}]\n"
    )
    process = subprocess.Popen(
        [
            *WITH_US,
            program,
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)
