"""Shares, their payloads, and those that have expired."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "shares",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("expires_at", _INSTANT, index=True),
        sa.Column("owner_hash", sa.String(64), index=True),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("engine", sa.Text, nullable=False),
        sa.Column("redacted", sa.JSON, nullable=False),
        sa.Column("forked_from", sa.String(22)),
        sa.Column("byte_count", sa.Integer, nullable=False),
    )
    op.create_table(
        "payloads",
        sa.Column("share_id", sa.String(22), sa.ForeignKey("shares.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("payload", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "expired_shares",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("expires_at", _INSTANT, nullable=False, index=True),
        sa.Column("owner_hash", sa.String(64)),
        sa.Column("secret_hash", sa.String(64), nullable=False),
    )
