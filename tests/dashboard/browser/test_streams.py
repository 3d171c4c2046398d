"""Streams by hand: a card, the keys of the slider, and the copies of a task under the mouse."""

import re

from playwright.sync_api import expect

from tests.dashboard.browser.server import settle
from tests.dashboard.browser.test_look import PHONE


def test_a_phone_has_the_lag_of_every_copy_and_scrolls_no_task_out_of_sight(tab):
    page = tab("/streams?sample=orders-enrich&round=3", PHONE)

    width, room = page.locator(".holders").evaluate("one => [one.scrollWidth, one.clientWidth]")
    hidden = page.locator(".tile i").evaluate_all(
        "all => all.filter(one => !one.getClientRects().length).length"
    )

    assert (width, hidden) == (room, 0)


def test_a_card_and_the_slider_set_one_round_and_the_mouse_shows_all_copies_of_a_task(tab):
    page = tab("/streams?sample=kip-441")
    settle(page)

    page.get_by_role("radio", name=re.compile("Round 1")).click()
    expect(page).to_have_url(re.compile("round=1"))
    expect(page.locator(".task-legend").first).to_contain_text("round 1")
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("round=2"))
    expect(page.locator(".task-legend").first).to_contain_text("round 2")

    page.locator(".tile[data-task='0_0']").first.hover()
    expect(page.locator(".tile.same")).to_have_count(2)


def test_a_click_on_a_task_says_why_it_is_there(tab):
    page = tab("/streams?sample=kip-441")
    settle(page)

    page.locator(".tile[data-task='0_0']").first.click()
    settle(page)

    expect(page.get_by_text("Why 0_0 is there now")).to_be_visible()
    expect(page.locator("ol.why li").first).to_contain_text("Stateful tasks are dealt out in turn")
