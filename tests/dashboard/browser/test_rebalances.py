"""Rebalances in a browser: a click opens one, a drag chooses some, the address holds both, and nothing is cut at any width."""

import pytest
from playwright.sync_api import expect

from evenkeel.data.lake.place import place_of
from evenkeel.data.rebalances.store import log_home, store_logs
from evenkeel.data.shares.redaction import KINDS
from tests.dashboard.browser.axe import serious_faults
from tests.dashboard.browser.server import settle
from tests.dashboard.browser.test_look import CUT, OVER_THE_EDGE, SIZES
from tests.dashboard.browser.test_shares import freeze, window
from tests.data.rebalances.test_history import RESTART


@pytest.fixture(scope="module")
def link(folder):
    """The address of a log with four rebalances, the second of 12:00:04."""
    return f"/rebalances?log={store_logs(place_of(folder / 'lake'), [('server.log', RESTART)])}"


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_and_axe_finds_no_serious_fault(windows, link, size):
    page = windows(*SIZES[size]).new_page()
    page.goto(link)
    settle(page)

    expect(page.locator(".st-key-rebalance-lanes .js-plotly-plot")).to_be_visible()
    assert page.evaluate(OVER_THE_EDGE) <= 0
    assert page.evaluate(CUT) == []
    assert serious_faults(page) == []
    page.close()


def test_a_click_opens_one_a_drag_chooses_some_and_the_address_shows_the_same_again(windows, link):
    page = windows((1440, 900), False).new_page()
    page.goto(link)
    settle(page)

    lanes = page.locator(".st-key-rebalance-lanes .nsewdrag").first.bounding_box()
    # Eight rows are drawn at least; the second is of 12:00:04.
    page.mouse.click(lanes["x"] + lanes["width"] / 2, lanes["y"] + lanes["height"] * 1.6 / 8.2)
    expect(page.locator(".rebalance-head b")).to_have_text("12:00:04 pay-a restarted")
    strip = page.locator(".st-key-rebalance-strip .nsewdrag").first.bounding_box()
    middle = strip["y"] + strip["height"] / 2
    page.mouse.move(strip["x"] + strip["width"] * 0.45, middle)
    page.mouse.down()
    page.mouse.move(strip["x"] + strip["width"] * 0.98, middle, steps=8)
    page.mouse.up()
    expect(page.locator(".rebalance-settings thead th").first).to_have_text("These 2, replayed with")
    settle(page)

    again = page.context.new_page()
    again.goto(page.url)
    settle(again)
    expect(again.locator(".rebalance-settings thead th").first).to_have_text("These 2, replayed with")
    again.close()
    page.close()


def test_a_frozen_log_opens_in_another_browser_after_it_was_deleted_with_no_name_that_was_hidden(chromium, server, folder, link):
    lake = place_of(folder / "lake")
    log = store_logs(lake, [("server.log", RESTART)])
    page = window(chromium, server)
    page.goto(f"/rebalances?log={log}&rebalance=2")
    settle(page)
    share = freeze(page, "Who restarted?", tuple(KINDS))
    page.context.close()
    log_home(lake, log).delete_all()

    again = window(chromium, server)
    again.goto(share)
    settle(again)

    expect(again.locator(".verdict")).to_contain_text("The restart of 2 members made 4 rebalances.")
    expect(again.locator(".rebalance-head b")).to_have_text("12:00:04 client-01 restarted")
    expect(again.locator(".rebalance-lines")).to_contain_text("Adding new member member-02 with group instance id null")
    assert "pay-" not in again.content()
    assert again.evaluate(OVER_THE_EDGE) <= 0 and again.evaluate(CUT) == []
    assert serious_faults(again) == []
    again.context.close()
