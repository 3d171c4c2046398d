"""Release: settings that all Kafka assignors have, such as the releases of Kafka and Java."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from evenkeel.assignors.assignment import Assignment, NotKnownError
from evenkeel.assignors.group import NO_GENERATION, GroupSnapshot
from evenkeel.assignors.protocol import Assignor

NEWEST = "4.3.1"
RELEASES = (
    NEWEST,
    "4.2.0",
    "4.1.0",
    "4.0.1",
    "4.0.0",
    "3.9.0",
    "3.8.0",
    "3.7.1",
    "3.7.0",
    "3.6.0",
    "3.5.0",
    "3.4.0",
    "2.4.0",
)
"""Releases to choose from, newest first. Any other release has the assignments of the next older
release in this list.
"""

# Up to four parts, because releases before 1.0 have four, such as 0.11.0.3.
_VERSION = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){1,3}")


@dataclass(frozen=True)
class Release(Assignor):
    """An assignor whose assignments depend on the releases of Kafka and Java.

    Parameters
    ----------
    kafka_version : str
        Release of the Kafka classes. At least `known_since`, which is the first release whose
        assignments Evenkeel reproduces.
    jdk : int
        Java release of the leader or broker. From 19 on, copies of hash sets have other bucket
        counts.
    max_generation : int
        Highest generation that the leader of a sticky group has seen before. -1 for a new leader.
    """

    protocol: ClassVar[str] = ""
    known_since: ClassVar[str | None] = None
    is_cooperative: ClassVar[bool | None] = False
    is_in_kafka: ClassVar[bool] = True

    kafka_version: str = NEWEST
    jdk: int = 17
    max_generation: int = NO_GENERATION

    def __post_init__(self):
        _require_version(self.name, self.kafka_version)
        self._check_number("jdk", 8)
        self._check_number("max_generation", NO_GENERATION)
        if not self.is_known_for(self.kafka_version):
            raise ValueError(
                f"{self.name}: unknown for Kafka {self.kafka_version}, known since"
                f" {self.known_since}"
            )

    @classmethod
    def is_known_for(cls, version: str) -> bool:
        """Return whether Evenkeel reproduces the assignments of this Kafka release."""
        return cls.known_since is None or _parts(version) >= _parts(cls.known_since)

    def is_at_least(self, version: str) -> bool:
        """Return whether `kafka_version` is not older than `version`."""
        return _parts(self.kafka_version) >= _parts(version)

    def _check_number(self, setting: str, least: int):
        value = getattr(self, setting)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise ValueError(
                f"{self.name}: {setting} is {value!r}, expected an integer of at least {least}"
            )


def _require_version(name: str, version: object) -> None:
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise ValueError(f"{name}: kafka_version is {version!r}, expected a release such as 4.3.1")


def _parts(version: str) -> list[int]:
    return [int(part) for part in (version + ".0.0").split(".")[:3]]


@dataclass(frozen=True)
class Unknown(Assignor):
    """Placeholder for an assignor, if Evenkeel does not reproduce its assignments for the Kafka
    release.
    """

    name: str
    protocol: str
    group_type: str
    kafka_version: str
    known_since: str
    is_cooperative: None = None
    is_in_kafka: bool = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Raise NotKnownError."""
        raise NotKnownError(self.name, self.kafka_version, self.known_since)


def of_release(assignor: Callable[[], Assignor], version: str) -> Assignor:
    """Return an assignor for this Kafka release.

    `Unknown` if Evenkeel does not reproduce the release. An assignor that does not depend on a
    release, such as a plug-in, is created without one.
    """
    if not (isinstance(assignor, type) and issubclass(assignor, Release)):
        return assignor()
    _require_version(assignor.name, version)
    if assignor.is_known_for(version):
        return assignor(kafka_version=version)
    return Unknown(
        assignor.name, assignor.protocol, assignor.group_type, version, assignor.known_since
    )
