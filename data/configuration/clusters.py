"""The clusters of the configuration, and clusters that a reader names by address (if allowed)."""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec

from evenkeel.data.configuration.conversion import converted, hidden, resolved, type_found
from evenkeel.data.configuration.past import HistorySettings
from evenkeel.data.configuration.reading import configuration
from evenkeel.data.errors import SnapshotError

_HOW = (
    '[clusters.NAME] with "bootstrap.servers" in evenkeel.toml, or in the file that EVENKEEL_CONFIG'
    " names"
)


@dataclass(frozen=True)
class Profile:
    """The settings of a cluster, by librdkafka's names; secrets are references.

    `isolation.level`: read_uncommitted (Kafka's default) or read_committed; it decides which offset
    is the end offset. `require.stable`: false (Kafka's default) or true. If true, a commit is
    unknown while an open transaction has a newer commit for the partition. `record_timestamps`:
    false or true. If true, time lags are read from records, which needs READ on topics. `history`:
    a table of `HistorySettings`.
    """

    name: str
    settings: Mapping[str, Any] = field(repr=False)

    def __post_init__(self):
        where = f"clusters.{self.name}"
        if not isinstance(self.settings, Mapping):
            raise SnapshotError(
                f"{where} is {type_found(self.settings)}, expected a table of settings with"
                " librdkafka's names"
            )
        if past := self._read().history:
            past.require_names(f"{where}.history")
        for name, value in self.settings.items():
            if _is_secret(name) and not isinstance(value, Mapping):
                raise SnapshotError(
                    f"{where}: {name} is plain text, expected a reference: {{env ="
                    ' "NAME"} or {file = "path"}'
                )
        for_kafka_python(dict.fromkeys(set(self.settings) - _OURS, ""), where)

    @property
    def reads_committed(self) -> bool:
        """Whether records of open transactions are excluded."""
        return self._read().isolation_level == "read_committed"

    @property
    def requires_stable(self) -> bool:
        """Whether a commit counts as unknown while an open transaction has a newer commit."""
        return self._read().require_stable in (True, "true")

    @property
    def reads_records(self) -> bool:
        """Whether records may be read; only their timestamps are used."""
        return self._read().record_timestamps

    @property
    def past(self) -> HistorySettings | None:
        """The settings of the metrics store for this cluster's history; None if not configured."""
        return self._read().history

    def librdkafka(self, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
        """Return the settings of confluent-kafka's clients."""
        return _LIMITS | self._resolved(environment)

    def kafka_python(self, environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
        """Return the settings of kafka-python's clients."""
        return {"client_id": CLIENT_ID} | for_kafka_python(
            self._resolved(environment), f"clusters.{self.name}"
        )

    def without_secrets(self, text: str, environment: Mapping[str, str] = os.environ) -> str:
        """Return a Kafka client's message, with this cluster's secret values replaced by `***`."""
        values = []
        for name, value in self.settings.items():
            # A broken reference has no value to hide.
            with suppress(SnapshotError):
                values.append((name, resolved(name, value, environment)))
        return hidden(
            text,
            [value for name, value in values if _is_secret(name) or not _may_be_said(name, value)],
        )

    def _read(self) -> "_OwnSettings":
        return converted(self.settings, _OwnSettings, f"clusters.{self.name}")

    def _resolved(self, environment: Mapping[str, str]) -> dict[str, str]:
        return {
            name: resolved(f"clusters.{self.name}: {name}", value, environment)
            for name, value in self.settings.items()
            if name not in _OURS
        }


def profile_of(name: str) -> Profile:
    """Return a cluster by name, or by address if the configuration allows addresses.

    Raises
    ------
    SnapshotError
        If the configuration has no such cluster, or a wrong setting.
    """
    chosen = configuration()
    known = profiles(chosen.clusters)
    by_address = free_form_profile(name) if chosen.free_form and name not in known else None
    if by_address:
        return by_address
    if name not in known:
        there = (
            f"expected one of: {', '.join(known)}"
            if known
            else f"the configuration has no cluster; expected {_HOW}"
        )
        raise SnapshotError(f'no cluster "{name}": {there}')
    return known[name]


def profile_with_past(name: str) -> Profile | None:
    """Return the configured cluster `name` if it has a metrics store, else None.

    Raises
    ------
    SnapshotError
        If a setting of the cluster is wrong.
    """
    settings = configuration().clusters.get(name)
    if not isinstance(settings, Mapping) or "history" not in settings:
        return None
    return Profile(name, settings)


# Clusters by address, without a login. The administrator must allow them with
# `[live] free_form = true`.


_TLS = "tls://"
_MOST = 20


def free_form_name(servers: str, is_tls: bool) -> str:
    """Check a typed `bootstrap.servers` and return the name that Evenkeel uses for this cluster.

    Raises
    ------
    SnapshotError
        If the text is neither host:port nor a list of such addresses with commas.
    """
    addresses = [address.strip() for address in servers.split(",")]
    if len(addresses) > _MOST:
        raise SnapshotError(
            f"{len(addresses)} addresses, expected at most {_MOST}: each broker tells a client the"
            " addresses of the others"
        )
    for address in addresses:
        if not is_address(address):
            raise SnapshotError(
                f"the address {address[:80]!r} cannot be used, expected host:port, or several with"
                " commas between them; a cluster with a login must be in the configuration"
            )
    return (_TLS if is_tls else "") + ",".join(addresses)


def free_form_profile(name: str) -> Profile | None:
    """Return the cluster if `name` consists of addresses; None for other names."""
    servers = name.removeprefix(_TLS)
    if not all(map(is_address, servers.split(","))):
        return None
    return Profile(
        name,
        {
            "bootstrap.servers": servers,
            "security.protocol": "SSL" if name.startswith(_TLS) else "PLAINTEXT",
        },
    )


CLIENT_ID = "evenkeel"
_NO_SECRETS = {
    *(
        "plaintext",
        "ssl",
        "sasl_plaintext",
        "sasl_ssl",
        "plain",
        "gssapi",
        "oauthbearer",
        "scram-sha-256",
        "scram-sha-512",
    ),
    *("https", "none", "true", "false", CLIENT_ID),
}
"""Values that a message may show; small numbers and the cluster's addresses are also allowed."""
_SMALL = re.compile("[0-9]{1,6}")
_ADDRESS = re.compile(
    r"(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]{2,45}\]):([0-9]{1,5})"
)

_SECRET_WORDS = ("password", "secret", "key.pem", "jaas")
_OURS = {"isolation.level", "require.stable", "record_timestamps", "history"}
"""Settings for Evenkeel itself: clients for describe and offset calls do not get them."""

# Measured: librdkafka waits 30 s for a listener that accepts a connection and never answers; with
# this setting it waits 2 s.
_LIMITS = {"socket.connection.setup.timeout.ms": "2000", "client.id": CLIENT_ID, "log_level": "0"}


class _OwnSettings(msgspec.Struct, rename=lambda name: name.replace("_", ".")):
    """Settings of a cluster for Evenkeel itself; all other settings are for Kafka's clients."""

    bootstrap_servers: Annotated[
        Any, msgspec.Meta(description="host:port, or several with commas between them")
    ]
    isolation_level: Literal["read_uncommitted", "read_committed"] = "read_uncommitted"
    require_stable: Annotated[
        bool | Literal["true", "false"], msgspec.Meta(description="true or false")
    ] = False
    record_timestamps: bool = msgspec.field(default=False, name="record_timestamps")
    history: HistorySettings | None = None


def is_address(text: str) -> bool:
    """Return whether a text is host:port."""
    parts = _ADDRESS.fullmatch(text)
    return parts is not None and 0 < int(parts[1]) < 2**16


def profiles(clusters: Mapping[str, Any]) -> dict[str, Profile]:
    """Return the clusters of the configuration by name.

    Raises
    ------
    SnapshotError
        If kafka-python does not support a setting, a secret is plain text, or a cluster has no
        addresses.
    """
    return {name: Profile(name, settings) for name, settings in clusters.items()}


def _may_be_said(name: str, value: str) -> bool:
    if name == "bootstrap.servers":
        return all(is_address(address.strip()) for address in value.split(","))
    return value.lower() in _NO_SECRETS or _SMALL.fullmatch(value) is not None


def _is_secret(name: str) -> bool:
    return any(word in name for word in _SECRET_WORDS)


# librdkafka's settings by kafka-python's names.


def _addresses(value: str) -> list[str]:
    return [address.strip() for address in value.split(",") if address.strip()]


def _checks_host(value: str) -> bool:
    return value.lower() not in ("none", "")


_WORDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "bootstrap.servers": ("bootstrap_servers", _addresses),
    "client.id": ("client_id", str),
    "security.protocol": ("security_protocol", str.upper),
    "sasl.mechanism": ("sasl_mechanism", str),
    "sasl.mechanisms": ("sasl_mechanism", str),
    "sasl.username": ("sasl_plain_username", str),
    "sasl.password": ("sasl_plain_password", str),
    "sasl.kerberos.service.name": ("sasl_kerberos_service_name", str),
    "ssl.ca.location": ("ssl_cafile", str),
    "ssl.certificate.location": ("ssl_certfile", str),
    "ssl.key.location": ("ssl_keyfile", str),
    "ssl.key.password": ("ssl_password", str),
    "ssl.crl.location": ("ssl_crlfile", str),
    "ssl.endpoint.identification.algorithm": ("ssl_check_hostname", _checks_host),
    "request.timeout.ms": ("request_timeout_ms", int),
    "socket.timeout.ms": ("request_timeout_ms", int),
    "metadata.max.age.ms": ("metadata_max_age_ms", int),
    "connections.max.idle.ms": ("connections_max_idle_ms", int),
    "reconnect.backoff.ms": ("reconnect_backoff_ms", int),
    "reconnect.backoff.max.ms": ("reconnect_backoff_max_ms", int),
    "receive.message.max.bytes": ("receive_message_max_bytes", int),
}
_NOT_NEEDED = {"socket.connection.setup.timeout.ms", "log_level", "socket.keepalive.enable"}
"""Settings that kafka-python does not have and that change no answer."""


def for_kafka_python(settings: Mapping[str, str], where: str) -> dict[str, Any]:
    """Return the settings by kafka-python's names.

    A setting with an empty value is left out, but its name is checked.

    Raises
    ------
    SnapshotError
        If kafka-python does not support a setting, or the value of a numeric setting is no number.
    """
    translated = {}
    for name, value in settings.items():
        if name in _NOT_NEEDED:
            continue
        if name not in _WORDS:
            raise SnapshotError(
                f"{where}: {name} cannot be used: kafka-python, which reads the members of a group,"
                f" has no such setting; expected one of {', '.join(_WORDS)}"
            )
        word, convert = _WORDS[name]
        if value != "":
            try:
                translated[word] = convert(value)
            except ValueError:
                raise SnapshotError(
                    f"{where}: {name} is {type_found(value)}, expected a number"
                ) from None
    return translated
