"""A password that is in use reaches no page, no address, no console, no log and no file of the
server.
"""

import base64
import re

import pytest
from confluent_kafka.admin import AdminClient
from playwright.sync_api import expect

from tests.brokers.commits import commit
from tests.brokers.settings import USERS
from tests.brokers.topics import create_topic
from tests.dashboard.browser.server import dashboard, settle, watched

_PASSWORDS = {"RIGHT": USERS["evenkeel"], "WRONG": "wrong-secret-81c"}
_CLUSTER = """
[clusters.{name}]
"bootstrap.servers" = "{address}"
"security.protocol" = "SASL_PLAINTEXT"
"sasl.mechanism" = "{mechanism}"
"sasl.username" = "evenkeel"
"sasl.password" = {{env = "EVENKEEL_TEST_{password}"}}
"""


@pytest.fixture
def guarded(broker, tmp_path, monkeypatch):
    """The address of a dashboard whose files are all in `tmp_path`: clusters right-plain,
    right-scram, wrong-plain and wrong-scram on a broker with the group guarded.
    """
    admin = AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
    create_topic(admin, "guarded", 2)
    commit(admin, "guarded", {("guarded", 0): 0, ("guarded", 1): 0})
    profiles = [
        (password, mechanism) for password in _PASSWORDS for mechanism in ("PLAIN", "SCRAM-SHA-512")
    ]
    texts = [
        _CLUSTER.format(
            name=_name(*one), address=broker.bootstrap("SASL"), mechanism=one[1], password=one[0]
        )
        for one in profiles
    ]
    (tmp_path / "evenkeel.toml").write_text("".join(texts))
    for folder in ("temporary", "home"):
        (tmp_path / folder).mkdir()
    for name, value in {
        "TMPDIR": tmp_path / "temporary",
        "HOME": tmp_path / "home",
        "EVENKEEL_CONFIG": tmp_path / "evenkeel.toml",
    }.items():
        monkeypatch.setenv(name, str(value))
    for name, value in _PASSWORDS.items():
        monkeypatch.setenv(f"EVENKEEL_TEST_{name}", value)
    with dashboard(tmp_path) as address:
        yield address
    for done in (
        *admin.delete_consumer_groups(["guarded"]).values(),
        *admin.delete_topics(["guarded"]).values(),
    ):
        done.result()


def test_no_password_reaches_pages_addresses_console_log_or_files(chromium, guarded, tmp_path):
    page, seen = (
        watched(chromium.new_page(base_url=guarded)),
        {"console": "", "frames": b"", "addresses": ""},
    )
    page.on("console", lambda message: seen.update(console=seen["console"] + message.text))
    page.on("request", lambda request: seen.update(addresses=f"{seen['addresses']}\n{request.url}"))
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framereceived", lambda frame: seen.update(frames=seen["frames"] + _bytes(frame))
        ),
    )

    for mechanism in ("PLAIN", "SCRAM-SHA-512"):
        page.goto(f"/groups?cluster={_name('WRONG', mechanism)}")
        expect(page.get_by_role("alert")).to_contain_text(
            "the broker refuses user, password or mechanism"
        )
        page.goto(f"/groups?cluster={_name('RIGHT', mechanism)}")
        page.get_by_placeholder("Group, topic, member").fill("guarded")
        page.keyboard.press("Enter")
        expect(_rows(page)).to_have_count(1)
        settle(page)
        seen[f"list {mechanism}"] = page.content()
    _rows(page).click()
    expect(page).to_have_url(re.compile("/overview"))
    expect(page.get_by_role("heading", name="guarded", exact=True)).to_be_visible()
    page.get_by_role("radio", name="10 s").click()
    expect(page.get_by_text("since the snapshot")).to_be_visible()
    settle(page)
    seen |= {
        "group": page.content(),
        "storage": str(page.context.storage_state()),
        "address": page.url,
    }
    page.close()

    files = {str(path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert b"guarded" in seen["frames"]
    assert str(tmp_path / "server.log") in files
    assert any("imports" in name for name in files)
    found = {
        name: text if isinstance(text, bytes) else text.encode()
        for name, text in (seen | files).items()
    }
    assert [name for name, text in found.items() for word in _forms() if word in text] == []


def _name(password, mechanism):
    return f"{password}-{mechanism.partition('-')[0]}".lower()


def _bytes(frame):
    return frame if isinstance(frame, bytes) else frame.encode()


def _forms():
    """The passwords, as they are and as PLAIN and Basic would carry them."""
    return [
        form
        for one in _PASSWORDS.values()
        for form in (one.encode(), base64.b64encode(one.encode()).rstrip(b"="))
    ]


def _rows(page):
    return page.locator("table[aria-label^=Groups] tbody tr:not(.fold)")
