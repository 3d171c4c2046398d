"""The metrics store that has a cluster's history: `[clusters.NAME.history]`."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from evenkeel.data.configuration.conversion import resolved
from evenkeel.data.errors import SnapshotError

_ADDRESS = r"^https?://[^\s/?#@]+(?:/[^\s?#@]*)?\Z"
_LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*", re.ASCII)
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", re.ASCII)


class HistorySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A metrics store with the API of Prometheus.

    Parameters
    ----------
    prometheus : str
        Address of the store, without `/api/v1`.
    match : dict
        Labels that each series must have, if several clusters share the store.
    headers : dict
        Headers of requests; values are references.
    ca, certificate, key : str or None
        Paths of PEM files: the server's authority, the client's certificate and the client's key.
    labels : dict
        Names of the labels group, topic and partition, if relabelling has changed them.
    exporter : str
        The exporter whose gauges are read; `auto`: the exporter whose gauges exist.
    """

    prometheus: Annotated[
        str,
        msgspec.Meta(
            pattern=_ADDRESS,
            description='an address without a login, such as "https://thanos.example.com"',
        ),
    ]
    match: dict[str, str] = {}
    headers: dict[
        str,
        Annotated[
            dict[str, str],
            msgspec.Meta(description='a reference: {env = "NAME"} or {file = "path"}'),
        ],
    ] = {}
    ca: str | None = None
    certificate: str | None = None
    key: str | None = None
    labels: dict[Literal["group", "topic", "partition"], str] = {}
    exporter: str = "auto"

    def require_names(self, where: str) -> None:
        """Check the names of labels and headers.

        Raises
        ------
        SnapshotError
            If a name is invalid; the message has the key.
        """
        for table, pattern, expected in (
            ("match", _LABEL, "a name of a label such as cluster"),
            ("headers", _HEADER, "a name of a header such as Authorization"),
        ):
            for name in getattr(self, table):
                if not pattern.fullmatch(name):
                    raise SnapshotError(f"{where}.{table} has {name[:80]!r}, expected {expected}")
        for role, name in self.labels.items():
            if not _LABEL.fullmatch(name):
                raise SnapshotError(
                    f"{where}.labels.{role} is {name[:80]!r}, expected a name of a label"
                )

    def resolved_headers(self, where: str, environment: Mapping[str, str]) -> dict[str, str]:
        """Return the headers with their values.

        Raises
        ------
        SnapshotError
            If a reference is broken, or its text is not allowed in a header.
        """
        headers = {
            name: resolved(f"{where}.headers.{name}", value, environment)
            for name, value in self.headers.items()
        }
        for name, value in headers.items():
            if not value.isascii() or not value.isprintable():
                raise SnapshotError(
                    f"{where}.headers.{name}: its value is not one line of ASCII text"
                )
        return headers
