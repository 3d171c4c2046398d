"""The subject of a finding: its names for sentences, and the Kafka commands about it."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evenkeel.assignors.diagnosis.finding import Code
from evenkeel.assignors.episodes.evidence import Retention
from evenkeel.data.text.formats import duration, listed
from evenkeel.data.text.names import ELLIPSIS, cut

SIZES = ((36, 3), (36, 2), (36, 1), (24, 1), (16, 1), (10, 1))


@dataclass(frozen=True)
class Subject:
    """The subject of a finding: the names of group, partitions, topics and members.

    Parameters
    ----------
    now : float or None
        Time of the finding's slot, in seconds since 1970.
    because : Code or None
        The cause of a loss of records.
    assumed : tuple of str
        Assumptions that the sentence must name.
    width : int
        Maximum length of a name.
    most : int
        Maximum number of names in a list.
    """

    group: str
    partitions: tuple[str, ...]
    topics: tuple[str, ...]
    members: tuple[str, ...]
    figures: Mapping
    now: float | None
    because: Code | None = None
    retention: Retention | None = None
    servers: str | None = None
    assumed: tuple[str, ...] = field(default=())
    width: int = SIZES[0][0]
    most: int = SIZES[0][1]

    @property
    def name(self) -> str:
        """The group's name in a sentence."""
        return cut(self.group, self.width)

    def tps(self) -> str:
        """Return the names of the first partitions, and how many more there are."""
        return self._listed(self.partitions)

    def topic_names(self) -> str:
        """Return the names of the first topics, and how many more there are."""
        return self._listed(self.topics)

    def people(self) -> str:
        """Return the names of the first members, and how many more there are."""
        return self._listed(self.members)

    def _listed(self, names: Sequence[str]) -> str:
        return listed([cut(name, self.width) for name in names], self.most)

    def tool(self, script: str, arguments: str) -> str:
        """Return a command of Kafka's tools."""
        servers = shlex.quote(self.servers) if self.servers else ELLIPSIS
        return f"{script} --bootstrap-server {servers} {arguments}"

    def describe(self, arguments: str = "") -> str:
        """Return the command that describes the group."""
        tail = f" {arguments}" if arguments else ""
        return self.tool(
            "kafka-consumer-groups.sh", f"--describe --group {shlex.quote(self.group)}{tail}"
        )

    def topic_settings(self) -> str:
        """Return the command that prints the settings of the first topic."""
        topic = shlex.quote(self.topics[0])
        return self.tool(
            "kafka-configs.sh", f"--describe --all --entity-type topics --entity-name {topic}"
        )

    def longer_retention(self) -> dict[str, str] | None:
        """Return the command that doubles the retention of the first topic; None if unknown."""
        retention = self.retention
        if retention is None or retention.retention_seconds <= 0:
            return None
        seconds = 2 * retention.retention_seconds
        topic = shlex.quote(self.topics[0])
        setting = f"--add-config retention.ms={int(seconds * 1000)}"
        command = f"--alter --entity-type topics --entity-name {topic} {setting}"
        return {
            "command": self.tool("kafka-configs.sh", command),
            "what": f"keeps records of {self.topics[0]} for {duration(seconds)}",
        }

    def hanging_transactions(self) -> str:
        """Return the command that finds open transactions of the first partition."""
        topic, _, place = self.partitions[0].rpartition("-")
        return self.tool(
            "kafka-transactions.sh",
            f"find-hanging --topic {shlex.quote(topic)} --partition {place}",
        )

    def deleted_commits(self) -> dict[str, str]:
        """Return the command that deletes the group's commits for the finding's topics."""
        topics = " ".join(f"--topic {shlex.quote(topic)}" for topic in self.topics)
        command = f"--delete-offsets --group {shlex.quote(self.group)} {topics}"
        return {
            "command": self.tool("kafka-consumer-groups.sh", command),
            "what": "deletes the commits of these topics",
        }

    def topic_replicas(self) -> str:
        """Return the command that describes the first topic."""
        return self.tool("kafka-topics.sh", f"--describe --topic {shlex.quote(self.topics[0])}")
