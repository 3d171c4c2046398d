"""Clusters that a person names by their address, without a login. The administrator must allow it: `[live] free_form = true`."""

from evenkeel.data.configuration.profile import Profile, is_address
from evenkeel.data.errors import SnapshotError

_TLS = "tls://"
_MOST = 20


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
        if not is_address(address):
            raise SnapshotError(
                f"the address {address[:80]!r} cannot be used, expected host:port, more of them separated by commas; "
                "a cluster with a login must be in the configuration"
            )
    return (_TLS if is_tls else "") + ",".join(addresses)


def free_form_profile(name: str) -> Profile | None:
    """Return the cluster of such a name, null for any other name."""
    servers = name.removeprefix(_TLS)
    if not all(map(is_address, servers.split(","))):
        return None
    return Profile(name, {"bootstrap.servers": servers, "security.protocol": "SSL" if name.startswith(_TLS) else "PLAINTEXT"})
