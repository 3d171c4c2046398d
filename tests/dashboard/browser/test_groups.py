"""The list of groups in a browser: a click opens a group."""

import pytest
from confluent_kafka.admin import AdminClient
from playwright.sync_api import expect

from tests.dashboard.browser.server import dashboard, settle
from tests.kafka.commits import commit
from tests.kafka.topics import create_topic

_GROUPS = ("passing-1", "passing-2")


@pytest.fixture
def admin(broker):
    """A client of a broker that has two groups, which read the topic passing."""
    admin = AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
    create_topic(admin, "passing", 1)
    for group_id in _GROUPS:
        commit(admin, group_id, {("passing", 0): 0})
    yield admin
    for done in admin.delete_consumer_groups(list(_GROUPS)).values():
        # The test has deleted the first one.
        done.exception()
    for done in admin.delete_topics(["passing"]).values():
        done.result()


@pytest.fixture
def page(broker, chromium, tmp_path, monkeypatch):
    (tmp_path / "evenkeel.toml").write_text(f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    with dashboard(tmp_path) as address:
        page = chromium.new_page(base_url=address)
        page.set_default_timeout(60_000)
        yield page
        page.close()


def test_a_group_that_is_gone_when_it_is_clicked_is_named_and_no_row_is_ticked(admin, page):
    page.goto("/groups?cluster=local")
    page.get_by_placeholder("Search group").fill("passing")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 to 2 of 2.")).to_be_visible()
    settle(page)
    for done in admin.delete_consumer_groups([_GROUPS[0]]).values():
        done.result()

    page.get_by_test_id("stDataFrame").first.click(position={"x": 18, "y": 50})

    expect(page.get_by_role("alert")).to_contain_text(_GROUPS[0])
    settle(page)
    expect(page.locator("canvas [role=row]").filter(has_text=_GROUPS[1])).to_have_count(1)
    expect(page.locator("canvas [aria-selected=true]")).to_have_count(0)
