"""The owner of shares: a browser's secret."""

import re
from collections.abc import Mapping

import streamlit as st

from evenkeel.dashboard.shell.reader import (
    audited,
    reader,
)
from evenkeel.data.errors import NoShareError
from evenkeel.data.shares.share import ShareListing
from evenkeel.data.shares.store import shares


def short_id(share_id: str) -> str:
    """Return a share's name for the audit: its whole id opens it."""
    return f"share {share_id[:6]}…"


# The shares that a browser has made.


def own_shares(owner: str | None) -> list[ShareListing]:
    """Return what this reader, or this browser before there was a login, has shared, the youngest
    first.
    """
    own_list = [share for secret in {owner, _browser()} for share in shares().listed(secret)]
    return sorted(own_list, key=lambda share: share.created_at, reverse=True)


def delete_share(share_id: str, secret: str) -> None:
    """Delete a share of this reader, or of this browser."""
    try:
        shares().delete(share_id, secret)
    except NoShareError:
        browser = _browser()
        if browser is None or browser == secret:
            raise
        shares().delete(share_id, browser)
    audited("share deleted", what=short_id(share_id))


# Owner: the secret cookie by which a browser lists and deletes the shares that it made.


COOKIE = "evenkeel_owner"
SECURE_COOKIE = f"__Host-{COOKIE}"
"""The name under TLS: browsers take it from this host alone, and neither from plain HTTP nor for a
whole domain.
"""

_FORM = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


def is_owner(text: str | None) -> bool:
    """Tell whether a text has the form of such a cookie."""
    return text is not None and _FORM.fullmatch(text) is not None


def owner_in(cookies: Mapping[str, str]) -> str | None:
    """Return the owner of a browser by its cookies; a cookie from before the server had TLS counts
    if there is no other.
    """
    return next(filter(is_owner, map(cookies.get, (SECURE_COOKIE, COOKIE))), None)


def owner() -> str | None:
    """Return to whom a share of now belongs: a person by name, else the browser by its cookie; None
    without cookies.
    """
    return secret_of(st.context.cookies)


def secret_of(cookies: Mapping[str, str]) -> str | None:
    """Return the same of the cookies of a request."""
    who = reader()
    # No cookie has this form: nobody types another's name.
    return f"reader {who.identity}" if who.is_person else owner_in(cookies)


def _browser() -> str | None:
    return owner_in(st.context.cookies)
