"""Every page in light and dark, wide and narrow: nothing is cut, and axe finds no serious fault."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.dashboard.browser.test_whatif import LINK as WHAT_IF

PAGES = {
    "start": "/",
    "compare": "/compare?sample=one-hot-partition",
    "large": "/compare?sample=kafka-9987",
    "moves": "/moves?sample=one-hot-partition",
    "whatif": WHAT_IF,
}
WIDE, NARROW = (1440, 900), (1024, 768)


@pytest.mark.parametrize(("size", "dark"), [(WIDE, False), (NARROW, True)], ids=["wide-light", "narrow-dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_serious_fault_and_nothing_is_cut(tab, name, size, dark):
    page = tab(PAGES[name], size, dark)

    found = Axe().run(page).response["violations"]

    assert not [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")]
    assert (
        page.evaluate("() => { const main = document.querySelector('[data-testid=stMain]'); return main.scrollWidth - main.clientWidth; }")
        <= 0
    )
    assert page.locator("[data-testid=stException]").count() == 0


def test_the_answer_is_seen_without_scrolling_on_a_laptop(tab):
    page = tab(PAGES["compare"])

    bars = page.locator("[data-testid=stPlotlyChart]").nth(1).bounding_box()

    assert bars["y"] + bars["height"] <= 900


@pytest.mark.parametrize(("dark", "paper"), [(False, "rgb(255, 255, 255)"), (True, "rgb(15, 22, 28)")])
def test_paper_and_figures_follow_light_and_dark(tab, dark, paper):
    page = tab(PAGES["compare"], dark=dark)

    assert page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor") == paper
    assert ("rgb(75, 163, 219)" if dark else "rgb(0, 114, 178)") in page.locator(".barlayer .point path").nth(1).get_attribute("style")


def test_the_table_drops_its_bars_where_it_is_narrow(tab):
    wide, narrow = (tab(PAGES["compare"], size) for size in (WIDE, NARROW))

    cell = "table[aria-label=Assignors] tbody td.bar"
    assert wide.locator(cell).first.is_visible()
    assert not narrow.locator(cell).first.is_visible()


@pytest.mark.parametrize("name", ["compare", "large"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_all_columns_of_the_table_fit(tab, name, size):
    page = tab(PAGES[name], size)

    widths = page.locator("table[aria-label=Assignors]").evaluate(
        "table => [table.getBoundingClientRect().width, table.parentElement.getBoundingClientRect().width]"
    )
    cut = page.locator("table[aria-label=Assignors] :is(th, td):visible").evaluate_all(
        "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.innerText)"
    )

    assert widths[0] <= widths[1] + 1
    assert cut == []
