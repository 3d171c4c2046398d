"""PluginAssignor: an assignor whose class is in a jar that the administrator provides."""

import importlib.util
import os
import subprocess
import tempfile
import threading
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec
import numpy as np

from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.owned import owners_of
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.protocol import CLASSIC, Assignor
from evenkeel.data.configuration.conversion import hidden
from evenkeel.data.configuration.handover import without_secrets
from evenkeel.data.configuration.java import java_home
from evenkeel.data.configuration.plugin.host import Host
from evenkeel.data.configuration.settings import PluginSettings
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import document_of
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import claims

_PROGRAM = Path(__file__).with_name("Host.java")
_INTERFACE = "org/apache/kafka/clients/consumer/ConsumerPartitionAssignor.class"
_JSON = ("jackson-core", "jackson-databind", "jackson-annotations")


class _Answer(msgspec.Struct):
    """A line of the JVM's output. It may be any text, because a plug-in's class may also print."""

    assignment: dict[str, dict[str, list[Annotated[int, msgspec.Meta(lt=2**31)]]]]
    error: dict[str, str] | None


class PluginAssignor(Assignor):
    """An assignor that sends each question to the plug-in's class, in its own JVM.

    The JVM starts at the first question. It ends with `close`, with this object or with this
    process. The object can be called like the class of another assignor; it then returns itself.
    """

    group_type: ClassVar[str] = CLASSIC

    def __init__(self, name: str, settings: PluginSettings):
        self.name = self.protocol = name
        self._settings = settings
        self._host: Host | None = None
        self._starting = threading.Lock()

    @property
    def java_class(self) -> str:
        return self._settings.class_name

    def __call__(self) -> "PluginAssignor":
        return self

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the assignment that the plug-in's class computes.

        Raises
        ------
        AssignorError
            If the class throws, needs too much time or memory, or is not available.
        """
        request = {
            "assignor": self._settings.class_name,
            "group": document_of(_observed(group)),
            "settings": self._settings.settings,
        }
        host = self._started()
        (line,) = host.ask(
            [msgspec.json.encode(request)], self._settings.time_limit.total_seconds()
        )
        try:
            answer = msgspec.json.decode(line, type=_Answer)
        except ValueError:
            host.close()
            raise AssignorError(
                "ProcessExit",
                f"{self.name}: the JVM wrote {self._told(repr(line[:80]))}, expected an answer",
            ) from None
        if answer.error:
            raise AssignorError(
                answer.error["type"], f"{self.name}: {self._told(answer.error['message'])}"
            )
        return self._read(group, answer.assignment)

    def close(self):
        """End the JVM."""
        if self._host:
            self._host.close()

    def _told(self, message: str) -> str:
        """Return the class's message without values of settings; a value may be a password."""
        return hidden(
            message,
            [
                str(value)
                for value in self._settings.settings.values()
                if not isinstance(value, bool)
            ],
        )

    def _started(self) -> Host:
        with self._starting:
            if self._host is None:
                arguments = [str(_PROGRAM), str(self._settings.time_limit.total_seconds())]
                try:
                    self._host = Host(self._class_path(), arguments, self._settings.memory)
                except SnapshotError as error:
                    raise AssignorError("NoClassDefFoundError", f"{self.name}: {error}") from error
            return self._host

    def _class_path(self) -> list[Path]:
        jars = [Path(jar) for jar in self._settings.jars]
        for place, jar in enumerate(jars):
            if not jar.exists():
                raise AssignorError(
                    "NoClassDefFoundError",
                    f"{self.name}: no such file: plugins.{self.name}.jars[{place}]",
                )
        kafka = [] if any(_holds(jar, _INTERFACE) for jar in jars) else kafka_jars("kafka-clients")
        return [
            *jars,
            *kafka,
            *(jar for prefix in _JSON for jar in spark_jars().glob(f"{prefix}-[0-9]*.jar")),
        ]

    def _read(
        self, group: GroupSnapshot, assignment: dict[str, dict[str, list[int]]]
    ) -> Assignment:
        row = {name: number for number, name in enumerate(group.topic_name)}
        for topics in assignment.values():
            for topic, partitions in topics.items():
                if topic not in row or min(partitions, default=0) < 0:
                    raise AssignorError(
                        "IllegalStateException",
                        f"{self.name}: assigns {partition_name(topic, min(partitions, default=0))},"
                        " expected partitions of the group's topics",
                    )
        return owners_of(
            claims((assignment.get(member_id) for member_id in group.member_id), row),
            group.partition_count,
        )


def _holds(jar: Path, entry: str) -> bool:
    return zipfile.is_zipfile(jar) and entry in zipfile.ZipFile(jar).namelist()


def _observed(group: GroupSnapshot) -> ObservedGroup:
    """Return a snapshot as an observed group, without owners, hosts and client ids."""
    nothing = (None,) * group.member_count
    return ObservedGroup(
        group_id=None,
        snapshot=group,
        current=Assignment(group.unowned()),
        client_id=nothing,
        host=nothing,
        assumed=(),
        level=0,
        topic_order=np.arange(group.topic_count),
        epoch=np.full(group.member_count, UNKNOWN),
    )


# Kafka's own jars: downloaded once from the package registry into a cache folder.


KAFKA_VERSION = "4.3.1"
"""The release for plug-ins; the tests compare with its classes."""

_TIME_LIMIT_SECONDS = 300


def kafka_jars(
    artifact: str,
    version: str = KAFKA_VERSION,
    organisation: str = "org.apache.kafka",
    *,
    is_alone: bool = False,
) -> list[Path]:
    """Return the jars of an artifact and its runtime dependencies; the first call downloads them.

    `is_alone`: return only the jar of the artifact.

    Raises
    ------
    SnapshotError
        If the download fails; the message has the reason.
    """
    folder = cache_folder() / f"{artifact}-{version}{'-alone' if is_alone else ''}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as unfinished:
            _download(
                organisation,
                artifact,
                version,
                Path(unfinished),
                ["-notransitive"] if is_alone else [],
            )
            _publish(Path(unfinished, "jars"), folder)
    return sorted(folder.glob("*.jar"))


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for files that Evenkeel can download again."""
    return Path(environment.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "evenkeel"


def spark_jars() -> Path:
    """Return the folder with PySpark's jars, without importing PySpark."""
    return Path(importlib.util.find_spec("pyspark").submodule_search_locations[0], "jars")


def _download(organisation: str, artifact: str, version: str, folder: Path, options: Sequence[str]):
    ivy = next(spark_jars().glob("ivy-*.jar"))
    command = [
        java_home() / "bin" / "java",
        "-jar",
        ivy,
        "-cache",
        folder / "ivy",
        "-dependency",
        organisation,
        artifact,
        version,
    ]
    command += [
        *options,
        "-confs",
        "default",
        "-retrieve",
        f"{folder}/jars/[artifact]-[revision](-[classifier]).[ext]",
    ]
    try:
        done = subprocess.run(
            command,
            env=without_secrets(),
            capture_output=True,
            text=True,
            timeout=_TIME_LIMIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SnapshotError(
            f"{organisation}:{artifact}:{version}: no answer from the package registry in"
            f" {_TIME_LIMIT_SECONDS} s"
        ) from None
    if done.returncode or not (folder / "jars").is_dir():
        lines = [
            line.strip()
            for line in done.stdout.splitlines()
            if "UNRESOLVED" in line or "FAILED" in line or "not found" in line
        ] or [done.stderr.strip()]
        raise SnapshotError(
            f"{organisation}:{artifact}:{version}: not in the package registry, or the registry"
            f" cannot be reached: {lines[0]}"
        )


def _publish(finished: Path, folder: Path):
    try:
        finished.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process has already published its copy
            raise
