"""Turns: of several transactions that want the same, one at a time goes on."""

import hashlib

from sqlalchemy import Connection, text


def take_turn(connection: Connection, name: str) -> None:
    """Wait until no other transaction holds this name, and hold it until this one ends. SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        key = int.from_bytes(hashlib.sha256(f"evenkeel {name}".encode()).digest()[:8], signed=True)
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
