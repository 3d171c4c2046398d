"""Release: the settings that every assignor takes, whichever Kafka it answers for."""

import re
from dataclasses import dataclass
from typing import ClassVar

_VERSION = re.compile(r"\d+(\.\d+){1,3}")


@dataclass(frozen=True)
class Release:
    """Which Kafka and which Java answer.

    Parameters
    ----------
    kafka_version : str
        Release of the Kafka classes, not older than `known_since`, the first release that gives the answers written here.
    jdk : int
        Java of the leader or broker: copies of hash sets grow differently from 19 on.
    max_generation : int
        Highest generation that a sticky leader has seen before, -1 for a fresh one.
    """

    known_since: ClassVar[str | None] = None
    name: ClassVar[str]

    kafka_version: str = "4.3.1"
    jdk: int = 17
    max_generation: int = -1

    def __post_init__(self):
        if not isinstance(self.kafka_version, str) or not _VERSION.fullmatch(self.kafka_version):
            raise ValueError(f"{self.name}: kafka_version is {self.kafka_version!r}, expected a release such as 4.3.1")
        self._check_number("jdk", 8)
        self._check_number("max_generation", -1)
        if self.known_since and not self.is_at_least(self.known_since):
            raise ValueError(f"{self.name}: not known for Kafka {self.kafka_version}, known since {self.known_since}")

    def is_at_least(self, version: str) -> bool:
        """Return whether `kafka_version` is this release or a newer one."""
        return _parts(self.kafka_version) >= _parts(version)

    def _check_number(self, setting: str, least: int):
        value = getattr(self, setting)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise ValueError(f"{self.name}: {setting} is {value!r}, expected an integer of at least {least}")


def _parts(version: str) -> list[int]:
    return [int(part) for part in (version + ".0.0").split(".")[:3]]
