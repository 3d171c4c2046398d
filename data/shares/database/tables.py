"""The tables: what is said of a share, its compressed payload, and what is left of one that has expired."""

from datetime import UTC, datetime

from sqlalchemy import JSON, Column, DateTime, Dialect, ForeignKey, Integer, LargeBinary, MetaData, String, Table, Text
from sqlalchemy.types import TypeDecorator

METADATA = MetaData()


class Instant(TypeDecorator[datetime]):
    """A time with its zone; SQLite keeps none, so all times are UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value and (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC))


SHARES = Table(
    "shares",
    METADATA,
    Column("id", String(22), primary_key=True),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, index=True),
    Column("owner_hash", String(64), index=True),
    Column("secret_hash", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("engine", Text, nullable=False),
    Column("redacted", JSON, nullable=False),
    Column("forked_from", String(22)),
    Column("byte_count", Integer, nullable=False),
)
"""`expires_at` is null for never, `owner_hash` for a browser that keeps no cookies."""

PAYLOADS = Table(
    "payloads",
    METADATA,
    Column("share_id", String(22), ForeignKey("shares.id", ondelete="CASCADE"), primary_key=True),
    Column("payload", LargeBinary, nullable=False),
)
"""Apart from SHARES: a list of shares reads no payload."""

EXPIRED = Table(
    "expired_shares",
    METADATA,
    Column("id", String(22), primary_key=True),
    Column("expires_at", Instant, nullable=False, index=True),
    Column("owner_hash", String(64)),
    Column("secret_hash", String(64), nullable=False),
)
"""Enough to tell whoever made a share that it has expired, and nothing of what was in it."""
