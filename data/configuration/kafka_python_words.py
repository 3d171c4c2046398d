"""librdkafka's settings in kafka-python's words."""

from collections.abc import Callable, Mapping
from typing import Any

from evenkeel.data.configuration.conversion import type_found
from evenkeel.data.errors import SnapshotError


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
"""Settings without a counterpart that change no answer."""


def for_kafka_python(settings: Mapping[str, str], where: str) -> dict[str, Any]:
    """Return kafka-python's settings. An empty value is only checked for its name.

    Raises
    ------
    SnapshotError
        For a setting that cannot be translated, by name, and for a text that is no number.
    """
    translated = {}
    for name, value in settings.items():
        if name in _NOT_NEEDED:
            continue
        if name not in _WORDS:
            raise SnapshotError(
                f"{where}: {name} cannot be used: kafka-python, which reads the members of a group, has no such setting; "
                f"expected one of {', '.join(_WORDS)}"
            )
        word, convert = _WORDS[name]
        if value != "":
            try:
                translated[word] = convert(value)
            except ValueError:
                raise SnapshotError(f"{where}: {name} is {type_found(value)}, expected a number") from None
    return translated
