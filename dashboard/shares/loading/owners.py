"""Owners of shares: a person, or the browser with the secret cookie."""

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
    """Return the name of a share in the audit. It is only a part of the id, because the id opens
    the share.
    """
    return f"share {share_id[:6]}…"


# The shares of a browser.


def own_shares(owner: str | None) -> list[ShareListing]:
    """Return the reader's shares, newest first.

    Shares that this browser made before the login are included.
    """
    own_list = [share for secret in {owner, _browser()} for share in shares().listed(secret)]
    return sorted(own_list, key=lambda share: share.created_at, reverse=True)


def delete_share(share_id: str, secret: str) -> None:
    """Delete a share that belongs to this reader or to this browser."""
    try:
        shares().delete(share_id, secret)
    except NoShareError:
        browser = _browser()
        if browser is None or browser == secret:
            raise
        shares().delete(share_id, browser)
    audited("share deleted", what=short_id(share_id))


# The owner is a secret cookie, with which a browser lists and deletes its shares.


COOKIE = "evenkeel_owner"
SECURE_COOKIE = f"__Host-{COOKIE}"
"""The cookie's name under TLS. Browsers accept it only from this host, never over plain HTTP or for
a whole domain.
"""

_FORM = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


def is_owner(text: str | None) -> bool:
    """Return whether a text has the form of an owner cookie."""
    return text is not None and _FORM.fullmatch(text) is not None


def owner_in(cookies: Mapping[str, str]) -> str | None:
    """Return the owner's secret in a browser's cookies, None without one.

    A cookie that was set under TLS is preferred to an older cookie without TLS.
    """
    return next(filter(is_owner, map(cookies.get, (SECURE_COOKIE, COOKIE))), None)


def owner() -> str | None:
    """Return the owner of new shares: the logged-in person, else the browser's secret, else
    None.
    """
    return secret_of(st.context.cookies)


def secret_of(cookies: Mapping[str, str]) -> str | None:
    """Return the owner of new shares for a request with these cookies."""
    who = reader()
    # No cookie can have this form, so a browser cannot claim a person's shares.
    return f"reader {who.identity}" if who.is_person else owner_in(cookies)


def _browser() -> str | None:
    return owner_in(st.context.cookies)
