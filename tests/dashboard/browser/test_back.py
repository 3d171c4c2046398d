"""Back and Forward walk through what was chosen, one choice a step."""

import re

from playwright.sync_api import expect

from tests.dashboard.browser.server import settle
from tests.dashboard.browser.test_comparison import row


def under(page, name):
    expect(page.get_by_text(f"Worst member under {name}")).to_be_visible()
    expect(row(page, name)).to_have_attribute("aria-selected", "true")
    expect(page).to_have_url(re.compile(f"candidate={name}"))
    settle(page)


def shown_rows(page, name):
    expect(page.get_by_test_id("stButtonGroup").get_by_role("radio", name=name, exact=True)).to_be_checked()
    settle(page)


def test_each_click_on_back_and_forward_shows_one_choice(tab):
    page = tab("/compare?sample=one-hot-partition&candidate=sticky")
    for name in ("range", "lag"):
        row(page, name).click()
        under(page, name)
    page.get_by_role("link", name="Moves").click()
    shown_rows(page, "Moved")
    page.get_by_test_id("stButtonGroup").get_by_role("radio", name="Kept", exact=True).click()
    expect(page).to_have_url(re.compile("rows=kept"))
    shown_rows(page, "Kept")

    page.go_back()
    shown_rows(page, "Moved")
    expect(page).not_to_have_url(re.compile("rows="))
    page.go_back()
    under(page, "lag")
    page.go_back()
    under(page, "range")
    page.go_back()
    under(page, "sticky")
    page.go_forward()
    under(page, "range")
    page.go_forward()
    under(page, "lag")
    page.go_forward()
    shown_rows(page, "Moved")
    page.go_forward()
    shown_rows(page, "Kept")
    expect(page).to_have_url(re.compile("/moves.*candidate=lag.*rows=kept"))


def test_a_page_completes_its_address_without_a_step_for_back(tab):
    page = tab("/compare?sample=one-hot-partition")
    before = page.evaluate("history.length")

    page.get_by_role("link", name="Moves").click()
    expect(page).to_have_url(re.compile("/moves.*sample="))
    settle(page)

    assert page.evaluate("history.length") == before + 1
    page.go_back()
    expect(page).to_have_url(re.compile("/compare.*sample="))
    settle(page)
    page.go_back()
    expect(page).to_have_url("about:blank")
