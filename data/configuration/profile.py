"""Profile: one cluster of the configuration, for either client."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec

from evenkeel.data.configuration.conversion import converted, type_found
from evenkeel.data.configuration.kafka_python_words import for_kafka_python
from evenkeel.data.configuration.secrets import hidden, resolved
from evenkeel.data.errors import SnapshotError

CLIENT_ID = "evenkeel"
_NO_SECRETS = {
    *("plaintext", "ssl", "sasl_plaintext", "sasl_ssl", "plain", "gssapi", "oauthbearer", "scram-sha-256", "scram-sha-512"),
    *("https", "none", "true", "false", CLIENT_ID),
}
"""Values that a message may repeat, beside small numbers and the addresses of the cluster."""
_SMALL = re.compile("[0-9]{1,6}")
_ADDRESS = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]{2,45}\]):([0-9]{1,5})")

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
            raise SnapshotError(f"{where} is {type_found(self.settings)}, expected a table of settings with librdkafka's names")
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
        """Return a text of a client without the values of this cluster's settings."""
        values = []
        for name, value in self.settings.items():
            # A reference that leads nowhere by now has hidden nothing.
            with suppress(SnapshotError):
                values.append((name, resolved(name, value, environment)))
        return hidden(text, [value for name, value in values if _is_secret(name) or not _may_be_said(name, value)])

    def _read(self) -> "_Read":
        return converted(self.settings, _Read, f"clusters.{self.name}")

    def _resolved(self, environment: Mapping[str, str]) -> dict[str, str]:
        return {
            name: resolved(f"clusters.{self.name}: {name}", value, environment)
            for name, value in self.settings.items()
            if name not in _OURS
        }


def is_address(text: str) -> bool:
    """Tell whether a text is host:port."""
    parts = _ADDRESS.fullmatch(text)
    return parts is not None and 0 < int(parts[1]) < 2**16


def profiles(clusters: Mapping[str, Any]) -> dict[str, Profile]:
    """Return the clusters of the configuration by name.

    Raises
    ------
    SnapshotError
        For a setting that one of the clients does not know, a secret that stands in the file, a cluster without addresses.
    """
    return {name: Profile(name, settings) for name, settings in clusters.items()}


def _may_be_said(name: str, value: str) -> bool:
    if name == "bootstrap.servers":
        return all(is_address(one.strip()) for one in value.split(","))
    return value.lower() in _NO_SECRETS or _SMALL.fullmatch(value) is not None


def _is_secret(name: str) -> bool:
    return any(word in name for word in _SECRET_WORDS)
