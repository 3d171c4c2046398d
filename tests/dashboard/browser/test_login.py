"""Login and logout in a real browser at a certified provider; tokens that are forged; a provider
that is down; two servers.
"""

import asyncio
import json
import random
import re
import time
from contextlib import ExitStack, contextmanager
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

import pytest
from playwright.sync_api import expect
from streamlit.auth_util import encode_provider_token
from streamlit.runtime.secrets import secrets_singleton

from evenkeel.data.shares.store import keys
from tests.dashboard.browser import server as running
from tests.dashboard.browser.session import Session
from tests.services.oidc_provider import CLIENT_ID, CLIENT_SECRET, Forger, certified
from tests.services.ports import free_port
from tests.services.postgres import Postgres
from tests.waiting import awaited

SECRET = "0123456789abcdef0123456789abcdef"
ACCOUNTS = {
    "ada": {
        "name": "Ada Lovelace",
        "email": "ada@example.com",
        "email_verified": True,
        "groups": ["payments-team"],
    },
    "bob": {"name": "Bob"},
}
POLICY = """
[login]
address = "{server}"
cookie_secret = {{env = "COOKIE_OF_TESTS"}}

{providers}
[[rights]]
claim = "groups"
values = ["payments-team"]
can = ["see", "upload", "share", "names"]

[audit]
path = "audit-{port}.jsonl"
"""
PROVIDER = """
[login.providers.{name}]
label = "{name}"
client_id = "{client}"
client_secret = {{env = "CLIENT_OF_TESTS"}}
server_metadata_url = "{address}/.well-known/openid-configuration"
scope = "openid profile email groups"
prompt = "login"
"""


class Closed:
    """A server with providers."""

    def __init__(self, address, port, folder):
        self.address, self.port, self.folder = address, port, folder

    def audited(self):
        return [
            json.loads(line)
            for line in (self.folder / f"audit-{self.port}.jsonl").read_text().splitlines()
        ]


@contextmanager
def closed(folder, port, address=None, **providers):
    """Run a server that knows these providers by their addresses."""
    texts = [
        PROVIDER.format(name=name, address=at, client=CLIENT_ID) for name, at in providers.items()
    ]
    at = address or f"http://127.0.0.1:{port}"
    (folder / f"evenkeel-{port}.toml").write_text(
        POLICY.format(server=at, port=port, providers="".join(texts))
    )
    given = {
        "EVENKEEL_CONFIG": str(folder / f"evenkeel-{port}.toml"),
        "COOKIE_OF_TESTS": SECRET,
        "CLIENT_OF_TESTS": CLIENT_SECRET,
    }
    with running.served(folder, port, given) as (found, _):
        yield Closed(found, port, folder)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A certified provider, one that forges, and a server that knows both and a third that
    is down.
    """
    folder, port = tmp_path_factory.mktemp("login"), free_port()
    with ExitStack() as stack:
        honest, _ = stack.enter_context(certified(f"http://127.0.0.1:{port}", ACCOUNTS))
        forger = stack.enter_context(Forger())
        brief = stack.enter_context(Forger())
        down = f"http://127.0.0.1:{free_port()}"
        found = stack.enter_context(
            closed(
                folder, port, honest=honest, forger=forger.address, brief=brief.address, down=down
            )
        )
        found.forger, found.brief = forger, brief
        yield found


@pytest.fixture
def window(chromium, world):
    """Return a new browser window on the server."""
    with chromium.new_context(
        viewport={"width": 1440, "height": 900}, base_url=world.address
    ) as context:
        page = context.new_page()
        page.set_default_timeout(running.PATIENCE_MS)
        yield page


def log_in(page, name, path="/"):
    """Log in at the certified provider and consent."""
    page.goto(path)
    page.get_by_role("button", name="Log in with honest").click()
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def test_a_person_logs_in_sees_the_pages_and_logs_out(window, world):
    log_in(window, "ada", "/groups")

    name = window.get_by_role("button", name="Ada Lovelace")
    expect(name).to_be_visible()
    assert name.bounding_box()["y"] < 40
    expect(window.get_by_role("link", name="Groups")).to_be_visible()
    name.click()
    window.get_by_role("button", name="Log out").click()
    window.get_by_role("button", name="Yes, sign me out").click()
    expect(window.get_by_role("button", name="Log in with honest")).to_be_visible()
    window.goto("/compare")
    expect(window.get_by_role("button", name="Log in with honest")).to_be_visible()
    assert [
        (line["event"], line["who"])
        for line in world.audited()
        if line["event"] in ("login", "logout")
    ][-2:] == [
        ("login", "honest:ada"),
        ("logout", "honest:ada"),
    ]


def test_a_person_without_a_right_is_told_so(window, world):
    log_in(window, "bob")

    expect(window.get_by_text("Your account has no rights here yet")).to_be_visible()
    expect(window.get_by_text("honest:bob")).to_be_visible()


def test_a_provider_that_is_down_is_told_in_one_sentence(window, world):
    window.goto("/")
    window.get_by_role("button", name="Log in with down").click()

    expect(
        window.get_by_text("The provider does not answer now. Try again in a minute.")
    ).to_be_visible()
    assert world.audited()[-1]["why"] == "the provider did not answer"


# Without a browser: redirects are followed by hand, so that each step can be changed.


@pytest.fixture
def steps(world, monkeypatch):
    """Return a function that asks the server with the cookies of one browser, and one that makes
    the token of the login button.
    """
    monkeypatch.setattr(
        secrets_singleton, "_secrets", {"auth": {"cookie_secret": SECRET}}, raising=False
    )
    return Browser(world)


class Browser:
    def __init__(self, world):
        self._world, self.jar = world, CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.jar), _NoRedirect)

    @property
    def cookie(self):
        """What the browser sends of its cookies."""
        return "; ".join(f"{one.name}={one.value}" for one in self.jar)

    def get(self, url, **headers):
        """Return status and target of an answer."""
        url = url if url.startswith("http") else self._world.address + url
        try:
            answer = self._opener.open(Request(url, headers=headers), timeout=180)
        except HTTPError as error:
            answer = error
        with answer:
            return answer.status, answer.headers.get("location", "")

    def begin(self, provider="forger"):
        """Go from the button to the provider and back to the server's door; return that address."""
        _, at = self.get(f"/auth/login?provider={encode_provider_token(provider)}")
        return self.get(at)[1]

    @property
    def is_logged_in(self):
        return self.get("/metrics")[0] == 200


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def test_a_good_token_lets_in_and_leads_to_the_first_page_alone(steps, world):
    world.forger.forge = world.forger.signed

    assert steps.get(steps.begin()) == (302, "/")
    assert steps.is_logged_in


def test_a_login_with_more_claims_than_a_cookie_holds_is_refused_with_a_sentence(
    steps, world, window
):
    large = [f"{word:032x}" for word in map(random.Random(1).getrandbits, [128] * 400)]
    world.forger.forge = lambda claims: world.forger.signed(claims | {"groups": large})

    assert steps.get(steps.begin()) == (302, "/?login=large")
    assert not steps.is_logged_in
    window.goto("/?login=large")
    expect(
        window.get_by_text(
            "Your account has more groups or other claims than this server's login cookie can hold."
        )
    ).to_be_visible()


FORGED = {
    "another key": lambda forger, claims: forger.signed(claims, forger.other),
    "no signature": lambda forger, claims: forger.unsigned(claims),
    "expired": lambda forger, claims: forger.signed(
        claims | {"exp": int(time.time()) - 61, "iat": int(time.time()) - 700}
    ),
    "for another client": lambda forger, claims: forger.signed(claims | {"aud": "another-client"}),
    "of another provider": lambda forger, claims: forger.signed(
        claims | {"iss": "https://id.example.com"}
    ),
    "of another login": lambda forger, claims: forger.signed(
        claims | {"nonce": "of-another-login"}
    ),
    "without a nonce": lambda forger, claims: forger.signed(
        {name: value for name, value in claims.items() if name != "nonce"}
    ),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_token_lets_nobody_in_and_is_audited(steps, world, kind):
    world.forger.forge = lambda claims: FORGED[kind](world.forger, claims)

    status, at = steps.get(steps.begin())

    assert (status, steps.is_logged_in) == (302, False)
    assert at in ("/?login=refused", "/")
    refused = [
        line
        for line in world.audited()
        if line["event"] == "refusal" and line.get("what") != "/metrics"
    ][-1]
    assert refused["why"] in (
        "the provider has not confirmed the login, or another browser began it",
        "a login that has ended",
    )


def test_a_state_of_another_browser_lets_nobody_in(steps, world):
    world.forger.forge = world.forger.signed
    stolen = steps.begin()
    other = Browser(world)

    assert other.get(stolen) == (302, "/?login=refused")
    assert not other.is_logged_in
    assert steps.get(stolen)[1] == "/"
    assert Browser(world).get(stolen) == (302, "/?login=refused")


def test_an_answer_that_is_sent_again_logs_nobody_in_anew(steps, world):
    world.forger.forge = world.forger.signed
    back = steps.begin()
    steps.get(back)
    before = len([line for line in world.audited() if line["event"] == "login"])

    assert steps.get(back) == (302, "/?login=refused")
    assert len([line for line in world.audited() if line["event"] == "login"]) == before


@pytest.mark.parametrize("more", ["&redirect_uri=https://evil.example", "&next=//evil.example"])
def test_a_login_leads_to_this_server_alone(steps, world, more):
    world.forger.forge = world.forger.signed
    back = steps.begin()

    assert steps.get(back + more) == (302, "/")
    assert steps.get("/auth/login?provider=forged&next=https://evil.example") == (
        302,
        "/?login=again",
    )


def test_whoever_is_logged_in_goes_on_while_the_provider_is_down(steps, world):
    steps.get(steps.begin("brief"))
    world.brief.__exit__()

    assert steps.is_logged_in
    assert steps.get(f"/auth/login?provider={encode_provider_token('brief')}") == (
        302,
        "/?login=provider",
    )


def test_a_file_that_goes_up_is_for_the_tab_that_asked_for_it(steps, world):
    world.forger.forge = world.forger.signed
    steps.get(steps.begin())
    world.forger.forge = lambda claims: world.forger.signed(claims | {"sub": "ada"})
    ada = Browser(world)
    ada.get(ada.begin())
    world.forger.forge = world.forger.signed

    said = awaited(_uploaded(world.address, steps.cookie, (ada.cookie, "", steps.cookie)))

    assert said[:2] == [(403, "your rights do not include this upload"), (401, "")]
    # Streamlit asks for one more cookie of its own.
    assert said[2][1] != "your rights do not include this upload"


def test_a_download_is_for_the_reader_to_whom_it_was_offered(window, steps, world):
    world.forger.forge = world.forger.signed
    steps.get(steps.begin())
    log_in(window, "ada")
    expect(window.get_by_role("button", name="Ada Lovelace")).to_be_visible()
    window.goto("/moves?sample=lag-aware")
    with window.expect_download() as found:
        window.get_by_role("button", name="CSV").click()

    assert "partition" in found.value.path().read_text()
    assert [one.get(found.value.url)[0] for one in (steps, Browser(world))] == [404, 404]
    assert {line["who"] for line in world.audited() if line["event"] == "export"} == {"honest:ada"}


async def _uploaded(address, cookie, cookies):
    """Return what a tab's place for a file answers to browsers with these cookies."""
    async with Session(address, "", "", cookie) as tab:
        await tab.run()
        up = address + await tab.upload_path()
        return [await asyncio.to_thread(_put, up, one) for one in cookies]


def _put(address, cookie):
    """Return the status of an upload, and the refusal where it is a sentence."""
    try:
        with build_opener().open(
            Request(address, b"any", {"Cookie": cookie}, method="PUT"), timeout=180
        ) as answer:
            return answer.status, ""
    except HTTPError as error:
        text = error.read().decode()
        return error.code, "" if text.startswith("{") else text


def test_two_servers_with_one_database_and_one_secret_agree(tmp_path, steps, world, monkeypatch):
    ports = free_port(), free_port()
    with ExitStack() as stack:
        database = stack.enter_context(Postgres()).database()
        monkeypatch.setenv("EVENKEEL_DATABASE_URL", database)
        monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
        forger, name = world.forger, f"http://127.0.0.1:{ports[0]}"
        one, two = (
            stack.enter_context(closed(tmp_path, port, name, forger=forger.address))
            for port in ports
        )
        person = Browser(one)

        # The state of a login that began at one server is known to the other.
        back = person.begin().replace(one.address, two.address)
        assert person.get(back) == (302, "/"), (tmp_path / f"server-{two.port}.log").read_text()[
            -1500:
        ]
        assert [person.get(f"{server.address}/metrics")[0] for server in (one, two)] == [200, 200]

        made = keys().create("ci", ["*"])
        asked = [
            Browser(server).get("/metrics", Authorization=f"Bearer {made.key}")[0]
            for server in (one, two)
        ]
        keys().revoke("ci")
        assert asked == [200, 200]
        assert [
            Browser(server).get("/metrics", Authorization=f"Bearer {made.key}")[0]
            for server in (one, two)
        ] == [401, 401]
    with closed(tmp_path, ports[0], name, forger=forger.address) as again:
        # After a restart the browser is still logged in.
        assert person.get(f"{again.address}/metrics")[0] == 200


def test_no_token_and_no_key_is_in_the_audit(world):
    text = (world.folder / f"audit-{world.port}.jsonl").read_text()

    assert not re.search(r"eyJ|evenkeel_|secret", text)
    assert {"login", "refusal"} <= {line["event"] for line in world.audited()}
