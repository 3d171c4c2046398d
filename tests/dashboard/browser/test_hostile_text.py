"""Text of a listing stays text: no link, no formula in a download."""

from playwright.sync_api import expect

from tests.dashboard.browser.server import settle

LINES = """
GROUP     TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID
payments  =1+1    0          1               2               1    pay-a        /h    pay-a
Error: see https://evil.example/a, www.evil.example or write to me@evil.example
"""


def test_an_address_in_a_pasted_line_is_no_link(tab):
    page = tab("/")
    page.get_by_role("textbox", name="Listing").fill(LINES)
    page.get_by_role("button", name="Read", exact=True).click()

    warning = page.get_by_test_id("stAlert").filter(has_text="evil.example/a")
    expect(warning).to_be_visible()
    expect(warning.locator("a")).to_have_count(0)


def test_a_table_offers_no_csv_of_its_own(tab):
    page = tab("/moves?sample=lag-aware&candidate=lag")
    settle(page)

    page.get_by_test_id("stDataFrame").first.hover()

    expect(page.get_by_role("button", name="Fullscreen").first).to_be_visible()
    expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)
