"""oauth2-proxy in front of a closed server: who it names, what a client adds to that, and a tab
that is open while somebody logs out.
"""

import json
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import expect

from tests.dashboard.browser import server as running
from tests.services.oidc_provider import certified, oauth2_proxy
from tests.services.ports import free_port

ACCOUNTS = {
    "ada": {"email": "ada@example.com", "email_verified": True, "groups": ["all", "payments-team"]},
    "carol": {"email": "carol@example.com", "email_verified": True},
}
HEADERS = {"X-Forwarded-User": "user", "X-Forwarded-Email": "email", "X-Forwarded-Groups": "groups"}
POLICY = """
[login]
trusted_proxy = ["127.0.0.1"]
renew = "10s"

[[rights]]
claim = "groups"
values = ["payments-team"]
can = ["see", "upload"]
"""
HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
LISTING = HEADER + "".join(
    f"payments orders {partition} 100 200 100 pay-{partition % 2} /10.0.0.1 c\n"
    for partition in range(6)
)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory):
    """The address of the proxy."""
    with proxy_of(tmp_path_factory.mktemp("proxied"), POLICY) as address:
        yield address


@contextmanager
def proxy_of(folder, policy):
    """Run a server and the proxy in front of it; yield the address of the proxy."""
    port = free_port()
    (folder / "evenkeel.toml").write_text(policy)
    given = {
        "EVENKEEL_CONFIG": str(folder / "evenkeel.toml"),
        "STREAMLIT_SERVER_TRUSTED_USER_HEADERS": json.dumps(HEADERS),
    }
    with ExitStack() as stack:
        provider, _ = stack.enter_context(
            certified(f"http://127.0.0.1:{port}", ACCOUNTS, callback="/oauth2/callback")
        )
        upstream, _ = stack.enter_context(running.served(folder, None, given))
        yield stack.enter_context(oauth2_proxy(provider, upstream, port, folder))


def logged_in(chromium, address, name, **headers):
    """Return a page on which somebody has logged in at the proxy, from a browser that adds these
    headers.
    """
    context = chromium.new_context(
        base_url=address, extra_http_headers=headers, viewport={"width": 1440, "height": 900}
    )
    page = context.new_page()
    page.set_default_timeout(running.PATIENCE_MS)
    page.goto("/")
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()
    return page


def test_a_tab_goes_on_as_whom_the_proxy_names_and_ends_soon_after_somebody_logs_out_there(
    chromium, proxied
):
    page = logged_in(chromium, proxied, "ada")
    try:
        expect(page.get_by_role("button", name="ada")).to_be_visible()
        page.locator(".st-key-paste textarea").fill("typed before")
        with page.expect_websocket():
            pass
        # What is clicked while the new socket is made and not yet connected is lost.
        expect(page.get_by_test_id("stApp")).to_have_attribute(
            "data-test-connection-state", "CONNECTED"
        )
        expect(page.locator(".st-key-paste textarea")).to_have_value("typed before")
        page.get_by_role("link", name="Groups").click()
        expect(page).to_have_url(f"{proxied}/")
        expect(page.get_by_role("button", name="ada")).to_be_visible()

        with page.expect_event("requestfailed"):
            # Not a page: each file of one would log in anew, because the provider still knows who
            # it is.
            page.context.request.get("/oauth2/sign_out?rd=/robots.txt")
        expect(page.get_by_text("Connecting")).to_be_visible()
    finally:
        page.context.close()


def test_whom_the_proxy_names_uploads_and_downloads(chromium, tmp_path):
    with proxy_of(tmp_path, POLICY.replace("10s", "1h")) as address:
        page = logged_in(chromium, address, "ada")
        try:
            page.locator("input[type=file]").set_input_files(
                [{"name": "a.txt", "mimeType": "text/plain", "buffer": LISTING.encode()}]
            )
            # The name moves the button.
            expect(page.get_by_text("a.txt")).to_be_visible()
            running.drawn(page)
            page.get_by_role("button", name="Read", exact=True).click()
            expect(page.get_by_role("heading", name="payments")).to_be_visible()
            page.get_by_role("link", name="Moves").click()
            with page.expect_download() as download:
                page.get_by_role("button", name="CSV").click()

            assert "partition" in download.value.path().read_text()
        finally:
            page.context.close()


def test_a_header_that_a_client_adds_names_nobody(chromium, proxied):
    page = logged_in(
        chromium,
        proxied,
        "carol",
        **{"X-Forwarded-Groups": "payments-team", "X-Forwarded-User": "ada"},
    )
    try:
        expect(page.get_by_text("Your account has no rights here yet")).to_be_visible()
        expect(page.get_by_text("proxy:carol")).to_be_visible()
    finally:
        page.context.close()
