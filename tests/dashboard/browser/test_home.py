"""Home of the example cluster in a browser: a fold opens in place, Copy says that it copied, and
the panel of alerts is seen when it opens.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.dashboard.browser.server import drawn, named
from tests.dashboard.browser.test_look import OVER_THE_EDGE, PHONE, WIDE

HOME = "/?cluster=example"


@pytest.fixture
def home(tab):
    """Return a maker of homes whose history has been judged: it puts the groups into another
    order.
    """

    def open_home(size):
        page = tab(HOME, size)
        expect(page.get_by_text("lose unread records in about").first).to_be_visible()
        drawn(page)
        return page

    return open_home


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_fold_opens_below_the_lines_that_stay_and_back_closes_it(home, size):
    page = home(size)
    names = page.locator(".line .name")
    above = names.all_inner_texts()
    fold = page.get_by_role("button", name="more need you")
    hidden = int(fold.inner_text().split()[1])

    fold.click()

    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(names).to_have_count(len(above) + hidden)
    expect(fold).to_be_focused()
    lines = names.all_inner_texts()
    assert above in [lines[:place] + lines[place + hidden :] for place in range(1, len(above) + 1)]
    assert page.evaluate(OVER_THE_EDGE) <= 0
    drawn(page)
    page.go_back()
    expect(names).to_have_count(len(above))


def test_everything_that_is_pressed_on_a_phone_is_44_pixels_high(home):
    parts = ".st-key-home-head button, .st-key-home-choices :is(button,"
    heights = (
        home(PHONE)
        .locator(f"{parts} [data-testid=stTextInputRootElement]), .line .copy, div.line")
        .evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().height).filter(high => high)"
        )
    )

    assert len(heights) > 15
    assert min(map(round, heights)) >= 44


def test_everything_that_is_pressed_on_the_empty_start_of_a_phone_is_44_pixels(tab):
    page = tab("/", PHONE)
    named(page)
    sizes = page.locator(".st-key-start button, .st-key-tools button").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    )

    assert len(sizes) == 7
    assert min(round(side) for box in sizes for side in box) >= 44
    command = page.locator(".command pre")
    assert command.evaluate("text => text.scrollWidth - text.clientWidth") <= 0


def test_every_class_of_the_choice_and_the_alerts_are_within_a_phone(home):
    page = home(PHONE)
    lefts = page.locator(".st-key-home-choices [role=radio]").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().left)"
    )
    page.get_by_role("button", name="Alerts").click()
    expect(page.locator(".alerts-table")).to_be_visible()
    drawn(page)

    assert len(lefts) == 5
    assert min(lefts) >= 0
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 0


def test_a_phone_lists_fine_groups_only_when_their_line_is_pressed(home):
    page = home(PHONE)
    fine, table = page.get_by_role("button", name="are fine"), page.locator("table.home")

    expect(table).to_be_hidden()
    fine.click()

    expect(table.locator("tbody tr").first).to_be_visible()
    expect(fine).to_have_attribute("aria-expanded", "true")
    assert page.locator(".line .name").count() > 1


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_pressed_button_says_for_two_seconds_that_it_copied(home, size):
    page = home(size)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy = page.locator(".copy").first

    copy.click()

    expect(copy).to_have_text("Copied")
    expect(copy).to_have_text("Copy command")
    assert page.evaluate("navigator.clipboard.readText()").startswith("kafka-")
    expect(page).to_have_url(re.compile("cluster=example"))


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_panel_of_alerts_is_in_sight_when_it_opens(home, size):
    page = home(size)

    page.get_by_role("button", name="Alerts").click()

    expect(page.locator(".st-key-alerts-panel").get_by_text("Alerts").first).to_be_in_viewport()
    drawn(page)
    panel = page.locator(".st-key-alerts-panel").bounding_box()
    assert 0 < panel["y"] < size[1] - 100
