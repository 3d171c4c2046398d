"""The first page of a report on paper: what is wrong, who is behind and what helps."""

import re

import pytest
from playwright.sync_api import expect

from tests.dashboard.browser.server import settle

A4 = {"width": 794, "height": 1123}
WITHIN_MARGINS = {"width": 703, "height": 1028}
PAGES = re.compile(rb"/Type\s*/Page\b")
GROUP = "invoice-writer-of-a-rather-long-name"


def listing(members: int, partitions: int) -> str:
    """Return two readings a minute apart: the first member commits nothing, the others keep up."""
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    text = ""
    for minute in range(2):
        text += f"2026-11-27T14:0{minute}:00Z\n{head}"
        for tp in range(members * partitions):
            member, end = tp // partitions, 91_000 + 9000 * minute
            committed = end - 10 if member else 1000
            name = f"consumer-invoice-writer-{member}"
            text += (
                f"{GROUP} billing.invoices {tp} {committed} {end} {end - committed} {name}-1a2b"
                f" /10.20.7.{member} {name}\n"
            )
    return text


def report_of(page) -> str:
    """Return the report of the open group."""
    settle(page)
    page.get_by_role("button", name="Share").last.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML").click()
    return download.value.path().read_text()


@pytest.fixture
def paper(chromium):
    with chromium.new_context(viewport=A4, offline=True) as context:
        yield context.new_page()


@pytest.mark.parametrize(("members", "partitions"), [(4, 5), (12, 30), (40, 3)])
def test_a_report_of_a_stalled_member_is_one_page_with_sentence_figures_and_what_helps(
    tab, paper, members, partitions
):
    page = tab("/")
    page.get_by_role("textbox", name="Listing").fill(listing(members, partitions))
    page.get_by_role("button", name="Read", exact=True).click()
    page.get_by_text("has read nothing").first.click()
    page.wait_for_url("**/overview*")

    paper.set_content(report_of(page))

    assert len(PAGES.findall(paper.pdf(prefer_css_page_size=True))) == 1
    expect(paper.locator(".what h2")).to_contain_text("has read nothing in 60 s")
    expect(paper.locator(".strip dt")).to_have_text(["Lag", "Behind", "Drained", "Members"])
    expect(paper.locator(".who .row").first).to_contain_text("consumer-invoice-writer-0")
    expect(paper.locator(".advised b")).to_have_text("Look at consumer-invoice-writer-0")
    expect(paper.locator(".answers")).to_have_count(0)


def test_a_report_of_an_uneven_group_has_the_assignors_on_its_second_page(tab, paper):
    html = report_of(tab("/overview?sample=idle-under-range"))

    paper.set_content(html)

    assert len(html.encode()) < 300_000
    assert len(PAGES.findall(paper.pdf(prefer_css_page_size=True))) > 1
    paper.emulate_media(media="print")
    paper.set_viewport_size(WITHIN_MARGINS)
    bands = paper.locator(".bands").bounding_box()
    assert bands["y"] + bands["height"] < WITHIN_MARGINS["height"]
    expect(paper.locator(".answers table")).to_have_count(1)
