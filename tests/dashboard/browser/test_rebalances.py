"""Rebalances in a browser: a click opens one, a drag chooses some, the address holds both, and
nothing is cut at any width.
"""

import pytest
from playwright.sync_api import expect

from evenkeel.data.lake.place import place_of
from evenkeel.data.rebalances.store import log_home, store_logs
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.sources.examples.worked_examples import example_log
from tests.dashboard.browser.axe import serious_faults
from tests.dashboard.browser.server import settle
from tests.dashboard.browser.test_look import CUT, OVER_THE_EDGE, SIZES, untold_columns
from tests.dashboard.browser.test_shares import freeze, window
from tests.data.rebalances.test_history import RESTART


@pytest.fixture(scope="module")
def link(folder):
    """The address of a log with four rebalances, the second of 12:00:04."""
    return f"/rebalances?log={store_logs(place_of(folder / 'lake'), [('server.log', RESTART)])}"


@pytest.fixture(scope="module")
def example(folder):
    """The address of the worked example: two bursts and others, the twelve of a rolling restart
    first.
    """
    return f"/rebalances?log={store_logs(place_of(folder / 'lake'), [example_log()])}"


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_and_axe_finds_no_serious_fault(tab, example, size):
    page = tab(example, *SIZES[size])

    expect(page.locator(".st-key-rebalance-lanes .js-plotly-plot")).to_be_visible()
    expect(page.locator(".causes tbody .advice").first).to_be_visible()
    assert untold_columns(page) == []
    assert page.evaluate(OVER_THE_EDGE) <= 0
    assert page.evaluate(CUT) == []
    assert serious_faults(page) == []


def test_a_click_opens_one_a_drag_chooses_some_and_the_address_shows_the_same_again(tab, link):
    page = tab(link)

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
    expect(page.locator(".rebalance-settings thead th").first).to_have_text(
        "These 2, replayed with"
    )
    settle(page)

    again = tab(page.url)
    expect(again.locator(".rebalance-settings thead th").first).to_have_text(
        "These 2, replayed with"
    )


def test_a_click_on_a_stem_opens_its_burst_and_the_keyboard_chooses_a_cause(tab, example):
    page = tab(example)
    settings, head = (
        page.locator(".rebalance-settings thead th").first,
        page.locator(".rebalance-head b"),
    )
    expect(settings).to_have_text("These 12, replayed with")

    # The stem of the last one, whose begin is the last moment that the strip shows but for its air.
    marks = page.locator(".st-key-rebalance-strip .barlayer .point path")
    boxes = [mark.bounding_box() for mark in marks.all()]
    last = max(boxes, key=lambda box: box["x"])
    page.mouse.click(last["x"] + last["width"] / 2, last["y"] + last["height"] / 2)
    expect(settings).not_to_have_text("These 12, replayed with")
    expect(page.get_by_role("button", name="Later")).to_be_disabled()
    opened = head.inner_text()
    page.get_by_role("button", name="Earlier").press("Enter")
    expect(head).not_to_have_text(opened)

    row = page.locator(".causes tbody tr", has_text="failed heartbeat")
    row.click()
    expect(row).to_have_attribute("aria-selected", "true")
    expect(
        page.locator(".st-key-rebalance-lanes").get_by_text("Failed heartbeat: the one of").first
    ).to_be_visible()
    settle(page)
    assert "cause=session_timeout" in page.url
    page.locator(".causes tbody tr", has_text="restarted").press("Enter")
    expect(
        page.locator(".st-key-rebalance-lanes").get_by_text("Restarted: the 12 of").first
    ).to_be_visible()
    settle(page)

    again = tab(page.url)
    expect(
        again.locator(".st-key-rebalance-lanes").get_by_text("Restarted: the 12 of").first
    ).to_be_visible()
    page.locator(".causes tbody tr", has_text="restarted").click()
    expect(page.locator(".causes tbody tr[aria-selected=true]")).to_have_count(0)


def test_a_frozen_log_opens_in_another_browser_after_it_was_deleted_with_no_name_that_was_hidden(
    chromium, server, folder, link
):
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

    expect(again.locator(".verdict")).to_contain_text(
        "The restart of 2 members caused 4 rebalances."
    )
    expect(again.locator(".rebalance-head b")).to_have_text("12:00:04 client-01 restarted")
    expect(again.locator(".rebalance-lines")).to_contain_text(
        "Adding new member member-02 with group instance id null"
    )
    assert "pay-" not in again.content()
    assert again.evaluate(OVER_THE_EDGE) <= 0
    assert again.evaluate(CUT) == []
    assert serious_faults(again) == []
    again.context.close()
