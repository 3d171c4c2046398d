"""What only a browser can do on Assignors and Moves: pick rows, sort, click bars, follow links."""

import re

import pytest
from playwright.sync_api import expect

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import serving
from tests.dashboard.browser.server import resize, settle

EXAMPLE = "/compare?sample=one-hot-partition"


def assignors(page):
    return page.locator("table[aria-label=Assignors] tbody b").all_inner_texts()


def row(page, name):
    return page.locator("table[aria-label=Assignors] tbody tr").filter(
        has=page.locator(f"b:text-is('{name}')")
    )


def test_a_click_on_a_row_makes_it_the_candidate_and_writes_the_link(tab):
    page = tab(EXAMPLE)

    row(page, "range").click()

    expect(page).to_have_url(re.compile("candidate=range"))
    expect(page.get_by_text("Worst member under range")).to_be_visible()
    expect(row(page, "range")).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_keyboard_picks_a_row_and_stays_on_it(tab, key):
    page = tab(EXAMPLE)

    row(page, "sticky").focus()
    page.keyboard.press(key)

    expect(page.get_by_text("Worst member under sticky")).to_be_visible()
    expect(row(page, "sticky")).to_be_focused()


def test_the_table_is_one_tab_stop_with_arrow_keys_and_a_ring_on_headers_and_rows(tab):
    page = tab("/compare?sample=one-hot-partition&candidate=range")
    table = page.locator("table[aria-label=Assignors]")
    focused = table.locator(":focus")

    stops = table.locator("[tabindex='0']")
    expect(stops).to_have_count(1)
    expect(stops.locator("th b")).to_have_text("range")

    stops.focus()
    page.keyboard.press("ArrowDown")
    expect(focused.locator("th b")).to_have_text("roundrobin")
    expect(stops).to_have_count(1)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(focused).to_have_js_property("tagName", "BUTTON")
    expect(focused).to_have_css("outline-style", "solid")
    first = focused.inner_text()
    page.keyboard.press("ArrowRight")
    expect(focused).not_to_have_text(first)
    page.keyboard.press("ArrowDown")
    expect(focused.locator("th b")).to_have_text("range")
    expect(focused).to_have_css("outline-style", "solid")

    page.keyboard.press("Tab")
    expect(focused).to_have_count(0)


def test_headers_sort_both_ways_and_the_current_row_stays_first(tab):
    page = tab(EXAMPLE)
    header = page.locator("table[aria-label=Assignors] th[data-over='Worst member'] button").first

    header.click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_attribute("data-over", "Worst member")
    best_first = assignors(page)
    header.click()
    expect(page.locator("th[aria-sort=descending]")).to_have_attribute("data-over", "Worst member")
    worst_first = assignors(page)

    assert [name for name in best_first if name in ("current", "range", "roundrobin", "lag")] == [
        "current",
        "roundrobin",
        "lag",
        "range",
    ]
    assert [name for name in worst_first if name in ("current", "range", "roundrobin", "lag")] == [
        "current",
        "range",
        "lag",
        "roundrobin",
    ]


def test_a_click_on_a_bar_lists_the_partitions_of_its_member(tab):
    page = tab(EXAMPLE)
    bar = page.locator(".barlayer .point path").nth(3).bounding_box()

    page.mouse.click(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)

    expect(page.locator(".st-key-member input")).to_have_value(re.compile("^pay-eu-09 "))


def test_a_link_with_an_example_and_a_candidate_goes_straight_to_the_comparison(tab):
    page = tab("/?sample=lag-aware&candidate=roundrobin")

    expect(page.get_by_text("Worst member under roundrobin")).to_be_visible()
    expect(page).to_have_url(re.compile("/compare.*sample=lag-aware"))


def test_group_and_candidate_stay_from_page_to_page(tab):
    page = tab("/compare?sample=lag-aware&candidate=range")

    page.get_by_role("link", name="Moves").click()
    expect(
        page.get_by_text("range assigns every partition to the same member as current.")
    ).to_be_visible()
    page.get_by_role("link", name="Groups").first.click()
    expect(page.get_by_role("heading", name="What is wrong in your")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("/moves"))
    page.get_by_role("link", name="Assignors").click()

    expect(page.get_by_text("Worst member under range")).to_be_visible()
    expect(page).to_have_url(re.compile("sample=lag-aware"))


def test_an_example_opens_from_the_dialog_that_the_key_o_opens(tab):
    page = tab("/compare?sample=lag-aware")

    page.keyboard.press("o")
    page.locator(".st-key-open-idle-under-range button").click()

    expect(page).to_have_url(re.compile("/overview"))
    page.get_by_role("link", name="Assignors").click()
    expect(page.get_by_role("heading", name="web-events")).to_be_visible()
    settle(page)
    assert assignors(page) == ["current", *serving(None, ASSIGNORS), "best"]


def test_a_copied_address_shows_the_same_candidate_order_and_chain(tab):
    page = tab("/compare?sample=one-hot-partition&candidate=range&sort=-worst")
    row(page, "sticky").click()
    expect(page).to_have_url(re.compile("candidate=sticky"))
    settle(page)

    copy = tab(page.url.split("/", 3)[-1].join(("/", "")))

    expect(copy.get_by_text("Worst member under sticky")).to_be_visible()
    row(copy, "sticky").wait_for()
    assert assignors(copy) == assignors(page)
    expect(copy.locator("th[aria-sort=descending]")).to_have_attribute("data-over", "Worst member")


def test_headings_of_groups_stand_over_their_columns_where_the_table_is_narrow(tab):
    page = tab(EXAMPLE, (800, 768))

    heading = page.locator(
        "table[aria-label=Assignors] tr.over th:visible", has_text="Moved"
    ).bounding_box()
    column = page.locator(
        "table[aria-label=Assignors] tr.columns th:visible", has_text="partitions"
    ).bounding_box()

    assert abs(heading["x"] - column["x"]) < 2


def test_what_is_said_beside_a_name_stays_as_a_mark_with_a_title_in_a_narrow_table(tab):
    page = tab("/compare?sample=third-consumer-joins")

    for width, seen, hidden in (
        (1440, "small.words", "small.mark"),
        (800, "small.mark", "small.words"),
    ):
        resize(page, width, 900)
        beside = row(page, "uniform").locator(seen)
        expect(beside).to_be_visible()
        expect(row(page, "uniform").locator(hidden)).to_be_hidden()
        expect(beside).to_have_attribute("title", re.compile("needs group.protocol=consumer"))


def test_the_help_of_the_release_can_be_reached(tab):
    page = tab("/compare?sample=two-consumers&candidate=uniform")
    label = page.get_by_test_id("stCaptionContainer").filter(has_text="Release of the brokers")

    for width in (1440, 1024):
        resize(page, width, 900)
        page.locator(".st-key-scope-leader button").first.click()
        page.mouse.move(0, 0)
        expect(page.get_by_role("tooltip")).to_have_count(0)
        label.get_by_test_id("stTooltipIcon").hover()
        expect(page.get_by_role("tooltip")).to_contain_text(
            "uniform, broker-range and simple run in the brokers, with the Kafka release that"
            " you choose"
        )
        page.keyboard.press("Escape")


def test_the_candidate_keeps_its_label_in_front(tab):
    page = tab(EXAMPLE)

    for width in (1440, 1024, 390):
        resize(page, width, 768)
        label, choice = (
            page.get_by_text("Candidate", exact=True).first.bounding_box(),
            page.locator(".st-key-candidate").bounding_box(),
        )
        assert label["x"] + label["width"] <= choice["x"]
        assert choice["y"] <= label["y"] + label["height"] / 2 <= choice["y"] + choice["height"]


def test_the_best_of_a_large_group_is_searched_once_its_page_is_drawn_and_is_drawn_when_found(tab):
    page = tab("/compare?sample=kafka-9987-leave")

    expect(page.locator("tr.best-row")).to_contain_text(
        "only a lower bound, because the lag of 2,100 partitions is unknown"
    )
    assert assignors(page)[-1] == "best"
