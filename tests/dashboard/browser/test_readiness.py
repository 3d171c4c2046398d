"""Readiness in a browser: rows open with mouse and keyboard, nothing is cut, and a narrow window
names what it hides.
"""

import pytest
from playwright.sync_api import expect

from tests.brokers.connecting import connected
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.dashboard.browser.axe import serious_faults
from tests.dashboard.browser.conftest import Tabs
from tests.dashboard.browser.server import dashboard, settle
from tests.dashboard.browser.test_look import CUT, OVER_THE_EDGE, untold_columns
from tests.data.live.histories import stable_document

_GROUP = "ready <b>browser</b>"
_TOPICS = ["seen-left", "seen-right"]


@pytest.fixture(scope="module")
def address(broker, tmp_path_factory):
    """A dashboard that knows a broker with one group of two members on two topics."""
    connection = connected(broker, "seen")
    for topic in _TOPICS:
        create_topic(connection.admin, topic, 4)
    folder = tmp_path_factory.mktemp("readiness")
    (folder / "evenkeel.toml").write_text(
        f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n'
    )
    with OtherConsumers(broker.bootstrap()) as consumers, pytest.MonkeyPatch.context() as patch:
        for number in range(2):
            consumers.start_librdkafka(
                f"seen-{number}", _TOPICS, _GROUP, partition_assignment_strategy="range"
            )
        stable_document(connection, _GROUP, 2)
        patch.setenv("EVENKEEL_CONFIG", str(folder / "evenkeel.toml"))
        with dashboard(folder) as address:
            yield address
    for done in (
        *connection.admin.delete_consumer_groups([_GROUP]).values(),
        *connection.admin.delete_topics(_TOPICS).values(),
    ):
        done.exception()
    connection.close()


@pytest.fixture(scope="module")
def tabs(address, chromium):
    tabs = Tabs(chromium, address)
    yield tabs
    tabs.end()


@pytest.fixture
def open_page(tab):
    """A function (size, dark) -> the page with that group found."""

    def opened(size=(1440, 900), dark=False):
        page = tab("/readiness", size, dark)
        page.get_by_placeholder("Search group, client, assignor").fill("browser")
        page.keyboard.press("Enter")
        settle(page)
        expect(page.locator("tr[aria-expanded]")).to_have_count(1)
        return page

    return opened


@pytest.mark.parametrize(
    ("size", "dark"), [((1440, 900), False), ((1440, 900), True), ((800, 900), False)]
)
def test_an_open_row_is_whole_and_axe_finds_no_serious_fault(open_page, size, dark):
    page = open_page(size, dark)

    page.locator("tr[aria-expanded=false]").click()
    settle(page)

    expect(page.locator(".state")).to_have_count(3)
    assert page.locator("th.group").last.inner_text() == _GROUP
    assert untold_columns(page) == []
    assert page.evaluate(CUT) == []
    assert page.evaluate(OVER_THE_EDGE) <= 0
    assert serious_faults(page) == []


def test_a_row_opens_and_closes_with_the_keyboard_and_leads_to_what_if(open_page):
    page = open_page()
    page.locator("tr[aria-expanded=false]").focus()
    page.keyboard.press("Enter")
    settle(page)
    expect(page.locator(".detail")).to_be_visible()
    page.locator("tr[aria-expanded=true]").focus()
    page.keyboard.press("Enter")
    settle(page)
    expect(page.locator(".detail")).to_have_count(0)

    page.locator("tr[aria-expanded=false]").click()
    page.get_by_role("button", name="Open in What-if").click()

    page.wait_for_url("**/whatif?**")
    settle(page)
    expect(page.get_by_text("seen-0 starts again").first).to_be_visible()
