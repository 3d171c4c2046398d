"""The login cookie: one short signed value. The reader's rights are computed from its content.

The cookie contains the provider, the person, the expiry time of the ID token, the name claim and
the claims that `[[rights]]` uses. Streamlit's own login cookies are not used for rights: they
consist of several parts with separate signatures, so somebody could combine the parts of two
logins.
"""

import hashlib
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from itsdangerous import BadData, URLSafeSerializer

from evenkeel.data.configuration import Configuration
from evenkeel.data.configuration.rights import claim_of

COOKIE = "evenkeel_login"
SKEW_SECONDS = 60
"""Largest allowed difference between a provider's clock and this server's clock."""

LONGEST_SECONDS = 30 * 86_400
_FORM = "evenkeel login 1"
"""A part of each signed text, so that a cookie of another version is invalid. Change this text if
the fields of Login change.
"""

_NAMES = ("name", "preferred_username", "user", "email", "sub")


class Login(NamedTuple):
    """The content of a login cookie. `client_id`: the client that the ID token was issued for.
    `begin`, `end`: the token is valid between these times, in seconds since 1970; `end` is at most
    30 days after the login.
    """

    provider: str
    subject: str
    client_id: str
    begin: float
    end: float
    name: str
    claims: dict[str, Any]


def login_of(token: Mapping[str, Any], chosen: Configuration) -> Login:
    """Return the content of an ID token. The content is not checked here; `why_not` checks it."""
    provider, audience = str(token.get("provider")), token.get("aud")
    client_id = _client_id(chosen, provider)
    is_for_client = client_id in (audience if isinstance(audience, list) else [audience])
    named = {right.claim: claim_of(token, right.claim) for right in chosen.rights}
    return Login(
        provider,
        str(token.get("sub") or ""),
        client_id if client_id and is_for_client else "",
        _number(token.get("nbf") or token.get("iat") or 0, float("inf")),
        min(_number(token.get("exp"), 0.0), time.time() + LONGEST_SECONDS),
        name_in(token),
        {name: value for name, value in named.items() if value is not None},
    )


def _number(value: Any, otherwise: float) -> float:
    is_time = isinstance(value, (int, float)) and value == value
    return value if is_time else otherwise


def name_in(claims: Mapping[str, Any]) -> str:
    """Return a person's name for pages; empty if the claims have no name."""
    return next((str(claims[name]) for name in _NAMES if claims.get(name)), "")


def why_not(login: Login, chosen: Configuration) -> str:
    """Return why a login is not valid now, or an empty text if it is valid."""
    client_id, now = _client_id(chosen, login.provider), time.time()
    if not client_id or not login.subject:
        return "a login at a provider that is not configured"
    if login.client_id != client_id:
        return "a token for another client"
    if login.end + SKEW_SECONDS <= now:
        return "a login that has ended"
    return "a token whose time is in the future" if login.begin - SKEW_SECONDS > now else ""


def _client_id(chosen: Configuration, provider: str) -> str:
    settings = chosen.login and chosen.login.providers.get(provider)
    return settings.client_id if settings else ""


def signed(login: Login, secret: str) -> str:
    """Return the signed value of the cookie."""
    return _serializer(secret).dumps(login)


@lru_cache(maxsize=512)
def login_in(value: str, secret: str) -> Login | None:
    """Return the login in a cookie's value. None if the value was not signed with this secret. The
    comparison of signatures takes constant time.
    """
    try:
        return Login(*_serializer(secret).loads(value))
    except BadData:
        return None


def _serializer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(
        secret,
        salt=_FORM,
        signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
    )
