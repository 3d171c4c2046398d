"""The S3 service of the tests behind a proxy that spoils the requests that a test names: real
sockets, real answers, real faults.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import MappingProxyType

from evenkeel.data.lake.place import Place, place_of
from tests.services.s3 import S3, waits

Spoils = Callable[["_Handler"], None]
Meant = Callable[[str, str], bool]
"""Whether a request is spoiled, by its method and its path with query."""

_OF_A_CONNECTION = ("connection", "transfer-encoding", "date", "server")


class FaultyS3:
    """The proxy; a context manager. Without a fault it passes everything on. `asked`: method and
    path of each request so far.
    """

    def __init__(self, s3: S3):
        self._s3 = s3
        self.asked: list[tuple[str, str]] = []
        self.spoils, self.is_meant = None, lambda method, path: True
        self.is_over = Event()

    @property
    def settings(self) -> MappingProxyType[str, str]:
        """What obstore must know of the service behind the proxy."""
        return MappingProxyType({**self._s3.settings, "endpoint": self.endpoint})

    def lake(self) -> Place:
        """Make an empty bucket, and return a lake in it."""
        return place_of(f"{self._s3.bucket()}/lake", self.settings)

    @contextmanager
    def spoiled(
        self, spoils: Spoils, is_meant: Meant = lambda method, path: True
    ) -> Iterator[None]:
        """Spoil the requests that are meant while this is open; where an answer stalls, this
        process waits half a second for it.
        """
        self.is_meant, self.spoils = is_meant, spoils
        try:
            with waits(0.5) if spoils is stalls else nullcontext():
                yield
        finally:
            self.spoils = None

    def __enter__(self) -> "FaultyS3":
        handler = type(
            "Handler",
            (_Handler,),
            {"proxy": self, "behind": self._s3.endpoint.removeprefix("http://")},
        )
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"
        Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        ).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.is_over.set()
        self._server.shutdown()
        self._server.server_close()


def answers(status: int, code: str, message: str) -> Spoils:
    """Refuse a request, which the service never sees."""
    body = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()
    return lambda handler: handler.answer(
        status, {"content-type": "application/xml", "content-length": str(len(body))}, body
    )


def hangs_up(handler: "_Handler") -> None:
    """Close the connection instead of an answer; the service never sees the request."""
    handler.hang_up()


def loses_the_answer(handler: "_Handler") -> None:
    """Let the service do what it is asked, and close the connection instead of an answer."""
    handler.passed_on()
    handler.hang_up()


def cuts_off(handler: "_Handler") -> None:
    """Close the connection in the middle of the body of an answer."""
    status, headers, body = handler.passed_on()
    handler.answer(status, headers, body[: len(body) // 2])
    handler.hang_up()


def stalls(handler: "_Handler") -> None:
    """Send half of the body of an answer, and nothing more until the test is over."""
    status, headers, body = handler.passed_on()
    handler.answer(status, headers, body[: len(body) // 2])
    handler.proxy.is_over.wait(60)
    handler.hang_up()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    proxy: FaultyS3
    behind: str

    def do_GET(self) -> None:
        self._body = self.rfile.read(int(self.headers.get("content-length") or 0))
        proxy = self.proxy
        proxy.asked.append((self.command, self.path))
        # Who asked may wait no longer.
        with suppress(ConnectionError):
            if proxy.spoils and proxy.is_meant(self.command, self.path):
                proxy.spoils(self)
            else:
                self.answer(*self.passed_on())

    do_PUT = do_HEAD = do_POST = do_DELETE = do_GET

    def passed_on(self) -> tuple[int, dict[str, str], bytes]:
        """Ask the service; return its answer: status, headers and body."""
        connection = HTTPConnection(self.behind, timeout=180)
        try:
            connection.request(self.command, self.path, self._body, dict(self.headers))
            found: HTTPResponse = connection.getresponse()
            body = found.read()
            headers = {
                name.lower(): value
                for name, value in found.getheaders()
                if name.lower() not in _OF_A_CONNECTION
            }
            length = headers.get("content-length") if self.command == "HEAD" else None
            return found.status, headers | {"content-length": length or str(len(body))}, body
        finally:
            connection.close()

    def answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        """Send an answer, with a body that may be shorter than its headers say."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
            self.wfile.flush()

    def hang_up(self) -> None:
        """Close the connection."""
        self.close_connection = True

    def log_message(self, *args: object) -> None:
        pass
