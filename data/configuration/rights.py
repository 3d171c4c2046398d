"""Rights: who may do what with which groups, from `[[rights]]` of the configuration; nothing here asks who a reader is.

    granted(rights, {"groups": ["payments-team"]}).may("see", "production", "payments-eu")

Without any right whoever is known may do everything; once one is written, what no right allows is denied. A glob is matched in
full and with case: `*` stands for any characters, `?` for one. What is of no cluster, such as an upload, has the empty name.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal

import msgspec

from evenkeel.data.errors import SnapshotError

Verb = Literal["see", "names", "upload", "share", "admin"]
VERBS: tuple[Verb, ...] = ("see", "names", "upload", "share", "admin")

_Claim = Annotated[str, msgspec.Meta(min_length=1, description='the name of a claim, such as "groups" or "realm_access.roles"')]
_Value = Annotated[str, msgspec.Meta(min_length=1, description="a text that is not empty")]
_Glob = Annotated[str, msgspec.Meta(max_length=300, description='a glob of at most 300 characters, such as "payments*"')]
_LISTS = ("groups", "roles")
"""Claims that a proxy sends as one header, their values separated by commas."""


class Right(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table `[[rights]]`: readers with one of these values of the claim may do this with these groups of these clusters.

    `values` are globs. `admin` includes every other verb.
    """

    claim: _Claim
    values: tuple[_Value, ...]
    can: tuple[Verb, ...]
    clusters: tuple[_Glob, ...] = ("*",)
    groups: tuple[_Glob, ...] = ("*",)


class Grant(msgspec.Struct, frozen=True):
    """Verbs on the groups of clusters, both as globs."""

    can: tuple[Verb, ...]
    clusters: tuple[str, ...]
    groups: tuple[str, ...]

    def allows(self, verb: Verb) -> bool:
        """Tell whether the verb is among them; `admin` is all of them."""
        return verb in self.can or "admin" in self.can


@dataclass(frozen=True)
class Grants:
    """What one reader may do."""

    rows: tuple[Grant, ...] = ()

    def may(self, verb: Verb, cluster: str | None, group: str | None) -> bool:
        """Tell whether this is allowed with a group; None: of no cluster, without a name."""
        return any(matches(row.groups, group or "") for row in self._on(verb, cluster))

    def may_in(self, verb: Verb, cluster: str | None) -> bool:
        """Tell whether this is allowed with some group of a cluster, were there one."""
        return any(self._on(verb, cluster))

    def may_anywhere(self, verb: Verb) -> bool:
        """Tell whether this is allowed with any group of any cluster."""
        return any(row.allows(verb) for row in self.rows)

    def covers(self, verb: Verb, cluster: str | None) -> bool:
        """Tell whether this is allowed with every group of a cluster, whatever it is called."""
        return any("*" in row.groups for row in self._on(verb, cluster))

    @cached_property
    def scope(self) -> str:
        """A digest: equal for readers who may do the same; the part of a cache's key that keeps their values apart."""
        return hashlib.sha256(msgspec.json.encode(sorted({msgspec.json.encode(row).decode() for row in self.rows}))).hexdigest()

    def _on(self, verb: Verb, cluster: str | None) -> Iterable[Grant]:
        return (row for row in self.rows if row.allows(verb) and matches(row.clusters, cluster or ""))


NOTHING = Grants()
EVERYTHING = Grants((Grant(("admin",), ("*",), ("*",)),))


def granted(rights: Sequence[Right], claims: Mapping[str, Any]) -> Grants:
    """Return what a reader with these claims may do; `claims`: as the provider's token or the proxy's headers say them."""
    if not rights:
        return EVERYTHING
    return Grants(tuple(Grant(right.can, right.clusters, right.groups) for right in rights if _holds(right, claims)))


def claim_of(claims: Mapping[str, Any], name: str) -> Any:
    """Return a claim by its name, or by its path with dots; None where there is none.

    An address of mail that the provider says is not verified is none: its holder may have typed any.
    """
    if name == "email" and claims.get("email_verified") in (False, "false"):
        return None
    if name in claims:
        return claims[name]
    first, _, rest = name.partition(".")
    inside = claims.get(first)
    return claim_of(inside, rest) if rest and isinstance(inside, Mapping) else None


def from_headers(values: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the claims that a proxy's headers make; `groups` and `roles` are lists, separated by commas."""
    said = {name: value for name, value in values.items() if value}
    return {name: [one.strip() for one in value.split(",")] if name in _LISTS else value for name, value in said.items()}


def matches(globs: Iterable[str], name: str) -> bool:
    """Tell whether a name matches one of the globs in full."""
    return any(_pattern(wanted).fullmatch(name) for wanted in globs)


@lru_cache(maxsize=4096)
def _pattern(wanted: str) -> re.Pattern[str]:
    first, *others = ["".join("." if each == "?" else re.escape(each) for each in part) for part in wanted.split("*")]
    if not others:
        return re.compile(first, re.DOTALL)
    # Atomic: the earliest place of each part between two stars is as good as any, and a long name takes no longer than its length allows.
    return re.compile(first + "".join(f"(?>.*?{part})" for part in others[:-1]) + f".*{others[-1]}", re.DOTALL)


def _holds(right: Right, claims: Mapping[str, Any]) -> bool:
    found = claim_of(claims, right.claim)
    values = found if isinstance(found, (list, tuple)) else [found]
    return any(matches(right.values, text) for value in values if (text := _as_text(value)) is not None)


def _as_text(value: Any) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (str, int, float)) else None


# The line of a wrong right: TOML's reader tells none.


_HEAD = re.compile(r"\s*\[\[\s*(?:rights|\"rights\"|'rights')\s*]]")
_PLACE = re.compile(r"rights\[(\d+)](?:\.([A-Za-z_-]+))?")


def line_of(text: str, said: str) -> int | None:
    """Return the line, from 1, of the right that a message names, or of its key; None where the message names none."""
    place = _PLACE.search(said)
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if _HEAD.match(line)]
    if place is None or int(place[1]) >= len(heads):
        return None
    first = heads[int(place[1])]
    end = next((number for number in range(first + 1, len(lines)) if lines[number].lstrip().startswith("[")), len(lines))
    key = re.compile(rf"\s*[\"']?{re.escape(place[2])}[\"']?\s*=") if place[2] else _HEAD
    return next((number + 1 for number in range(first, end) if key.match(lines[number])), first + 1)


def check(rights: Sequence[Right]) -> None:
    """Refuse a right without values, verbs or globs: it would allow nothing, and say something else.

    Raises
    ------
    SnapshotError
        Names the key.
    """
    for number, right in enumerate(rights):
        for name in ("values", "can", "clusters", "groups"):
            if not getattr(right, name):
                raise SnapshotError(f"rights[{number}].{name} is empty, expected at least one entry")
