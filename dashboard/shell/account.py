"""The logged-in reader: the name and log-out above every page, the login page, and the page for
people who may see nothing.

Files made at a click identify the reader again.
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
        "Your account has more groups or other claims than a login of this server can hold. Tell"
        " your administrator."
    ),
    "refused": (
        "The provider has not confirmed the login. Log in"
        " again; if this happens again, tell your administrator."
    ),
}


def reader_or_none() -> Reader | None:
    """Return the reader, None if a login is needed first; for a wrong configuration the page shows
    the fault.
    """
    try:
        who = reader()
    except SnapshotError:
        return Reader("everybody")
    return who if who.is_known else None


def show() -> None:
    """Draw a person's name; stop if this person may see nothing. Without login, draw nothing."""
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
        st.subheader("Your account may see nothing here yet", anchor=False)
        st.write(
            f"You are logged in as {literal(who.name)}. No right of this server is for this"
            " account."
        )
        st.caption(
            f"Ask your administrator for one, and name this account: {literal(who.identity)}"
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
                "This server knows people by the proxy in front of it, and this request has not"
                " come through it."
            )
        st.caption("Groups, uploads and shares are shown to people whom this server knows.")


def _tell_once(who: Reader, why: str) -> None:
    """Record a refusal once in a session."""
    if st.session_state.get(_TOLD) != why:
        st.session_state[_TOLD] = why
        audit.write("refusal", who=who.identity, name=who.name, address=who.address, why=why)


# Files that are made at a click.


def at_click(make: Callable[[], T]) -> Callable[[], T]:
    """Return a maker of a file at a click; it refuses a reader whose rights have changed or whose
    login has ended.

    The file shows the page's loaded data.
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
                    "your rights have changed since this page was drawn, load it again"
                )
            return make()

    return made
