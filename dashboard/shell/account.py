"""The logged-in reader: the name and log-out button above every page, the login page, and the page
for a person without rights.

The reader's rights are checked again when a click on a download button creates a file.
"""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from evenkeel.dashboard.names import literal
from evenkeel.dashboard.shell.reader import EVERYBODY, Reader, acting, audited, identified, reader
from evenkeel.data import audit
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError

T = TypeVar("T")

_TOLD = "login-told"
_WHY = {
    "provider": "The provider does not answer now. Try again in a minute.",
    "again": "This page was open for too long. Log in again.",
    "large": (
        "Your account has more groups or other claims than this server's login cookie can hold."
        " Tell your administrator."
    ),
    "refused": (
        "The provider has not confirmed the login. Log in"
        " again; if this happens again, tell your administrator."
    ),
}


def reader_or_none() -> Reader | None:
    """Return the reader, or None if the reader must log in. If the configuration is invalid, return
    the reader `everybody`; the page then shows the error.
    """
    try:
        who = reader()
    except SnapshotError:
        return Reader("everybody")
    return who if who.is_known else None


def show() -> None:
    """Draw the reader's name. Stop the page if the reader has no rights. Draw nothing if the server
    has no login.
    """
    try:
        who = reader()
    except SnapshotError:
        return
    if who.is_person:
        _show_name(who)
        if not who.grants.rows:
            _tell_once(who, "may see nothing")
            _show_without_rights(who)
            st.stop()


def _show_name(who: Reader) -> None:
    with (
        st.container(key="account"),
        st.popover(literal(who.name), icon=":material/person:", type="tertiary"),
    ):
        st.caption(f"Logged in as {literal(who.identity.partition(':')[2])}")
        if who.kind == "login":
            st.button(
                "Log out",
                key="log-out",
                icon=":material/logout:",
                on_click=st.logout,
                width="stretch",
            )


def _show_without_rights(who: Reader) -> None:
    with st.container(border=True):
        st.subheader("Your account has no rights here yet", anchor=False)
        st.write(
            f"You are logged in as {literal(who.name)}. This server has no right for this account."
        )
        st.caption(
            f"Ask your administrator for a right, and name this account: {literal(who.identity)}"
        )


def show_login() -> None:
    """Draw the page that asks for a login."""
    who, login = reader(), configuration().login
    if who.why:
        _tell_once(who, who.why)
    with st.container(border=True, key="login"):
        st.subheader("Log in to Evenkeel", anchor=False)
        sentence = _WHY.get(st.query_params.get("login", "")) or (
            f"This browser sent {who.why}." if who.why else ""
        )
        if sentence:
            st.warning(sentence, icon=":material/lock:")
        for name, provider in (login.providers if login else {}).items():
            st.button(
                f"Log in with {literal(provider.label or name)}",
                key=f"log-in-{name}",
                type="primary",
                on_click=st.login,
                args=(name,),
            )
        if not login or not login.providers:
            st.write(
                "A proxy in front of this server identifies people, and this request has not"
                " come through the proxy."
            )
        st.caption(
            "Groups, uploads and shares are visible only to people whom this server can identify."
        )


def _tell_once(who: Reader, why: str) -> None:
    if st.session_state.get(_TOLD) != why:
        st.session_state[_TOLD] = why
        audit.write("refusal", who=who.identity, name=who.name, address=who.address, why=why)


# Files that a click creates.


def at_click(make: Callable[[], T]) -> Callable[[], T]:
    """Return a function that calls `make` when the reader clicks a download button. It raises
    SnapshotError if the reader's rights have changed since the page was drawn, or if the login has
    ended.
    """
    who, headers, cookies = reader(), st.context.headers, st.context.cookies

    def made() -> T:
        now = identified(headers, cookies) if configuration().is_closed else EVERYBODY
        with acting(now):
            if (now.identity, now.scope) != (who.identity, who.scope):
                audited(
                    "refusal",
                    what="export",
                    why=now.why or "other rights than when the page was drawn",
                )
                raise SnapshotError(
                    "your rights have changed since this page was drawn; load the page again"
                )
            return make()

    return made
