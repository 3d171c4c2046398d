"""PluginAssignor: a class from the administrator's jar as one more assignor."""

import zipfile
from pathlib import Path
from typing import ClassVar

import msgspec
import numpy as np

from assignors.assignment import UNASSIGNED, Assignment
from assignors.errors import AssignorError
from assignors.group import UNKNOWN, GroupSnapshot
from data.columns import document_of
from data.columns.rows import assignment_of, claims
from data.errors import SnapshotError
from data.observed import ObservedGroup
from data.plugin.host import Host
from data.plugin.kafka_jars import kafka_jars, spark_jars
from data.plugin.settings import PluginSettings

_PROGRAM = Path(__file__).with_name("Host.java")
_INTERFACE = "org/apache/kafka/clients/consumer/ConsumerPartitionAssignor.class"
_JSON = ("jackson-core", "jackson-databind", "jackson-annotations")


class PluginAssignor:
    """Asks its class in a JVM of its own, which starts at the first question and ends with `close`, with this object or with this process."""

    group_type: ClassVar[str] = "classic"
    is_cooperative: ClassVar[None] = None

    def __init__(self, name: str, settings: PluginSettings):
        self.name = self.protocol = name
        self._settings = settings
        self._host: Host | None = None

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what.

        Raises
        ------
        AssignorError
            Where the class throws, takes too long or too much memory, or cannot be had.
        """
        request = {"assignor": self._settings.class_name, "group": document_of(_observed(group)), "settings": self._settings.settings}
        (line,) = self._started().ask([msgspec.json.encode(request)], self._settings.time_limit_seconds)
        answer = msgspec.json.decode(line)
        if answer["error"]:
            raise AssignorError(answer["error"]["type"], f"{self.name}: {answer['error']['message']}")
        return self._read(group, answer["assignment"])

    def close(self):
        """End the JVM."""
        if self._host:
            self._host.close()

    def _started(self) -> Host:
        if self._host is None:
            arguments = [_PROGRAM, str(self._settings.time_limit_seconds)]
            self._host = Host(self._class_path(), arguments, self._settings.memory)
        return self._host

    def _class_path(self) -> list[Path]:
        jars = [Path(jar) for jar in self._settings.jars]
        for jar in jars:
            if not jar.exists():
                raise AssignorError("NoClassDefFoundError", f"{self.name}: {jar}: no such file")
        try:
            kafka = [] if any(_holds(jar, _INTERFACE) for jar in jars) else kafka_jars("kafka-clients")
        except SnapshotError as error:
            raise AssignorError("NoClassDefFoundError", f"{self.name}: {error}") from error
        return [*jars, *kafka, *(jar for prefix in _JSON for jar in spark_jars().glob(f"{prefix}-[0-9]*.jar"))]

    def _read(self, group: GroupSnapshot, assignment: dict[str, dict[str, list[int]]]) -> Assignment:
        row = {name: number for number, name in enumerate(group.topic_name)}
        for topics in assignment.values():
            for topic, partitions in topics.items():
                if topic not in row or min(partitions, default=0) < 0:
                    raise AssignorError("IllegalStateException", f"{self.name}: assigns {topic}-{min(partitions)}, expected partitions of the group's topics")
        return assignment_of(claims((assignment[member_id] for member_id in group.member_id), row), group.partition_count)


def _holds(jar: Path, entry: str) -> bool:
    return zipfile.is_zipfile(jar) and entry in zipfile.ZipFile(jar).namelist()


def _observed(group: GroupSnapshot) -> ObservedGroup:
    """Put nothing beside a snapshot."""
    nothing = (None,) * group.member_count
    return ObservedGroup(
        group_id=None,
        snapshot=group,
        current=Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32)),
        client_id=nothing,
        host=nothing,
        assumed=(),
        level=0,
        topic_order=np.arange(group.topic_count),
        epoch=np.full(group.member_count, UNKNOWN),
    )
