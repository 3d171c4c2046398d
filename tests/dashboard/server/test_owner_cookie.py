"""The cookie by which a browser owns its shares: its name, with and without TLS."""

from http.cookies import SimpleCookie

import pytest

from evenkeel.dashboard.server.guard import OWNER_COOKIE
from evenkeel.dashboard.shares.loading.owners import COOKIE, SECURE_COOKIE, is_owner, owner_in
from tests.waiting import awaited

ONE, OTHER = "a" * 43, "b" * 43
TLS, PROXY, CHAIN, PLAIN = (
    ("https", None),
    ("http", "https"),
    ("http", "https, http"),
    ("http", None),
)


def given(way, accept="text/html", **cookies):
    """Ask for a page; return the cookies that the browser gets."""
    scheme, said = way
    headers = [
        (b"accept", accept.encode()),
        (b"cookie", "; ".join(f"{name}={value}" for name, value in cookies.items()).encode()),
    ]
    headers += [(b"x-forwarded-proto", said.encode())] if said else []
    found = SimpleCookie()

    async def page(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        for name, value in message["headers"]:
            assert name == b"set-cookie"
            found.load(value.decode())

    awaited(
        OWNER_COOKIE.cls(page)(
            {"type": "http", "method": "GET", "path": "/", "scheme": scheme, "headers": headers},
            None,
            send,
        )
    )
    return found


@pytest.mark.parametrize("way", [TLS, PROXY, CHAIN])
def test_under_tls_the_name_binds_the_cookie_to_this_host(way):
    ((name, cookie),) = given(way).items()

    assert name == SECURE_COOKIE == "__Host-evenkeel_owner"
    assert is_owner(cookie.value)
    # What browsers ask of the prefix: secure, for all paths, no domain.
    assert (
        cookie["secure"],
        cookie["path"],
        cookie["domain"],
        cookie["httponly"],
        cookie["samesite"],
    ) == (True, "/", "", True, "lax")


def test_without_tls_the_cookie_has_the_plain_name():
    ((name, cookie),) = given(PLAIN).items()

    assert (name, cookie["secure"], cookie["httponly"]) == (
        "evenkeel_owner",
        "",
        True,
    )
    assert is_owner(cookie.value)


def test_a_browser_from_before_tls_stays_the_owner_under_the_new_name():
    found = given(TLS, **{COOKIE: ONE})

    assert found[SECURE_COOKIE].value == ONE
    assert (found[COOKIE].value, found[COOKIE]["max-age"]) == ("", "0")


@pytest.mark.parametrize(
    ("way", "cookies"),
    [
        (TLS, {SECURE_COOKIE: ONE}),
        (TLS, {SECURE_COOKIE: ONE, COOKIE: OTHER}),
        (PLAIN, {COOKIE: ONE}),
    ],
)
def test_an_owner_gets_no_other_cookie(way, cookies):
    assert given(way, **cookies) == {}


def test_what_is_no_secret_is_replaced():
    assert given(TLS, **{COOKIE: "x"})[SECURE_COOKIE].value not in ("x", "")


def test_only_a_page_brings_the_cookie():
    assert given(TLS, accept="*/*") == {}


def test_both_names_say_who_owns_and_the_bound_one_wins():
    assert owner_in({COOKIE: ONE}) == ONE
    assert owner_in({SECURE_COOKIE: OTHER, COOKIE: ONE}) == OTHER
    assert owner_in({SECURE_COOKIE: "x", COOKIE: ONE}) == ONE
    assert owner_in({}) is None
