"""What the administrator says of logins and of the audit: the tables `[login]` and `[audit]` of the configuration."""

import ipaddress
import re
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Annotated, ClassVar, Self
from urllib.parse import urlsplit

import msgspec

from evenkeel.data.configuration.conversion import ByteCount, Duration
from evenkeel.data.errors import SnapshotError

_Number = Annotated[int, msgspec.Meta(ge=0, description="a whole number, 0 or more")]

_Address = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^https?://[^\s/?#@]+(/[^\s?#@]*)?\Z", description='an address without a user, such as "https://evenkeel.example.com"'
    ),
]

_Secret = Annotated[str | dict[str, str], msgspec.Meta(description='{env = "NAME"} or {file = "path"}')]


class Network(str):
    """An address or a range of addresses, as `10.4.0.7` or `10.4.0.0/16`."""

    EXPECTED: ClassVar[str] = 'an address or a range, such as "10.4.0.7" or "10.4.0.0/16"'

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read one; raises ValueError for a text that is none."""
        return cls(ipaddress.ip_network(text))

    def holds(self, address: str) -> bool:
        """Tell whether an address is in it."""
        try:
            return ipaddress.ip_address(address.removeprefix("::ffff:")) in ipaddress.ip_network(self)
        except ValueError:
            return False


class ProviderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One provider of OpenID Connect: `server_metadata_url` ends with `/.well-known/openid-configuration`; `label`: on its button."""

    client_id: Annotated[str, msgspec.Meta(min_length=1, description="the id of the client at the provider")]
    client_secret: _Secret
    server_metadata_url: _Address
    label: str = ""
    scope: str = "openid email profile"
    prompt: str = "select_account"


class LoginSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may enter: people with a token of a provider, or whom a proxy names.

    `address`: of this server as browsers type it. `cookie_secret`: signs what browsers keep; servers behind one name have the same.
    `trusted_proxy`: from where headers with a name are believed; `renew`: after which time it must name the person of an open tab anew.
    """

    address: _Address = ""
    cookie_secret: _Secret | None = msgspec.field(default=None)
    providers: dict[str, ProviderSettings] = {}
    trusted_proxy: tuple[Network, ...] = ()
    renew: Duration = Duration(minutes=15)


class AuditSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a line for each login, opening, upload, share, export and key goes; `path`: a file, or `stdout`."""

    path: str = "stdout"
    size: ByteCount = ByteCount(100 * 10**6)
    keep: _Number = 10


_PROVIDER = re.compile(r"[A-Za-z0-9-]{1,40}")
_TAKEN = ("proxy", "key")
"""What stands before the id of whoever comes through a proxy, or with a key, as a provider's name does of its people."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def require_login(login: LoginSettings | None) -> None:
    """Refuse a login of which nobody could make use, or that sends secrets in the clear.

    Raises
    ------
    SnapshotError
        Names the key.
    """
    if login and login.renew < timedelta(seconds=10):
        raise SnapshotError("login.renew is shorter than ten seconds, expected a time in which a page can be read, such as 15m")
    _require_names(login.providers if login else {})
    for name, provider in (login.providers if login else {}).items():
        where = f"login.providers.{name}"
        for key, url in (("login.address", login.address), (f"{where}.server_metadata_url", provider.server_metadata_url)):
            if urlsplit(url).scheme != "https" and urlsplit(url).hostname not in _LOOPBACK:
                raise SnapshotError(f"{key} is no address with https, expected one unless it is of this machine")
        if login.cookie_secret is None:
            raise SnapshotError('no key login.cookie_secret, expected {env = "NAME"} or {file = "path"} with at least 32 random characters')


def _require_names(names: Iterable[str]) -> None:
    """Refuse names of providers that cannot be told apart, by eye or in what they call people."""
    before: dict[str, str] = {}
    for name in names:
        where = f"login.providers.{name}"
        if not _PROVIDER.fullmatch(name):
            raise SnapshotError(f"{where}: the name has other characters than letters, digits and '-', or more than 40")
        if name.lower() in _TAKEN:
            raise SnapshotError(f"{where}: {name.lower()} is a name of Evenkeel's own, expected another")
        if name.lower() in before:
            raise SnapshotError(f"{where}: the name differs from {before[name.lower()]} by case alone, expected another")
        before[name.lower()] = name


def line_of_provider(text: str, said: str) -> int | None:
    """Return the line, from 1, of the provider that a message names; None where it names none, or no line has its table."""
    found = re.match(r"login\.providers\.([A-Za-z0-9-]+)", said)
    head = found and re.compile(rf"\s*\[\s*login\s*\.\s*providers\s*\.\s*[\"']?{found[1]}[\"']?\s*]")
    return next((number for number, line in enumerate(text.splitlines(), 1) if head and head.match(line)), None)


def in_folder(audit: AuditSettings | None, folder: Path) -> AuditSettings | None:
    """Return the audit with the path of its file; a relative one starts in `folder`."""
    if audit is None or audit.path == AuditSettings().path:
        return audit
    return msgspec.structs.replace(audit, path=str(folder / Path(audit.path).expanduser()))
