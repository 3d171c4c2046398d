"""Shares: make, open, list and delete them."""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, Row, Select, delete, func, insert, select

from evenkeel.data.clock import now
from evenkeel.data.configuration.file import ShareSettings
from evenkeel.data.errors import ExpiredShareError, NoShareError
from evenkeel.data.shares.database.engine import check_is_there, reading, writing
from evenkeel.data.shares.database.tables import EXPIRED, PAYLOADS, SHARES
from evenkeel.data.shares.database.turns import take_turn
from evenkeel.data.shares.freezing import frozen_payload
from evenkeel.data.shares.identity import hashed, is_id, matches, new_secret
from evenkeel.data.shares.limits import check_count, check_expiry, check_size, check_texts
from evenkeel.data.shares.payload import compressed, opened
from evenkeel.data.shares.share import Frozen, Listed, Made, Share
from evenkeel.data.tally import SHARES_MADE, SHARES_OPENED

_DAY = timedelta(days=1)
_TOLD = timedelta(days=90)
"""So long after its expiry whoever made a share is told that it has expired."""


class Shares:
    """The shares of one database. Every method raises SnapshotError where the database does not answer.

    An owner is the value of a browser's secret cookie; None for a browser that keeps none.
    """

    def __init__(self, engine: Engine, settings: ShareSettings = ShareSettings(), clock: Callable[[], datetime] = now):
        self._engine, self._settings, self._clock = engine, settings, clock

    def make(self, frozen: Frozen, owner: str | None) -> Made:
        """Freeze a scenario and its result; they are on disk when this returns. Names to redact go no further than this.

        Raises
        ------
        SnapshotError
            For a text, an expiry, a size or a number of shares over a limit; for a format of a newer Evenkeel; for a title, note or
            author that holds a name to redact.
        """
        check_texts(frozen)
        check_expiry(frozen.keep, self._settings)
        payload = frozen_payload(frozen)
        data = compressed(payload)
        check_size(len(data), self._settings)
        made, now, owner_hash = Made(new_secret(), new_secret()), self._clock(), owner and hashed(owner)
        with writing(self._engine) as connection:
            take_turn(connection, f"shares of {owner_hash}")
            check_count(_made_since(connection, owner_hash, now - _DAY), self._settings)
            connection.execute(
                insert(SHARES).values(
                    id=made.share_id,
                    created_at=now,
                    expires_at=frozen.keep and now + frozen.keep,
                    owner_hash=owner_hash,
                    secret_hash=hashed(made.delete_secret),
                    title=frozen.title,
                    note=frozen.note,
                    author=frozen.author,
                    engine=str(payload.result[0].get("engine") or ""),
                    redacted=list(frozen.redact),
                    # The id of another share would open that one, with its true names.
                    forked_from=None if frozen.redact else frozen.forked_from,
                    byte_count=len(data),
                )
            )
            connection.execute(insert(PAYLOADS).values(share_id=made.share_id, payload=data))
        SHARES_MADE.add()
        return made

    def open(self, share_id: str, secret: str | None = None) -> Share:
        """Return a share; `secret`: the one that deletes it, or the owner's.

        Raises
        ------
        NoShareError
            One answer for an id that is unknown, malformed, deleted or expired.
        ExpiredShareError
            For one that has expired, to whoever has the secret.
        """
        row = self._row(select(SHARES, PAYLOADS.c.payload).join(PAYLOADS, PAYLOADS.c.share_id == SHARES.c.id), share_id, secret)
        share = Share(_listed(row), *opened(row.payload))
        SHARES_OPENED.add()
        return share

    def about(self, share_id: str, secret: str | None = None) -> Listed:
        """Return a share without its payload; raises as `open` does."""
        return _listed(self._row(select(SHARES), share_id, secret))

    def listed(self, owner: str | None) -> list[Listed]:
        """Return what a browser has made and anyone can still open, the youngest first."""
        if owner is None:
            return []
        query = select(SHARES).where(SHARES.c.owner_hash == hashed(owner)).order_by(SHARES.c.created_at.desc(), SHARES.c.id)
        with reading(self._engine) as connection:
            return [_listed(row) for row in connection.execute(query) if not self._is_over(row.expires_at)]

    def delete(self, share_id: str, secret: str) -> None:
        """Delete a share with its payload; `secret`: the one that deletes it, or the owner's.

        Raises
        ------
        NoShareError
            One answer for every other id, and for another secret.
        """
        with writing(self._engine) as connection:
            query = select(SHARES.c.secret_hash, SHARES.c.owner_hash).where(SHARES.c.id == share_id)
            row = _found(connection, query, share_id)
            if row is None or not matches(secret, row):
                raise _no_share()
            connection.execute(delete(SHARES).where(SHARES.c.id == share_id))

    def sweep(self) -> int:
        """Delete the shares that have expired, with their payloads; return how many."""
        now, kept = self._clock(), (SHARES.c.id, SHARES.c.expires_at, SHARES.c.owner_hash, SHARES.c.secret_hash)
        with writing(self._engine) as connection:
            gone = connection.execute(delete(SHARES).where(SHARES.c.expires_at <= now).returning(*kept)).all()
            if gone:
                connection.execute(insert(EXPIRED), [row._asdict() for row in gone])
            connection.execute(delete(EXPIRED).where(EXPIRED.c.expires_at <= now - _TOLD))
        return len(gone)

    def check(self) -> None:
        """Write a row and delete it in one transaction: a check that is killed leaves nothing.

        Raises
        ------
        SnapshotError
            Where the database does not answer, or cannot be written.
        """
        check_is_there(self._engine)
        probe = f"probe-{secrets.token_hex(8)}"
        with writing(self._engine) as connection:
            connection.execute(insert(EXPIRED).values(id=probe, expires_at=self._clock(), secret_hash=""))
            connection.execute(delete(EXPIRED).where(EXPIRED.c.id == probe))

    def _row(self, query: Select, share_id: str, secret: str | None) -> Row:
        """Return the row of one share; raises as `open` does."""
        with reading(self._engine) as connection:
            row = _found(connection, query.where(SHARES.c.id == share_id), share_id)
            if row is None or self._is_over(row.expires_at):
                raise self._refusal(connection, share_id, row, secret)
        return row

    def _is_over(self, expires_at: datetime | None) -> bool:
        return expires_at is not None and expires_at <= self._clock()

    def _refusal(self, connection: Connection, share_id: str, expired: Row | None, secret: str | None) -> NoShareError:
        row = expired or _found(connection, select(EXPIRED).where(EXPIRED.c.id == share_id), share_id)
        if row is None or not matches(secret, (row.secret_hash, row.owner_hash)):
            return _no_share()
        return ExpiredShareError(f"This share expired at {row.expires_at:%Y-%m-%d %H:%M} UTC, and what was in it is deleted.")


def _found(connection: Connection, query: Select, share_id: str) -> Row | None:
    """Return the row that a query finds; an id that is malformed is not asked for."""
    return connection.execute(query).one_or_none() if is_id(share_id) else None


def _made_since(connection: Connection, owner_hash: str | None, since: datetime) -> int:
    whose = SHARES.c.owner_hash.is_(None) if owner_hash is None else SHARES.c.owner_hash == owner_hash
    return connection.execute(select(func.count()).select_from(SHARES).where(whose, SHARES.c.created_at > since)).scalar_one()


def _no_share() -> NoShareError:
    return NoShareError("No share is kept under this address.")


def _listed(row: Row) -> Listed:
    return Listed(
        share_id=row.id,
        created_at=row.created_at,
        expires_at=row.expires_at,
        title=row.title,
        note=row.note,
        author=row.author,
        engine=row.engine,
        redacted=tuple(row.redacted),
        forked_from=row.forked_from,
        byte_count=row.byte_count,
    )
