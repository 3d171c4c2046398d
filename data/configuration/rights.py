"""Readers: logins, rights and the audit, from `[login]`, `[[rights]]` and `[audit]`.

    granted(rights, {"groups": ["payments-team"]}).may("see", "production", "payments-eu")

Other modules identify the reader. Without `[[rights]]`, every identified reader may do everything.
With at least one right, a reader may do only what a right allows. A glob must match the full name:
`*` is any characters, `?` is one character, and case matters. For an upload, the name of the
cluster is empty.
"""

import hashlib
import ipaddress
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

import msgspec

from evenkeel.data.configuration.conversion import ByteCount, Duration, Number
from evenkeel.data.errors import SnapshotError

Verb = Literal["see", "names", "upload", "share", "mark", "admin"]

_Claim = Annotated[
    str,
    msgspec.Meta(
        min_length=1, description='the name of a claim, such as "groups" or "realm_access.roles"'
    ),
]
_Value = Annotated[str, msgspec.Meta(min_length=1, description="a text that is not empty")]
_Glob = Annotated[
    str,
    msgspec.Meta(
        max_length=300, description='a glob of at most 300 characters, such as "payments*"'
    ),
]
_LISTS = ("groups", "roles")
"""Claims with several values; a proxy sends one header with commas between them."""


class Right(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table `[[rights]]`: allows the verbs in `can` on groups.

    The right is for readers whose claim `claim` matches one of the globs `values`. The verb
    `admin` includes all other verbs.
    """

    claim: _Claim
    values: tuple[_Value, ...]
    can: tuple[Verb, ...]
    clusters: tuple[_Glob, ...] = ("*",)
    groups: tuple[_Glob, ...] = ("*",)


class Grant(msgspec.Struct, frozen=True):
    """The verbs in `can` are allowed on the groups that match the globs `clusters` and `groups`."""

    can: tuple[Verb, ...]
    clusters: tuple[str, ...]
    groups: tuple[str, ...]

    def allows(self, verb: Verb) -> bool:
        """Return whether the verb is allowed; `admin` allows all verbs."""
        return verb in self.can or "admin" in self.can


@dataclass(frozen=True)
class Grants:
    """The rights of one reader."""

    rows: tuple[Grant, ...] = ()

    def may(self, verb: Verb, cluster: str | None, group: str | None) -> bool:
        """Return whether a verb is allowed on a group; None is an empty name."""
        return any(matches(row.groups, group or "") for row in self._on(verb, cluster))

    def may_in(self, verb: Verb, cluster: str | None) -> bool:
        """Return whether a verb is allowed on at least one group name of a cluster."""
        return any(self._on(verb, cluster))

    def may_anywhere(self, verb: Verb) -> bool:
        """Return whether a verb is allowed on at least one group name of at least one cluster."""
        return any(row.allows(verb) for row in self.rows)

    def covers(self, verb: Verb, cluster: str | None) -> bool:
        """Return whether a verb is allowed on all groups of a cluster."""
        return any("*" in row.groups for row in self._on(verb, cluster))

    def covers_everything(self, verb: Verb) -> bool:
        """Return whether a single right allows a verb on all groups (`*`) of all clusters (`*`)."""
        return any(
            row.allows(verb) and "*" in row.clusters and "*" in row.groups for row in self.rows
        )

    @cached_property
    def scope(self) -> str:
        """A digest of the rights, for cache keys: readers with the same rights share a cache."""
        return hashlib.sha256(
            msgspec.json.encode(sorted({msgspec.json.encode(row).decode() for row in self.rows}))
        ).hexdigest()

    def _on(self, verb: Verb, cluster: str | None) -> Iterable[Grant]:
        return (
            row for row in self.rows if row.allows(verb) and matches(row.clusters, cluster or "")
        )


NOTHING = Grants()
EVERYTHING = Grants((Grant(("admin",), ("*",), ("*",)),))


def granted(rights: Sequence[Right], claims: Mapping[str, Any]) -> Grants:
    """Return the rights of a reader.

    `claims`: the reader's claims, from the login provider or the proxy's headers.
    """
    if not rights:
        return EVERYTHING
    return Grants(
        tuple(
            Grant(right.can, right.clusters, right.groups)
            for right in rights
            if _holds(right, claims)
        )
    )


def claim_of(claims: Mapping[str, Any], name: str) -> Any:
    """Return a claim by its name or by its path with dots; None if it is missing.

    An unverified mail address counts as missing, because people can type any address.
    """
    if name == "email" and claims.get("email_verified") in (False, "false"):
        return None
    if name in claims:
        return claims[name]
    first, _, rest = name.partition(".")
    inside = claims.get(first)
    return claim_of(inside, rest) if rest and isinstance(inside, Mapping) else None


def from_headers(values: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the claims in a proxy's headers; `groups` and `roles` become lists."""
    given = {name: value for name, value in values.items() if value}
    return {
        name: [item.strip() for item in value.split(",")] if name in _LISTS else value
        for name, value in given.items()
    }


def matches(globs: Iterable[str], name: str) -> bool:
    """Return whether the full name matches one of the globs."""
    return any(_pattern(wanted).fullmatch(name) for wanted in globs)


@lru_cache(maxsize=4096)
def _pattern(wanted: str) -> re.Pattern[str]:
    first, *others = [
        "".join("." if each == "?" else re.escape(each) for each in part)
        for part in wanted.split("*")
    ]
    if not others:
        return re.compile(first, re.DOTALL)
    # Atomic groups: the first match of each part between two stars is as good as any other, so a
    # long name does not cause backtracking.
    return re.compile(
        first + "".join(f"(?>.*?{part})" for part in others[:-1]) + f".*{others[-1]}", re.DOTALL
    )


def _holds(right: Right, claims: Mapping[str, Any]) -> bool:
    claim = claim_of(claims, right.claim)
    values = claim if isinstance(claim, (list, tuple)) else [claim]
    return any(
        matches(right.values, text) for value in values if (text := _as_text(value)) is not None
    )


def _as_text(value: Any) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (str, int, float)) else None


# The line of a wrong right, because the TOML parser reports no lines.


_HEAD = re.compile(r"\s*\[\[\s*(?:rights|\"rights\"|'rights')\s*]]")
_PLACE = re.compile(r"rights\[(\d+)](?:\.([A-Za-z_-]+))?")


def line_of(text: str, message: str) -> int | None:
    """Return the line number (from 1) of the right or provider in an error message, or None."""
    return _line_of_right(text, message) or _line_of_provider(text, message)


def _line_of_right(text: str, message: str) -> int | None:
    place = _PLACE.search(message)
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if _HEAD.match(line)]
    if place is None or int(place[1]) >= len(heads):
        return None
    first = heads[int(place[1])]
    end = next(
        (
            number
            for number in range(first + 1, len(lines))
            if lines[number].lstrip().startswith("[")
        ),
        len(lines),
    )
    key = re.compile(rf"\s*[\"']?{re.escape(place[2])}[\"']?\s*=") if place[2] else _HEAD
    return next((number + 1 for number in range(first, end) if key.match(lines[number])), first + 1)


def check(rights: Sequence[Right]) -> None:
    """Refuse a right that allows nothing: one without values, verbs or globs.

    Raises
    ------
    SnapshotError
        If a list is empty; the message has the key.
    """
    for number, right in enumerate(rights):
        for name in ("values", "can", "clusters", "groups"):
            if not getattr(right, name):
                raise SnapshotError(
                    f"rights[{number}].{name} is empty, expected at least one entry"
                )


# Logins and the audit.


_Address = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^https?://[^\s/?#@]+(/[^\s?#@]*)?\Z",
        description='an address without a user, such as "https://evenkeel.example.com"',
    ),
]

_Secret = Annotated[
    str | dict[str, str], msgspec.Meta(description='{env = "NAME"} or {file = "path"}')
]


class Network(str):
    """An address or a range of addresses: `10.4.0.7`, `10.4.0.0/16`."""

    EXPECTED: ClassVar[str] = 'an address or a range, such as "10.4.0.7" or "10.4.0.0/16"'

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an address or a range; ValueError if the text is neither."""
        return cls(ipaddress.ip_network(text))

    def holds(self, address: str) -> bool:
        """Return whether an address is in the network."""
        try:
            return ipaddress.ip_address(address.removeprefix("::ffff:")) in ipaddress.ip_network(
                self
            )
        except ValueError:
            return False


class ProviderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An OpenID Connect provider.

    `server_metadata_url`: ends with `/.well-known/openid-configuration`. `label`: text of the
    provider's button on the login page.
    """

    client_id: Annotated[
        str, msgspec.Meta(min_length=1, description="the id of the client at the provider")
    ]
    client_secret: _Secret
    server_metadata_url: _Address
    label: str = ""
    scope: str = "openid email profile"
    prompt: str = "select_account"


class LoginSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may enter: people with a provider's token, and people whose name a proxy sends.

    `address`: this server's address in browsers. `cookie_secret`: signs cookies; servers with the
    same address share it. `trusted_proxy`: addresses whose headers may name a person. `renew`: an
    open tab must get new headers from the proxy after this time.
    """

    address: _Address = ""
    cookie_secret: _Secret | None = msgspec.field(default=None)
    providers: dict[str, ProviderSettings] = {}
    trusted_proxy: tuple[Network, ...] = ()
    renew: Duration = Duration(minutes=15)


class AuditSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the audit is written; `path`: a file, or `stdout`.

    The audit has a line for each login, opened group, upload, share, export and access key.
    """

    path: str = "stdout"
    size: ByteCount = ByteCount(100 * 10**6)
    keep: Number = 10


_PROVIDER = re.compile(r"[A-Za-z0-9-]{1,40}")
_TAKEN = ("proxy", "key")
"""Names that no provider may have: they start the ids of readers with a proxy's header or a key."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def require_login(login: LoginSettings) -> None:
    """Refuse a login that cannot work, or that sends secrets unencrypted.

    Raises
    ------
    SnapshotError
        If a key is missing or wrong; the message has the key.
    """
    if login.renew < timedelta(seconds=10):
        raise SnapshotError(
            "login.renew is shorter than ten seconds, expected a longer time, such as 15m"
        )
    _require_names(login.providers)
    for name, provider in login.providers.items():
        where = f"login.providers.{name}"
        for key, url in (
            ("login.address", login.address),
            (f"{where}.server_metadata_url", provider.server_metadata_url),
        ):
            if urlsplit(url).scheme != "https" and urlsplit(url).hostname not in _LOOPBACK:
                raise SnapshotError(
                    f"{key} is not an https address; expected https, except for this machine"
                )
        if login.cookie_secret is None:
            raise SnapshotError(
                'no key login.cookie_secret, expected {env = "NAME"} or {file = "path"} with at'
                " least 32 random characters"
            )


def _require_names(names: Iterable[str]) -> None:
    """Refuse a provider if its name is invalid or taken; case makes no difference."""
    before: dict[str, str] = {}
    for name in names:
        where = f"login.providers.{name}"
        if not _PROVIDER.fullmatch(name):
            raise SnapshotError(f"{where}: expected a name of at most 40 letters, digits and '-'")
        if name.lower() in _TAKEN:
            raise SnapshotError(f"{where}: Evenkeel uses the name {name.lower()}, expected another")
        if name.lower() in before:
            raise SnapshotError(
                f"{where}: the name differs from {before[name.lower()]} only in case, expected"
                " another"
            )
        before[name.lower()] = name


def _line_of_provider(text: str, message: str) -> int | None:
    match = re.match(r"login\.providers\.([A-Za-z0-9-]+)", message)
    head = match and re.compile(
        rf"\s*\[\s*login\s*\.\s*providers\s*\.\s*[\"']?{match[1]}[\"']?\s*]"
    )
    return next(
        (number for number, line in enumerate(text.splitlines(), 1) if head and head.match(line)),
        None,
    )


def in_folder(audit: AuditSettings | None, folder: Path) -> AuditSettings | None:
    """Return the audit settings with the file's full path; a relative path starts in `folder`."""
    if audit is None or audit.path == AuditSettings().path:
        return audit
    return msgspec.structs.replace(audit, path=str(folder / Path(audit.path).expanduser()))
