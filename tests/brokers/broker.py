"""Real Kafka brokers for tests and for `make kafka`, from the jars of the package registry."""

import base64
import fcntl
import hashlib
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic, sleep

from evenkeel.data.configuration.java import java_home
from evenkeel.data.configuration.plugin.assignor import KAFKA_VERSION, kafka_jars
from tests.brokers.certificates import Certificates
from tests.brokers.settings import USERS, Node, nodes, properties
from tests.ending import WITH_US

_CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"
_SMALL = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]
_START_LIMIT_SECONDS = 500


class Brokers:
    """A cluster of one broker for each rack; a context manager.

    Parameters
    ----------
    racks : list of str or None
        One broker for each; None has no rack.
    with_acls : bool
        Whether rights are checked: then only `admin` and those without a name may do everything.
    logs_requests : bool
        Whether each request is written to `requests_log`, one JSON line each.
    settings : dict
        Further broker settings, by Kafka's names.
    memory : str
        Java heap of each broker.
    version : str
        The Kafka release.
    jars : list of Path
        What the brokers have on their class path beside it.
    """

    def __init__(
        self,
        racks: Sequence[str | None] = (None,),
        *,
        with_acls: bool = False,
        logs_requests: bool = False,
        settings: Mapping[str, str] | None = None,
        memory: str = "256m",
        version: str = KAFKA_VERSION,
        jars: Sequence[Path] = (),
    ):
        self.jars, self._version = list(jars), version
        self._temporary = tempfile.TemporaryDirectory(
            prefix="evenkeel-kafka-", ignore_cleanup_errors=True
        )
        self.folder = Path(self._temporary.name)
        self.certificates = Certificates(self.folder)
        self.nodes = nodes(self.folder, list(racks))
        self._with_acls, self._settings, self._memory = with_acls, dict(settings or {}), memory
        self._level = "debug" if logs_requests else "off"
        self._running: dict[int, subprocess.Popen] = {}

    def bootstrap(self, listener: str = "PLAIN") -> str:
        """Return the addresses of one listener: PLAIN, SASL, TLS or SASLTLS."""
        return ",".join(f"127.0.0.1:{node.ports[listener]}" for node in self.nodes)

    def process(self) -> int:
        """Return the process of the first broker."""
        return self._running[self.nodes[0].number].pid

    def requests_log(self, node: Node) -> Path:
        """Return the file with one JSON line for each request that a node answered."""
        return node.folder / "requests.log"

    def start(self) -> None:
        """Start every broker that does not run, with the data that it had."""
        stopped = [node for node in self.nodes if node.number not in self._running]
        for node in stopped:
            if not (node.folder / "data").is_dir():
                self._format(node)
        for node in stopped:
            self._running[node.number] = self._launch(node)
        for node in stopped:
            self._wait(node)

    def stop(self, how: int = signal.SIGTERM, *numbers: int) -> None:
        """Stop every broker, or those named; their data stays. SIGKILL is a crash."""
        stopped = [self._running.pop(number) for number in numbers or list(self._running)]
        for process in stopped:
            with suppress(ProcessLookupError):
                process.send_signal(how)
        for process in stopped:
            process.wait(500)

    def set(self, settings: Mapping[str, str]) -> None:
        """Write further settings, which hold from the next start on; one that is None is
        taken out.
        """
        self._settings = {
            key: value
            for key, value in (self._settings | dict(settings)).items()
            if value is not None
        }
        for node in self.nodes:
            self._file(node).write_text(
                properties(node, self.nodes, self.certificates, self._with_acls, self._settings)
            )

    def output(self) -> str:
        """Return what the first broker has written."""
        return self._output(self.nodes[0]).read_text()

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGKILL)
        self._temporary.cleanup()

    def _format(self, node: Node) -> None:
        node.folder.mkdir(parents=True)
        self._file(node).write_text(
            properties(node, self.nodes, self.certificates, self._with_acls, self._settings)
        )
        (node.folder / "data").mkdir()
        for name, octets in _formatted(self._version).items():
            if name == "meta.properties":
                octets = re.sub(
                    rb"(?m)^directory\.id=.*",
                    b"directory.id=" + _random_uuid(),
                    re.sub(rb"(?m)^node\.id=.*", b"node.id=%d" % node.number, octets),
                )
            (node.folder / "data" / name).write_bytes(octets)

    def _launch(self, node: Node) -> subprocess.Popen:
        log = f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.yaml')}"
        seen = [
            *self._classes(),
            log,
            f"-Drequests.log={self.requests_log(node)}",
            f"-Drequests.level={self._level}",
        ]
        with self._output(node).open("wb") as output:
            command = [
                *WITH_US,
                *_java(self._memory, seen, self._version, self.jars),
                "kafka.Kafka",
                self._file(node),
            ]
            return subprocess.Popen(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd=node.folder,
            )

    def _classes(self) -> list[str]:
        return [f"-XX:SharedArchiveFile={_archive()}"] if self._version == KAFKA_VERSION else []

    def _wait(self, node: Node) -> None:
        deadline = monotonic() + _START_LIMIT_SECONDS
        while "Kafka Server started" not in (said := self._output(node).read_text()):
            if self._running[node.number].poll() is not None or monotonic() > deadline:
                raise RuntimeError(f"broker {node.number} did not start:\n{said[-3000:]}")
            sleep(0.1)

    def _file(self, node: Node) -> Path:
        return node.folder / "server.properties"

    def _output(self, node: Node) -> Path:
        return node.folder / "output.log"


class _Archiving(Brokers):
    """A broker whose Java writes the archive of its classes when it ends."""

    @property
    def archive(self) -> Path:
        return self.folder / "classes.jsa"

    def _classes(self) -> list[str]:
        return [f"-XX:ArchiveClassesAtExit={self.archive}"]


@cache
def _archive() -> Path:
    """Return the archive of Kafka's classes for this Java: a start takes two thirds of the
    processor time. The first process writes it, others wait.
    """
    release = Path(java_home(), "release").read_text()
    key = hashlib.sha256(
        "\0".join((KAFKA_VERSION, str(java_home()), release, *_SMALL)).encode()
    ).hexdigest()[:12]
    archive = Path(sys.prefix, f"kafka-classes-{key}.jsa")
    with archive.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not archive.exists():
            with _Archiving() as broker:
                broker.stop()
                unfinished = shutil.copy(broker.archive, archive.with_suffix(".unfinished"))
            Path(unfinished).rename(archive)
    return archive


@cache
def _formatted(version: str) -> dict[str, bytes]:
    """Return the files of a new broker's data folder; they differ by the numbers of node and folder
    alone, and the tool that writes them is a start of Java.
    """
    with tempfile.TemporaryDirectory(prefix="evenkeel-kafka-") as folder:
        (node,) = nodes(Path(folder), [None])
        node.folder.mkdir()
        settings = Path(folder, "server.properties")
        # What is formatted does not depend on them, and older releases know fewer.
        protocols = {"group.coordinator.rebalance.protocols": "classic,consumer"}
        settings.write_text(properties(node, [node], Certificates(Path(folder)), False, protocols))
        users = [
            word
            for name, password in USERS.items()
            for word in ("--add-scram", f"SCRAM-SHA-512=[name={name},password={password}]")
        ]
        command = [
            *_java("128m", version=version),
            "kafka.tools.StorageTool",
            "format",
            "-t",
            _CLUSTER_ID,
            "-c",
            settings,
            *users,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"StorageTool: {done.stdout}{done.stderr}")
        return {path.name: path.read_bytes() for path in (node.folder / "data").iterdir()}


def _random_uuid() -> bytes:
    return base64.urlsafe_b64encode(b"e" + secrets.token_bytes(15)).rstrip(b"=")


def _java(
    memory: str,
    options: Sequence[str] = (),
    version: str = KAFKA_VERSION,
    more: Sequence[Path] = (),
) -> list:
    # An archive of classes fits a class path that begins with its own.
    jars = [
        *kafka_jars("log4j-slf4j-impl", "2.25.4", "org.apache.logging.log4j"),
        *kafka_jars("kafka_2.13", version),
        *more,
    ]
    return [
        java_home() / "bin" / "java",
        f"-Xmx{memory}",
        *_SMALL,
        *options,
        "-cp",
        os.pathsep.join(map(str, jars)),
    ]
