"""Clusters that a person names by their address, without a login. The administrator must allow it: `[live] free_form = true`."""

import re

from data.configuration.profile import Profile
from data.errors import SnapshotError

_TLS = "tls://"
_MOST = 20
_ADDRESS = re.compile(r"(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})")


def free_form_name(servers: str, is_tls: bool) -> str:
    """Return the name of a cluster from what a person typed as its `bootstrap.servers`.

    Raises
    ------
    SnapshotError
        For anything but host:port, more of them separated by commas.
    """
    addresses = [address.strip() for address in servers.split(",")]
    if len(addresses) > _MOST:
        raise SnapshotError(f"{len(addresses)} addresses, expected at most {_MOST}: a client learns the other brokers from any of them")
    for address in addresses:
        if not _is_address(address):
            raise SnapshotError(
                f"the address {address[:80]!r} cannot be used, expected host:port, more of them separated by commas; "
                "a cluster with a login must be in the configuration"
            )
    return (_TLS if is_tls else "") + ",".join(addresses)


def free_form_profile(name: str) -> Profile | None:
    """Return the cluster of such a name, null for any other name."""
    servers = name.removeprefix(_TLS)
    if not all(map(_is_address, servers.split(","))):
        return None
    return Profile(name, {"bootstrap.servers": servers, "security.protocol": "SSL" if name.startswith(_TLS) else "PLAINTEXT"})


def _is_address(text: str) -> bool:
    parts = _ADDRESS.fullmatch(text)
    return parts is not None and 0 < int(parts[1]) < 2**16
