"""Ids and secrets of shares, each 128 random bits; of secrets, only a hash is stored."""

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
    """Return whether a text can be the id of a share."""
    return _ID.fullmatch(text) is not None


def hashed(secret: str) -> str:
    """Return the hash of a secret. It needs no salt, because the secret is random."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def matches(secret: str | None, hashes: Iterable[str | None]) -> bool:
    """Return whether the hash of `secret` is among `hashes`; False if `secret` is None."""
    hash_of_secret = hashed(secret or "")
    return secret is not None and any(
        [hmac.compare_digest(hash_of_secret, each or "") for each in hashes]
    )
