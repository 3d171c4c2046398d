"""The audience of a share, and keys for programs."""

from alembic import op
from sqlalchemy import JSON, Column, DateTime, String, Text

revision = "0002"
down_revision = "0001"

_INSTANT = DateTime(timezone=True)


def upgrade() -> None:
    """Add the columns and the table."""
    for column in (
        Column("audience", String(8)),
        Column("cluster", Text),
        Column("group_id", Text),
    ):
        op.add_column("shares", column)
    op.create_table(
        "keys",
        Column("id", String(16), primary_key=True),
        Column("name", Text, nullable=False),
        Column("key_hash", String(64), nullable=False, unique=True),
        Column("clusters", JSON, nullable=False),
        Column("groups", JSON, nullable=False),
        Column("created_at", _INSTANT, nullable=False),
        Column("expires_at", _INSTANT),
        Column("revoked_at", _INSTANT),
    )
