"""The age of a reading is counted in the browser, and what is overdue is grey."""

import re

import pytest

from tests.dashboard.browser.server import ROOT

_SCRIPT = ROOT / "dashboard/shell/age/age.js"
_DRAW = """async ([script, data]) => {
    window.draw ??= (await import("data:text/javascript," + encodeURIComponent(script))).default;
    draw({ data, parentElement: document.querySelector("div") });
}"""


@pytest.fixture
def page(chromium):
    page = chromium.new_page()
    page.clock.install()
    page.set_content("<div><span></span></div>")
    yield page
    page.close()


def _drawn(page, **data):
    page.evaluate(
        _DRAW,
        [
            _SCRIPT.read_text(),
            {"id": "first", "text": "as of 14:02:11 UTC", "seconds": 2.0, "due": 25} | data,
        ],
    )
    return page.inner_text("span")


def _is_overdue(page):
    return page.locator("div[data-overdue]").count() == 1


def test_the_age_goes_on_without_the_server_and_says_when_a_refresh_is_overdue(page):
    drawn = _drawn(page), _is_overdue(page)
    page.clock.run_for(12_000)
    later = page.inner_text("span"), _is_overdue(page)
    page.clock.run_for(3_600_000)
    hours = page.inner_text("span")

    assert drawn == ("as of 14:02:11 UTC (2 s ago)", False)
    # The machine's own clock goes on meanwhile.
    assert re.fullmatch(r"as of 14:02:11 UTC \(1[4-9] s ago\)", later[0])
    assert not later[1]
    assert hours == "as of 14:02:11 UTC (1 h ago, refresh overdue)"
    assert _is_overdue(page)


def test_a_reading_drawn_again_is_no_younger_and_the_next_one_starts_afresh(page):
    _drawn(page)
    page.clock.run_for(30_000)

    again, is_overdue = _drawn(page), _is_overdue(page)
    after = _drawn(page, id="second", text="as of 14:02:43 UTC", seconds=0.2)

    assert (again, is_overdue) == ("as of 14:02:11 UTC (32 s ago, refresh overdue)", True)
    assert (after, _is_overdue(page)) == ("as of 14:02:43 UTC (0 s ago)", False)


def test_an_age_that_is_not_worth_saying_is_told_once_it_is(page):
    fresh = _drawn(page, **{"from": 90, "due": None})
    page.clock.run_for(120_000)

    assert fresh == "as of 14:02:11 UTC"
    assert re.fullmatch(r"as of 14:02:11 UTC \(2m [0-9]+s ago\)", page.inner_text("span"))


def test_badges_of_a_page_are_grey_while_what_they_say_is_overdue(tab):
    page = tab("/compare?sample=one-hot-partition")
    looks = "() => getComputedStyle(document.querySelector('.stMarkdownBadge')).filter"

    fresh = page.evaluate(looks)
    page.evaluate("() => document.querySelector('.st-key-scope').setAttribute('data-overdue', '')")

    assert fresh == "none"
    assert "grayscale(1)" in page.evaluate(looks)
