"""Shares, their payloads, and expired shares."""

from alembic import op
from sqlalchemy import JSON, Column, DateTime, ForeignKey, Integer, LargeBinary, String, Text

revision = "0001"
down_revision = None

_INSTANT = DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "shares",
        Column("id", String(22), primary_key=True),
        Column("created_at", _INSTANT, nullable=False),
        Column("expires_at", _INSTANT, index=True),
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
    op.create_table(
        "payloads",
        Column(
            "share_id", String(22), ForeignKey("shares.id", ondelete="CASCADE"), primary_key=True
        ),
        Column("payload", LargeBinary, nullable=False),
    )
    op.create_table(
        "expired_shares",
        Column("id", String(22), primary_key=True),
        Column("expires_at", _INSTANT, nullable=False, index=True),
        Column("owner_hash", String(64)),
        Column("secret_hash", String(64), nullable=False),
    )
