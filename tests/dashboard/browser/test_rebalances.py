"""Rebalances in a browser: a click opens one, a drag chooses some, the address holds both, and nothing is cut at any width."""

import pytest
from playwright.sync_api import expect

from evenkeel.data.lake.place import place_of
from evenkeel.data.rebalances.store import store_logs
from tests.dashboard.browser.axe import serious_faults
from tests.dashboard.browser.server import settle
from tests.dashboard.browser.test_look import CUT, OVER_THE_EDGE, SIZES
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
