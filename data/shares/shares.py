"""Makes, opens, lists and deletes shares, and checks their limits."""

import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, Row, Select, delete, func, insert, select

from evenkeel.data.clock import now
from evenkeel.data.configuration.settings import OF_GROUP, ShareSettings
from evenkeel.data.errors import ExpiredShareError, NoShareError, SnapshotError
from evenkeel.data.shares.database import (
    EXPIRED,
    PAYLOADS,
    SHARES,
    check_is_there,
    reading,
    take_turn,
    writing,
)
from evenkeel.data.shares.ids import hashed, is_id, matches, new_secret
from evenkeel.data.shares.redaction import check_author_texts, redacted
from evenkeel.data.shares.share import (
    Frozen,
    NewShare,
    Payload,
    Share,
    ShareListing,
    checked,
    compressed,
    opened,
)
from evenkeel.data.tally import SHARES_MADE, SHARES_OPENED
from evenkeel.data.text.formats import counted, listed

# Limits of a share: texts, expiry, audience, size and number. Each refusal is one sentence.


_MOST_CHARACTERS = {"title": 200, "author": 100, "note": 4000}
_ALLOWED = "\n\t"


def check_texts(frozen: Frozen) -> None:
    """Refuse texts that cannot be stored, and a `forked_from` that is not an id.

    Raises
    ------
    SnapshotError
        Names the field.
    """
    for field, most in _MOST_CHARACTERS.items():
        _check_text(field, getattr(frozen, field), most)
    if frozen.forked_from is not None and not is_id(frozen.forked_from):
        raise SnapshotError(
            "forked_from is not the id of a share, expected 22 characters of base64url"
        )


def check_expiry(keep: timedelta | None, settings: ShareSettings) -> None:
    """Refuse an expiry that the administrator does not offer.

    Raises
    ------
    SnapshotError
        Names the offered expiries.
    """
    if keep not in settings.expiries:
        raise SnapshotError(
            f"the share expires {_when(keep)}, expected one of:"
            f" {', '.join(map(_when, settings.expiries))}"
        )


def check_audience(frozen: Frozen, settings: ShareSettings) -> None:
    """Refuse an audience that the administrator does not offer.

    A share with stand-ins cannot be for the group's readers, because it has no group name.

    Raises
    ------
    SnapshotError
        Names the offered audiences.
    """
    if frozen.audience is not None and frozen.audience not in settings.audiences:
        raise SnapshotError(
            f"the share is open to {frozen.audience}, expected one of:"
            f" {', '.join(settings.audiences)}"
        )
    if frozen.audience == OF_GROUP and frozen.redact:
        raise SnapshotError(
            "a share with stand-ins has no group name, expected an audience other than the"
            " group's readers"
        )


def check_size(byte_count: int, settings: ShareSettings) -> None:
    """Refuse a share whose content is too large.

    Raises
    ------
    SnapshotError
        Names the size and the limit.
    """
    if byte_count > settings.size:
        raise SnapshotError(
            f"the share has {byte_count / 1e6:,.1f} MB compressed, expected at most"
            f" {settings.size / 1e6:,.1f} MB"
        )


def check_count(made: int, settings: ShareSettings) -> None:
    """Refuse a share if the browser made too many shares in the last 24 hours.

    Raises
    ------
    SnapshotError
        Names the limit.
    """
    if made >= settings.per_day:
        raise SnapshotError(
            f"this browser has made {counted(made, 'share')} in 24 hours, expected at most"
            f" {settings.per_day:,}"
        )


def _check_text(field: str, text: str, most: int) -> None:
    if len(text) > most:
        raise SnapshotError(f"{field} has {len(text):,} characters, expected at most {most:,}")
    odd = {
        f"U+{ord(each):04X}"
        for each in text
        if unicodedata.category(each) in ("Cc", "Cs") and each not in _ALLOWED
    }
    if odd:
        raise SnapshotError(
            f"{field} contains {listed(sorted(odd))}, expected no control characters"
        )


def _when(keep: timedelta | None) -> str:
    if keep is None:
        return "never"
    days, hours = keep / timedelta(days=1), keep / timedelta(hours=1)
    return (
        f"after {days:g} day{'' if days == 1 else 's'}"
        if days >= 1
        else f"after {hours:g} hour{'' if hours == 1 else 's'}"
    )


# Freezing turns the author's input into the stored payload.


def frozen_payload(frozen: Frozen) -> Payload:
    """Return the content to store, with stand-ins in place of redacted names.

    Raises
    ------
    SnapshotError
        If the format is not the format of this Evenkeel, or if a title, note or author contains a
        name to redact.
    """
    payload = checked(frozen.scenario, frozen.result)
    if not frozen.redact:
        return payload
    texts = {field: getattr(frozen, field) for field in ("title", "note", "author")}
    check_author_texts(texts, *payload, frozen.redact)
    return redacted(*payload, frozen.redact)


# Shares: make, open, list and delete them.


_DAY = timedelta(days=1)
_TOLD = timedelta(days=90)
"""For this time after a share has expired, its owner is told so."""


class Shares:
    """The shares of one database.

    Every method raises SnapshotError if the database does not answer. `owner`: the logged-in
    person, else the secret in the browser's cookie; None if there is neither.
    """

    def __init__(
        self,
        engine: Engine,
        settings: ShareSettings = ShareSettings(),
        clock: Callable[[], datetime] = now,
    ):
        self._engine, self._settings, self._clock = engine, settings, clock

    def make(self, frozen: Frozen, owner: str | None) -> NewShare:
        """Store a share, with stand-ins in place of redacted names; return when it is on disk.

        Raises
        ------
        SnapshotError
            If a text, an expiry, a size or the number of shares exceeds a limit; if a format is of
            a newer Evenkeel; if a title, note or author contains a name to redact.
        """
        check_texts(frozen)
        check_expiry(frozen.keep, self._settings)
        check_audience(frozen, self._settings)
        payload = frozen_payload(frozen)
        data = compressed(payload)
        check_size(len(data), self._settings)
        made = NewShare(new_secret(), new_secret())
        now = self._clock()
        owner_hash = owner and hashed(owner)
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
                    # With the id of the original share, a reader could open its true names.
                    forked_from=None if frozen.redact else frozen.forked_from,
                    byte_count=len(data),
                    audience=frozen.audience,
                    cluster=frozen.cluster if frozen.audience == OF_GROUP else None,
                    group_id=frozen.group_id if frozen.audience == OF_GROUP else None,
                )
            )
            connection.execute(insert(PAYLOADS).values(share_id=made.share_id, payload=data))
        SHARES_MADE.add()
        return made

    def open(self, share_id: str, secret: str | None = None) -> Share:
        """Return a share; `secret`: the share's secret, or the `owner` that `make` got.

        Raises
        ------
        NoShareError
            If the id is unknown, malformed, deleted or expired; the message is always the same.
        ExpiredShareError
            If the share has expired and the secret is right.
        """
        row = self._row(
            select(SHARES, PAYLOADS.c.payload).join(PAYLOADS, PAYLOADS.c.share_id == SHARES.c.id),
            share_id,
            secret,
        )
        share = Share(_listed(row), *opened(row.payload))
        SHARES_OPENED.add()
        return share

    def about(self, share_id: str, secret: str | None = None) -> ShareListing:
        """Return facts about a share, without its content; raises as `open`."""
        row = self._row(select(SHARES), share_id, secret)
        return replace(_listed(row), is_own=matches(secret, (row.secret_hash, row.owner_hash)))

    def listed(self, owner: str | None) -> list[ShareListing]:
        """Return the shares that a browser made and that have not expired, newest first."""
        if owner is None:
            return []
        query = (
            select(SHARES)
            .where(SHARES.c.owner_hash == hashed(owner))
            .order_by(SHARES.c.created_at.desc(), SHARES.c.id)
        )
        with reading(self._engine) as connection:
            return [
                _listed(row)
                for row in connection.execute(query)
                if not self._is_over(row.expires_at)
            ]

    def delete(self, share_id: str, secret: str) -> None:
        """Delete a share; `secret`: the share's secret, or the `owner` that `make` got.

        Raises
        ------
        NoShareError
            If the id is unknown or the secret is wrong; the message is always the same.
        """
        with writing(self._engine) as connection:
            query = select(SHARES.c.secret_hash, SHARES.c.owner_hash).where(SHARES.c.id == share_id)
            row = _row_of(connection, query, share_id)
            if row is None or not matches(secret, row):
                raise no_share()
            connection.execute(delete(SHARES).where(SHARES.c.id == share_id))

    def sweep(self) -> int:
        """Delete expired shares; return the number of deleted shares."""
        now = self._clock()
        columns = SHARES.c.id, SHARES.c.expires_at, SHARES.c.owner_hash, SHARES.c.secret_hash
        with writing(self._engine) as connection:
            gone = connection.execute(
                delete(SHARES).where(SHARES.c.expires_at <= now).returning(*columns)
            ).all()
            if gone:
                connection.execute(insert(EXPIRED), [row._asdict() for row in gone])
            connection.execute(delete(EXPIRED).where(EXPIRED.c.expires_at <= now - _TOLD))
        return len(gone)

    def check(self) -> None:
        """Check that the database is writable: write a row and delete it in the same transaction.

        If the check is killed, no row remains.
        """
        check_is_there(self._engine)
        probe = f"probe-{secrets.token_hex(8)}"
        with writing(self._engine) as connection:
            connection.execute(
                insert(EXPIRED).values(id=probe, expires_at=self._clock(), secret_hash="")
            )
            connection.execute(delete(EXPIRED).where(EXPIRED.c.id == probe))

    def _row(self, query: Select, share_id: str, secret: str | None) -> Row:
        with reading(self._engine) as connection:
            row = _row_of(connection, query.where(SHARES.c.id == share_id), share_id)
            if row is None or self._is_over(row.expires_at):
                raise self._refusal(connection, share_id, row, secret)
        return row

    def _is_over(self, expires_at: datetime | None) -> bool:
        return expires_at is not None and expires_at <= self._clock()

    def _refusal(
        self, connection: Connection, share_id: str, expired: Row | None, secret: str | None
    ) -> NoShareError:
        row = expired or _row_of(
            connection, select(EXPIRED).where(EXPIRED.c.id == share_id), share_id
        )
        if row is None or not matches(secret, (row.secret_hash, row.owner_hash)):
            return no_share()
        return ExpiredShareError(
            f"This share expired at {row.expires_at:%Y-%m-%d %H:%M} UTC. Its content is deleted."
        )


def _row_of(connection: Connection, query: Select, share_id: str) -> Row | None:
    """Return the row that a query selects; None if there is no such row or the id is malformed."""
    return connection.execute(query).one_or_none() if is_id(share_id) else None


def _made_since(connection: Connection, owner_hash: str | None, since: datetime) -> int:
    whose = (
        SHARES.c.owner_hash.is_(None) if owner_hash is None else SHARES.c.owner_hash == owner_hash
    )
    return connection.execute(
        select(func.count()).select_from(SHARES).where(whose, SHARES.c.created_at > since)
    ).scalar_one()


def no_share() -> NoShareError:
    """Return the error for an unknown share; the same for a deleted share or a wrong secret."""
    return NoShareError("No share has this address.")


def _listed(row: Row) -> ShareListing:
    return ShareListing(
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
        audience=row.audience,
        cluster=row.cluster,
        group_id=row.group_id,
    )
