"""A service of object storage for tests: moto as a process of its own, on a free port of
loopback.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from types import MappingProxyType

import pytest

from evenkeel.data.lake import service
from evenkeel.data.lake.place import Place, place_of
from tests.ending import WITH_US
from tests.services.ports import free_port
from tests.waiting import until

_ROOT = Path(__file__).parents[2]
REGION, ACCESS_KEY, SECRET_KEY = "eu-central-1", "key-of-the-tests", "secret-of-the-tests"


@contextmanager
def waits(seconds: float) -> Iterator[None]:
    """Let this process wait so long for the answer of a service while this is open; a service that
    works may need longer on a machine with much to do.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(service._CLIENT, "timeout", f"{seconds}s")
        service.store_of.cache_clear()
        yield
    service.store_of.cache_clear()


class S3:
    """The service; a context manager. It asks for no credentials, and answers conditional writes as
    S3 does.
    """

    def __init__(self):
        self._port = free_port()
        self._numbers = count()
        self._awake = ExitStack()
        self.endpoint = f"http://127.0.0.1:{self._port}"

    @property
    def settings(self) -> MappingProxyType[str, str]:
        """What obstore must know of the service."""
        return MappingProxyType(
            {
                "endpoint": self.endpoint,
                "region": REGION,
                "access_key_id": ACCESS_KEY,
                "secret_access_key": SECRET_KEY,
            }
        )

    def bucket(self) -> Place:
        """Make an empty bucket."""
        name = f"bucket-{next(self._numbers)}"
        assert self._asked("PUT", f"/{name}") == 200
        return place_of(f"s3://{name}", self.settings)

    def fall_asleep(self) -> None:
        """Answer nothing; what is asked meanwhile is carried out late. Only while it sleeps, this
        process waits half a second for an answer.
        """
        self._awake.enter_context(waits(0.5))
        self._process.send_signal(signal.SIGSTOP)

    def wake_up(self) -> None:
        """Answer again."""
        self._process.send_signal(signal.SIGCONT)
        self._awake.close()

    def __enter__(self) -> "S3":
        command = [
            *WITH_US,
            sys.executable,
            "-m",
            "tests.services.moto_server",
            "-H",
            "127.0.0.1",
            "-p",
            str(self._port),
        ]
        self._process = subprocess.Popen(
            command, cwd=_ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(self._answers)
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        self._awake.close()

    def _answers(self) -> bool:
        try:
            return self._asked("GET", "/") == 200
        except OSError:
            return False

    def _asked(self, method: str, path: str) -> int:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=180)
        try:
            connection.request(method, path)
            return connection.getresponse().status
        finally:
            connection.close()
