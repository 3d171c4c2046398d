"""Stores that answer as Prometheus does, from series in memory, or with one hostile answer."""

import gzip
import json
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

_MATCHER = re.compile(r'(\w+)(=~|=|!=)"((?:[^"\\]|\\.)*)"')
_RANGE = re.compile(r"(\{.*\})\[(\d+)ms\]", re.DOTALL)


class Row(NamedTuple):
    """One series: labels with `__name__`, and samples as seconds and text."""

    labels: Mapping[str, str]
    samples: Sequence[tuple[float, str]]


def series_row(name: str, samples: Sequence[tuple[float, object]], **labels: object) -> Row:
    """Return a series; times in seconds."""
    named = {"__name__": name} | {key: str(value) for key, value in labels.items()}
    return Row(named, [(at, str(value)) for at, value in samples])


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self._answer(parse_qs(self.rfile.read(length).decode()))

    def do_GET(self) -> None:
        self._answer(parse_qs(urlsplit(self.path).query))

    def _answer(self, query: Mapping[str, list[str]]) -> None:
        path = urlsplit(self.path).path
        self.server.asked.append((path, {key: one[0] for key, one in query.items()}))
        self.server.headers.append(dict(self.headers))
        with suppress(ConnectionError):
            self.server.answer(self, path, {key: one[0] for key, one in query.items()})

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """Answer with a body."""
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def send_data(self, data: object) -> None:
        """Answer with data, packed."""
        body = json.dumps({"status": "success", "data": data}).encode()
        self.send(200, gzip.compress(body, 1), Content_Encoding="gzip")


def answers_of(rows: Sequence[Row]) -> Callable[[_Handler, str, Mapping[str, str]], None]:
    """Return what answers from series, as Prometheus does."""

    def answer(handler: _Handler, path: str, query: Mapping[str, str]) -> None:
        if path.endswith("/values"):
            label = path.split("/")[-2]
            found = _matching(rows, query["match[]"])
            handler.send_data(sorted({row.labels[label] for row in found if label in row.labels}))
        elif path.endswith("/series"):
            since, until = float(query["start"]), float(query["end"])
            handler.send_data(
                [
                    row.labels
                    for row in _matching(rows, query["match[]"])
                    if any(since <= at <= until for at, _ in row.samples)
                ]
            )
        else:
            text, length = _RANGE.fullmatch(query["query"]).groups()
            until = float(query["time"])
            since = until - int(length) / 1000
            matrix = [
                {
                    "metric": row.labels,
                    "values": [[at, value] for at, value in row.samples if since < at <= until],
                }
                for row in _matching(rows, text)
            ]
            result = [one for one in matrix if one["values"]]
            handler.send_data({"resultType": "matrix", "result": result})

    return answer


def _matching(rows: Sequence[Row], text: str) -> list[Row]:
    tests = {"=": str.__eq__, "!=": str.__ne__, "=~": lambda a, b: bool(re.fullmatch(b, a))}
    matchers = [
        (name, tests[sign], value.replace('\\"', '"').replace("\\\\", "\\"))
        for name, sign, value in _MATCHER.findall(text)
    ]
    return [
        row
        for row in rows
        if all(test(row.labels.get(name, ""), value) for name, test, value in matchers)
    ]


class Served(NamedTuple):
    """A running store: its address, the requests that it got, and their headers."""

    url: str
    asked: list[tuple[str, dict[str, str]]]
    headers: list[dict[str, str]]


@contextmanager
def serving(
    answer: Callable[[_Handler, str, Mapping[str, str]], None], certificate: Path | None = None
) -> Iterator[Served]:
    """Serve until this ends, over TLS with a certificate and its key in a file."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads, server.block_on_close = True, False
    # A client that has read enough hangs up.
    server.handle_error = lambda *who: None
    server.answer, server.asked, server.headers = answer, [], []
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield Served(
            f"http{'s' * bool(certificate)}://127.0.0.1:{server.server_port}",
            server.asked,
            server.headers,
        )
    finally:
        server.shutdown()
        server.server_close()


def dripping(handler: _Handler, path: str, query: Mapping[str, str]) -> None:
    """Answer a byte at a time, without end."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)
