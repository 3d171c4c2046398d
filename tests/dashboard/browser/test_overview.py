"""Overview in a browser: key C, rows that open in place, and the way to What-if and back."""

import re

import pytest
from playwright.sync_api import expect

from tests.dashboard.browser.server import drawn

REBALANCING = "/overview?sample=one-hot-partition"
UNEVEN = "/overview?sample=idle-under-range"


def test_c_copies_the_command_and_evidence_opens_without_another_run(tab):
    page = tab(REBALANCING)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    page.keyboard.press("c")
    expect(page.locator(".overview .copy.first")).to_have_text("Copied")
    page.locator(".overview button.evidence").click()

    assert page.evaluate("navigator.clipboard.readText()") == (
        "kafka-consumer-groups.sh --bootstrap-server … --describe --group payments --state"
    )
    expect(page.locator(".overview .offsets")).to_be_visible()
    assert page.evaluate("window.isAsked") is None


def test_a_remedy_opens_in_what_if_and_back_returns(tab):
    page = tab(UNEVEN)

    page.get_by_role("button", name="Try: roundrobin").click()
    page.wait_for_url(re.compile(r"/whatif\?.*candidate=roundrobin"))
    drawn(page)
    page.go_back()
    drawn(page)

    expect(page.locator(".overview h2").first).to_contain_text(
        "web-06 (10.4.2.16) has 5,304 records"
    )


@pytest.mark.parametrize("count", [13, 200])
def test_a_bar_is_drawn_for_each_of_many_members_on_one_screen(tab, count):
    page = tab("/")
    rows = "".join(f"g t {place} 0 9000 9000 m-{place} /10.0.0.1 m\n" for place in range(count))
    header = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"

    page.get_by_role("textbox", name="Listing").fill(header + rows)
    page.get_by_role("button", name="Read", exact=True).click()

    expect(page.locator(".overview .bars i")).to_have_count(count)
    lags = page.locator(".who .row > .lag")
    expect(lags).to_have_text(["9,000"] * 5)
    expect(page.locator(".who .row").last).to_contain_text(f"{count - 4} others")
    last = lags.last.bounding_box()
    assert last["y"] + last["height"] < 900


def test_a_day_of_the_example_draws_its_hours(tab):
    page = tab("/overview?cluster=example&group=invoice-writer")

    expect(page.locator(".overview .hours svg")).to_be_visible()
    expect(page.locator(".overview .rows > li")).to_have_count(4)


def test_the_arrows_beside_the_tabs_open_the_next_group_that_needs_the_reader(tab):
    page = tab("/?cluster=example")
    # The judged history puts the groups into another order.
    expect(page.get_by_text("lose unread records in about").first).to_be_visible()
    page.get_by_text("returns-archiver", exact=True).first.click()
    expect(page.locator("h1").first).to_have_text("returns-archiver")

    for name in ("old-reports", "email-sender"):
        page.get_by_role("button", name="Next group that needs you").click()
        expect(page.locator("h1").first).to_have_text(name)
    page.get_by_role("button", name="Previous group that needs you").click()

    expect(page.locator("h1").first).to_have_text("old-reports")
