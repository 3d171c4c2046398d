"""The cookie of a login: one value of one login; what Streamlit writes into its own cookies gives
no right.
"""

import json
import random
import time
from http.cookies import SimpleCookie

import pytest
from starlette.responses import Response
from streamlit import config
from streamlit.web.server.starlette.starlette_auth_routes import (
    _clear_auth_cookie,
    _set_auth_cookie,
)

from evenkeel.dashboard.server import login
from evenkeel.dashboard.shell.login_cookie import COOKIE, LONGEST_SECONDS, login_in
from evenkeel.dashboard.shell.reader import identified
from tests.dashboard.logins import SECRET, value_of
from tests.dashboard.server.test_login import (
    AUDIT,
    CLIENT,
    POLICY,
    asked,
    audited,
    closed,
    groups_in,
    scraped,
)
from tests.waiting import awaited

__all__ = ["closed"]
PARTNER = """
[login.providers.partner]
client_id = "evenkeel"
client_secret = {env = "COOKIE_OF_TESTS"}
server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"
"""
LARGE = [f"{word:024x}" for word in map(random.Random(9).getrandbits, [96] * 300)]
"""More than one cookie holds, also packed."""


def token_of(**claims):
    """Return the claims of an ID token as Streamlit has checked and completed them."""
    now = int(time.time())
    usual = {
        "sub": "ada",
        "aud": "evenkeel",
        "exp": now + 600,
        "iat": now,
        "groups": ["first-team"],
    }
    last = {
        "origin": "http://localhost:8501",
        "is_logged_in": True,
        "provider": claims.pop("provider", "corporate"),
    }
    return {name: value for name, value in (usual | claims | last).items() if value is not None}


def of_streamlit(token):
    """Return the cookies that Streamlit itself leaves for a token, by name."""
    answer = Response()
    awaited(_set_auth_cookie(answer, token, {"id_token": "x" * 40}))
    return cookies_in(answer.headers.getlist("set-cookie"))


def cookies_in(headers):
    jar = SimpleCookie()
    for header in headers:
        jar.load(header)
    return {name: one.value for name, one in jar.items()}


def sent(cookies):
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def answered(path="/oauth2callback", token=None, cookies="", query=b"code=a&state=b"):
    """Return status, target and cookies of the gate's answer where Streamlit has checked a token
    or, without one, confirms no login.
    """
    messages, seen = [], []

    async def streamlit(scope, receive, send):
        answer = Response("", 302, {"location": "/"})
        seen.extend(scope["headers"])
        if token:
            await _set_auth_cookie(answer, token, {"id_token": "x" * 40})
        elif path == "/auth/logout":
            _clear_auth_cookie(answer, type("Request", (), {"cookies": {}}))
        await answer(scope, receive, send)

    async def send(message):
        messages.append(message)

    headers = [(b"cookie", cookies.encode())] if cookies else []
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query,
        "headers": headers,
        "client": CLIENT,
    }
    awaited(login.LOGIN.cls(streamlit)(scope, None, send))
    first = messages[0]
    pairs = [(name.decode(), value.decode()) for name, value in first["headers"]]
    return (
        first["status"],
        dict(pairs)["location"],
        [value for name, value in pairs if name == "set-cookie"],
        seen,
    )


def left_by(**claims):
    """Return the value that a login with these claims leaves."""
    return cookies_in(answered(token=token_of(**claims))[2])[COOKIE]


def test_chunks_of_two_logins_in_streamlits_cookies_let_nobody_in(closed):
    """The first chunk names the person and the groups, the last one the provider."""
    (closed / "evenkeel.toml").write_text(POLICY.replace("[[rights]]", f"{PARTNER}\n[[rights]]"))
    groups = ["first-team", *LARGE]
    partner = of_streamlit(token_of(sub="ada", groups=groups, provider="partner"))
    corporate = of_streamlit(token_of(sub="eve", groups=groups))
    mixed = corporate | {"_streamlit_user_1": partner["_streamlit_user_1"]}

    assert {"_streamlit_user_1", "_streamlit_user_2"} < corporate.keys()
    for cookies in (partner, corporate, mixed):
        assert (asked("/metrics", cookie=sent(cookies))[0], identified({}, cookies).identity) == (
            401,
            "",
        )


def test_two_logins_cut_anywhere_make_no_third(closed):
    ada, eve = (
        value_of(sub="ada", groups=["first-team"]),
        value_of(sub="eve", groups=["other"], exp=time.time() + 6000),
    )
    cuts = {
        ada[:cut] + eve[start:]
        for cut in range(len(ada) + 1)
        for start in range(max(0, cut - 3), cut + 4)
    } - {ada, eve}
    names = {identified({}, {COOKIE: cut}).identity for cut in cuts} | {
        identified({}, {COOKIE: ada, f"{COOKIE}_1": eve, "_streamlit_user": eve}).identity
    }

    # The last is the whole value of one, beside names that nothing reads.
    assert names == {"", "corporate:ada"}
    assert len(cuts) > 1000


def test_one_subject_at_two_providers_is_two_people(closed):
    (closed / "evenkeel.toml").write_text(POLICY.replace("[[rights]]", f"{PARTNER}\n[[rights]]"))

    identities = [
        identified({}, {COOKIE: left_by(provider=name)}).identity
        for name in ("corporate", "partner")
    ]

    assert identities == ["corporate:ada", "partner:ada"]


def test_a_login_leaves_one_cookie_with_the_claims_of_rights_and_the_name(closed):
    (closed / "evenkeel.toml").write_text(
        f"{POLICY}".replace(AUDIT, "")
        + '[[rights]]\nclaim = "realm_access.roles"\nvalues = ["x"]\ncan = ["see"]\n'
    )
    token = token_of(
        name="Ada", phone="555", realm_access={"roles": ["x"], "more": 1}, picture="y" * 9000
    )
    _, target, headers, _ = answered(token=token)
    cookies = cookies_in(headers)
    stored = login_in(cookies[COOKIE], SECRET)

    assert (
        target,
        [name for name in cookies if not name.startswith("_streamlit_user_tokens")],
    ) == ("/", [COOKIE])
    assert stored[:3] == ("corporate", "ada", "evenkeel")
    assert (stored.end, stored.name) == (token["exp"], "Ada")
    assert stored.claims == {"groups": ["first-team"], "realm_access.roles": ["x"]}
    assert scraped(cookie=sent(cookies)) == (200, ["group-0000", "group-0001", "group-0002"])


def test_a_login_that_is_larger_than_a_cookie_is_refused_with_a_reason_and_leaves_none(closed):
    _, target, headers, _ = answered(token=token_of(groups=LARGE))

    assert target == "/?login=large"
    assert cookies_in(headers) == {COOKIE: ""}
    assert (
        audited(closed)[-1]["why"]
        == "the claims that [[rights]] uses do not fit into a cookie of 4096 bytes"
    )
    assert answered(token=token_of(groups=["first-team"], picture=LARGE))[1] == "/"


def test_the_largest_login_fits_into_a_cookie_with_its_name_and_attributes(closed):
    lengths = [
        len(header)
        for count in range(165, 200)
        for header in answered(token=token_of(groups=LARGE[:count]))[2]
        if COOKIE in header
    ]

    assert 4060 < max(lengths) <= 4096 - len("; Secure")


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"exp": time.time() - 61}, "a login that has ended"),
        ({"exp": None}, "a login that has ended"),
        ({"exp": float("nan")}, "a login that has ended"),
        ({"iat": time.time() + 3600}, "a token whose time is in the future"),
        ({"nbf": time.time() + 3600}, "a token whose time is in the future"),
        ({"aud": ["another-client"]}, "a token for another client"),
        ({"provider": "nowhere"}, "a login at a provider that is not configured"),
        ({"sub": ""}, "a login at a provider that is not configured"),
    ],
)
def test_a_token_that_is_not_valid_now_leaves_no_login(closed, claims, why):
    _, target, headers, _ = answered(token=token_of(**claims))

    assert (target, cookies_in(headers)) == ("/?login=refused", {COOKIE: ""})
    assert audited(closed)[-1]["why"] == why


def test_a_token_may_be_for_other_clients_too(closed):
    assert identified({}, {COOKIE: left_by(aud=["evenkeel", "other"])}).is_known


def test_a_login_ends_with_its_token_and_after_thirty_days_at_the_latest(closed):
    short, long = (
        login_in(left_by(exp=time.time() + seconds), SECRET).end - time.time()
        for seconds in (600, 10 * 365 * 86_400)
    )

    assert (round(short, -1), round(long, -1)) == (600, LONGEST_SECONDS)
    assert asked("/metrics", cookie=f"{COOKIE}={value_of(exp=time.time() - 59)}")[0] == 200
    assert asked("/metrics", cookie=f"{COOKIE}={value_of(exp=time.time() - 61)}")[0] == 401


def test_a_right_that_names_a_further_claim_is_for_the_next_login(closed):
    before = left_by(department="risk")
    (closed / "evenkeel.toml").write_text(
        POLICY.replace('"groups"\nvalues = ["first-team"]', '"department"\nvalues = ["risk"]')
    )

    assert [
        groups_in(asked("/metrics", cookie=f"{COOKIE}={before}")[1]),
        asked("/metrics", cookie=f"{COOKIE}={before}")[0],
    ] == [[], 200]
    assert scraped(cookie=f"{COOKIE}={left_by(department='risk')}") == (200, ["group-0000"])


def test_an_address_of_mail_that_is_not_verified_is_not_in_the_cookie(closed):
    (closed / "evenkeel.toml").write_text(
        POLICY.replace('"groups"\nvalues = ["first-team"]', '"email"\nvalues = ["*"]')
    )

    stored = [
        login_in(left_by(email="ada@example.com", email_verified=is_verified), SECRET).claims
        for is_verified in (True, False)
    ]
    assert stored == [{"email": "ada@example.com"}, {}]


def test_a_logout_deletes_the_cookie_and_names_the_provider_to_streamlit(closed):
    status, _, headers, seen = answered("/auth/logout", cookies=f"{COOKIE}={left_by()}", query=b"")

    assert status == 302
    assert [header for header in headers if header.startswith(COOKIE)] == [
        f'{COOKIE}=""; HttpOnly; Max-Age=0; Path=/; SameSite=lax'
    ]
    names = [value.decode().partition("=")[0] for name, value in seen if name == b"cookie"]
    assert names == [COOKIE, "_streamlit_user"]


@pytest.mark.parametrize(("query", "target"), [(b"code=a&state=b", "/?login=refused"), (b"", "/")])
def test_a_callback_without_a_token_changes_no_login(closed, query, target):
    assert answered(query=query)[1:3] == (target, [])


@pytest.mark.parametrize(
    ("address", "is_secure"),
    [("https://evenkeel.example.com", True), ("http://localhost:8501", False)],
)
def test_a_cookie_of_a_login_is_for_tls_alone_where_the_address_is_https(
    closed, address, is_secure
):
    (closed / "evenkeel.toml").write_text(
        POLICY.replace("http://localhost:8501", address).replace(
            "http://127.0.0.1:9", "https://127.0.0.1:9"
        )
    )
    headers = answered(token=token_of())[2]

    assert len(headers) == 2
    assert {header.endswith("; Secure") for header in headers} == {is_secure}
    assert all("HttpOnly" in header and "SameSite=lax" in header for header in headers)


def test_a_login_below_a_base_path_is_of_that_path(closed, monkeypatch):
    before = config.get_option
    monkeypatch.setattr(
        config,
        "get_option",
        lambda name: "/evenkeel/" if name == "server.baseUrlPath" else before(name),
    )

    _, target, headers, _ = answered("/evenkeel/oauth2callback", token_of())

    assert [
        header.partition("Path=")[2].partition(";")[0]
        for header in headers
        if header.startswith(COOKIE)
    ] == ["/evenkeel"]
    assert target == "/"


def test_a_value_of_another_secret_or_of_another_use_of_the_secret_is_none(closed):
    streamlits = of_streamlit(token_of())["_streamlit_user"]

    assert [
        login_in(value, SECRET)
        for value in (value_of("f" * 32), streamlits, "", "a.b", json.dumps(["ada"]))
    ] == [None] * 5
