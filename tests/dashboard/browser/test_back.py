"""Back and Forward walk through what was chosen, one choice a step."""

import json
import re

import numpy as np
from playwright.sync_api import expect

from tests.dashboard.browser.server import drawn, settle
from tests.dashboard.browser.test_comparison import row


def under(page, name, wait=settle):
    expect(page.get_by_text(f"Worst member under {name}")).to_be_visible()
    expect(row(page, name)).to_have_attribute("aria-selected", "true")
    expect(page).to_have_url(re.compile(f"candidate={name}"))
    wait(page)


def shown_rows(page, name):
    expect(
        page.get_by_test_id("stButtonGroup").get_by_role("radio", name=name, exact=True)
    ).to_be_checked()
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


def test_an_address_that_is_written_once_more_takes_no_step_from_the_next_choice(tab):
    page = tab("/compare?sample=one-hot-partition&candidate=sticky")
    row(page, "range").click()
    under(page, "range")
    before = page.evaluate("history.length")

    row(page, "lag").click()
    # What a run that began before the click writes at its end.
    page.evaluate("history.pushState(history.state, '', location.href)")
    under(page, "lag")

    assert page.evaluate("history.length") == before + 1
    page.go_back()
    under(page, "range")
    page.go_back()
    under(page, "sticky")


def large_group() -> str:
    """A group whose best assignment is searched behind the page."""
    rng = np.random.default_rng(5)
    topics = {name: rng.lognormal(7, 2, 60).astype(int).tolist() for name in ("orders", "refunds")}
    members = [
        {"member_id": f"m-{row:02}", "subscribed": list(topics)[: 1 + row % 4], "owned": {}}
        for row in range(40)
    ]
    for name, lag in topics.items():
        for number in range(len(lag)):
            members[int(rng.integers(10)) * 4 + 1]["owned"].setdefault(name, []).append(number)
    listed = [
        {"name": name, "partitions": [{"lag": one} for one in lag]} for name, lag in topics.items()
    ]
    return json.dumps(
        {"format": "evenkeel.group/1", "group_id": "large", "topics": listed, "members": members}
    )


def test_no_step_is_lost_while_the_best_assignment_of_a_large_group_arrives(tab):
    page = tab("/")
    page.get_by_role("textbox", name="Listing").fill(large_group())
    page.get_by_role("button", name="Read", exact=True).click()
    page.wait_for_url("**/overview*")
    page.get_by_role("link", name="Assignors").click()
    page.wait_for_url("**/compare*")
    names = ("sticky", "roundrobin", "lag")

    for name in names:
        row(page, name).click()
        # The search of the best goes on.
        under(page, name, drawn)
    settle(page)

    for name in reversed(names[:-1]):
        page.go_back()
        under(page, name)
