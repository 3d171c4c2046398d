"""Keys with which programs read a server; only a hash of each key is stored.

A key may read the groups that match its globs, until it expires or is revoked.

made = keys().create("prometheus", groups=["payments*"], keep=timedelta(days=90))
keys().find(made.key).grants.may("see", "production", "payments-eu")
"""

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Engine, Row, insert, select, update

from evenkeel.data.clock import now
from evenkeel.data.configuration.rights import Grant, Grants
from evenkeel.data.errors import SnapshotError
from evenkeel.data.shares.database import KEYS, reading, take_turn, writing

_PREFIX = "evenkeel_"
_FORM = re.compile(rf"{_PREFIX}[A-Za-z0-9_-]{{43}}", re.ASCII)
_MOST_NAME, _MOST_GLOB = 100, 300


class MadeKey(NamedTuple):
    """A new key and its id; only the id and a hash of the key are stored."""

    key_id: str
    key: str


@dataclass(frozen=True)
class Key:
    """Facts about a key, without the key itself. `expires_at`: None if the key never expires."""

    key_id: str
    name: str
    clusters: tuple[str, ...]
    groups: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None

    @property
    def grants(self) -> Grants:
        """Rights of a program with this key: it may only see groups."""
        return Grants((Grant(("see",), self.clusters, self.groups),))

    def state(self, at: datetime) -> str:
        """Return the state at a time: `valid`, `expired` or `revoked`."""
        if self.revoked_at:
            return "revoked"
        return "expired" if self.expires_at and self.expires_at <= at else "valid"


def is_key(text: str) -> bool:
    """Return whether a text begins like a key; a proxy may send other texts in the same header."""
    return text.startswith(_PREFIX)


class Keys:
    """The keys of one database.

    Every method raises SnapshotError if the database does not answer.
    """

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = now):
        self._engine, self._clock = engine, clock

    def create(
        self,
        name: str,
        groups: Sequence[str],
        clusters: Sequence[str] = ("*",),
        keep: timedelta | None = None,
    ) -> MadeKey:
        """Make a key of 256 random bits; `keep`: time until the key expires, None for never.

        Raises
        ------
        SnapshotError
            If a valid key has the name, or if the name or a glob cannot be stored.
        """
        _check("name", [name], _MOST_NAME)
        _check("glob", [*groups, *clusters], _MOST_GLOB)
        made, at = MadeKey(secrets.token_hex(4), _PREFIX + secrets.token_urlsafe(32)), self._clock()
        values = {
            "id": made.key_id,
            "name": name,
            "key_hash": _hashed(made.key),
            "clusters": list(clusters),
            "groups": list(groups),
        }
        with writing(self._engine) as connection:
            take_turn(connection, f"key {name}")
            same = [
                _key(row) for row in connection.execute(select(KEYS).where(KEYS.c.name == name))
            ]
            if any(key.state(at) == "valid" for key in same):
                raise SnapshotError(
                    f"a valid key has the name {name!r}, expected another name, or first:"
                    f" evenkeel keys revoke {name!r}"
                )
            connection.execute(
                insert(KEYS).values(**values, created_at=at, expires_at=keep and at + keep)
            )
        return made

    def find(self, key: str) -> Key | None:
        """Return facts about a key; None if the key is unknown or not valid."""
        if not _FORM.fullmatch(key):
            return None
        with reading(self._engine) as connection:
            row = connection.execute(
                select(KEYS).where(KEYS.c.key_hash == _hashed(key))
            ).one_or_none()
        known_key = row and _key(row)
        return known_key if known_key and known_key.state(self._clock()) == "valid" else None

    def listed(self) -> list[Key]:
        """Return all keys, newest first."""
        with reading(self._engine) as connection:
            return [
                _key(row)
                for row in connection.execute(
                    select(KEYS).order_by(KEYS.c.created_at.desc(), KEYS.c.id)
                )
            ]

    def revoke(self, name_or_id: str) -> list[Key]:
        """Revoke all valid keys with a name, or the key with an id; return the revoked keys.

        Every server refuses a revoked key at once.

        Raises
        ------
        SnapshotError
            If no valid key has the name or id.
        """
        at = self._clock()
        matching = [
            key
            for key in self.listed()
            if name_or_id in (key.name, key.key_id) and key.state(at) == "valid"
        ]
        if not matching:
            raise SnapshotError(
                f"no valid key has the name or id {name_or_id!r}, expected a name or an id of:"
                " evenkeel keys list"
            )
        with writing(self._engine) as connection:
            connection.execute(
                update(KEYS)
                .where(KEYS.c.id.in_([key.key_id for key in matching]))
                .values(revoked_at=at)
            )
        return matching


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _check(kind: str, texts: Sequence[str], most: int) -> None:
    for text in texts:
        if not 0 < len(text) <= most or any(
            unicodedata.category(each) in ("Cc", "Cs") for each in text
        ):
            raise SnapshotError(
                f"{kind} {text[:most]!r}, expected 1 to {most} characters without control"
                " characters"
            )


def _key(row: Row) -> Key:
    values = row.id, row.name, tuple(row.clusters), tuple(row.groups)
    return Key(*values, row.created_at, row.expires_at, row.revoked_at)
