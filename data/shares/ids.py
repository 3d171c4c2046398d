"""Ids and secrets of shares: 128 random bits; secrets are stored only as hashes."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable

# An id has 128 bits and 22 characters have 132, so the last character ends in four zero bits.
_ID = re.compile(r"[A-Za-z0-9_-]{21}[AQgw]", re.ASCII)


def new_secret() -> str:
    """Return 128 random bits as 22 characters of base64url: an id, or a secret."""
    return secrets.token_urlsafe(16)


def is_id(text: str) -> bool:
    """Return whether a text has the form of a share's id."""
    return _ID.fullmatch(text) is not None


def hashed(secret: str) -> str:
    """Return the stored hash of a secret; random bits need no salt."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def matches(secret: str | None, hashes: Iterable[str | None]) -> bool:
    """Return whether a secret has one of the hashes; a secret None never has one."""
    hash_of_secret = hashed(secret or "")
    return secret is not None and any(
        [hmac.compare_digest(hash_of_secret, each or "") for each in hashes]
    )
