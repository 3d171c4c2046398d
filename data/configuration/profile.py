"""Profile: one cluster of the configuration, for either client."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec

from data.configuration.conversion import converted
from data.configuration.kafka_python_words import for_kafka_python
from data.configuration.secrets import hidden, resolved
from data.errors import SnapshotError

CLIENT_ID = "evenkeel"
_SECRET_WORDS = ("password", "secret", "key.pem", "jaas")
_OURS = {"isolation.level", "require.stable", "record_timestamps"}
"""Settings that Evenkeel follows itself: a client for describe and offset calls has none of them."""

# librdkafka waits 30 s for a listener that accepts and never answers; 2 s with this setting (measured).
_LIMITS = {"socket.connection.setup.timeout.ms": "2000", "client.id": CLIENT_ID, "log_level": "0"}


class _Read(msgspec.Struct, rename=lambda name: name.replace("_", ".")):
    """The settings that mean something to Evenkeel itself; the others are for the clients."""

    bootstrap_servers: Annotated[Any, msgspec.Meta(description="host:port, more of them separated by commas")]
    isolation_level: Literal["read_uncommitted", "read_committed"] = "read_uncommitted"
    require_stable: Annotated[bool | Literal["true", "false"], msgspec.Meta(description="true or false")] = False
    record_timestamps: bool = msgspec.field(default=False, name="record_timestamps")


@dataclass(frozen=True)
class Profile:
    """Settings with librdkafka's names, as written: secrets by reference, read when a client is made.

    `isolation.level` (read_uncommitted, Kafka's default, or read_committed) says which end offsets count,
    `require.stable` (false, Kafka's default, or true) whether a commit that an open transaction is about to replace is unknown.
    `record_timestamps` (false or true): whether time lags are read from records, which needs the right READ on topics.
    """

    name: str
    settings: Mapping[str, Any] = field(repr=False)

    def __post_init__(self):
        where = f"clusters.{self.name}"
        if not isinstance(self.settings, Mapping):
            raise SnapshotError(f"{where} is {type(self.settings).__name__}, expected a table of settings with librdkafka's names")
        self._read()
        for name, value in self.settings.items():
            if _is_secret(name) and not isinstance(value, Mapping):
                raise SnapshotError(f'{where}: {name} is written in the file, expected a reference: {{env = "NAME"}} or {{file = "path"}}')
        for_kafka_python(dict.fromkeys(set(self.settings) - _OURS, ""), where)

    @property
    def reads_committed(self) -> bool:
        """Whether records of open transactions count as not there."""
        return self._read().isolation_level == "read_committed"

    @property
    def requires_stable(self) -> bool:
        """Whether a commit that an open transaction is about to replace counts as unknown."""
        return self._read().require_stable in (True, "true")

    @property
    def reads_records(self) -> bool:
        """Whether records may be read, for their timestamps alone."""
        return self._read().record_timestamps

    def librdkafka(self, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
        """Return the settings of confluent-kafka's clients."""
        return _LIMITS | self._resolved(environment)

    def kafka_python(self, environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
        """Return the settings of kafka-python's clients."""
        return {"client_id": CLIENT_ID} | for_kafka_python(self._resolved(environment), f"clusters.{self.name}")

    def without_secrets(self, text: str, environment: Mapping[str, str] = os.environ) -> str:
        """Return a text without the secrets of this cluster."""
        return hidden(text, [resolved(name, value, environment) for name, value in self.settings.items() if _is_secret(name)])

    def _read(self) -> "_Read":
        return converted(self.settings, _Read, f"clusters.{self.name}")

    def _resolved(self, environment: Mapping[str, str]) -> dict[str, str]:
        return {
            name: resolved(f"clusters.{self.name}: {name}", value, environment)
            for name, value in self.settings.items()
            if name not in _OURS
        }


def profiles(clusters: Mapping[str, Any]) -> dict[str, Profile]:
    """Return the clusters of the configuration by name.

    Raises
    ------
    SnapshotError
        For a setting that one of the clients does not know, a secret that stands in the file, a cluster without addresses.
    """
    return {name: Profile(name, settings) for name, settings in clusters.items()}


def _is_secret(name: str) -> bool:
    return any(word in name for word in _SECRET_WORDS)
