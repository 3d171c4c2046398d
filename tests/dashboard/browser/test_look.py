"""Every page in light and dark, wide and narrow: nothing is cut, and axe finds no serious fault."""

import re
from time import monotonic

import pytest
from playwright.sync_api import expect

from tests.dashboard.browser.axe import serious_faults
from tests.dashboard.browser.server import settle, watched
from tests.dashboard.browser.test_whatif import LINK as WHAT_IF

PAGES = {
    "start": "/",
    "overview": "/overview?sample=idle-under-range",
    "compare": "/compare?sample=one-hot-partition",
    "large": "/compare?sample=kafka-9987",
    "best": "/best?sample=idle-under-range",
    "moves": "/moves?sample=one-hot-partition",
    "whatif": WHAT_IF,
    "streams": "/streams?sample=orders-enrich&round=3",
}
WIDE, NARROW, SMALL, PHONE = (1440, 900), (1024, 768), (800, 1000), (390, 844)
OVER_THE_EDGE = (
    "() => { const main = document.querySelector('[data-testid=stMain]'); return main.scrollWidth -"
    " main.clientWidth; }"
)
CUT = """() => [...document.querySelectorAll(
    '.stMain .js-plotly-plot text, .stMain :is(th, td, dt, dd)'
)].filter(one => {
    const box = one.getBoundingClientRect();
    if (!box.width || box.right <= innerWidth + 1 && box.left >= -1) return false;
    let around = one.parentElement;
    while (around && !(around.scrollWidth > around.clientWidth + 1 && ['auto',
        'scroll'].includes(getComputedStyle(around).overflowX))) around = around.parentElement;
    return !around;
}).map(one => one.textContent)"""
"""Texts that stand beyond an edge and that no scrolling brings into sight."""

HIDDEN = """() => {
    const found = [...document.querySelectorAll('*')].flatMap(one =>
        one.shadowRoot ? [one.shadowRoot] : []);
    const tables = [document, ...found].flatMap(root =>
        [...root.querySelectorAll('.stMain table, table')]);
    return tables.filter(table => table.tHead && table.getClientRects().length).map(table => {
        const heads = [...table.tHead.rows].at(-1).cells;
        const row = [...table.tBodies[0].rows].find(one => one.cells.length === heads.length &&
            !/fold|steady/.test(one.className));
        const hidden = [...heads].filter((head, place) =>
            getComputedStyle(row ? row.cells[place] : head).display === 'none');
        const said = table.getRootNode().querySelector('.hidden-columns')?.innerText ?? '';
        return [table.getAttribute('aria-label') ?? table.className, hidden.map(one =>
            one.textContent || 'bars'), said];
    });
}"""
"""Of each table: its name, the columns that are hidden, and the line below it."""

COLOURS = """() => [...document.querySelectorAll('.js-plotly-plot')].map(figure => [...new Set([
    ...figure.querySelectorAll('path, text, rect')].flatMap(one => [getComputedStyle(one).fill,
        getComputedStyle(one).stroke]).filter(colour => colour.startsWith('rgb(')))])"""


SIZES = {
    "wide-light": (WIDE, False),
    "narrow-dark": (NARROW, True),
    "small-light": (SMALL, False),
    "phone-dark": (PHONE, True),
}


def looks(*names: str, sizes: tuple[str, ...] = tuple(SIZES)):
    """Parametrize a test that changes nothing of its page: these pages in these sizes, each drawn
    once for all such tests.
    """
    found = {
        f"{name}-{size}": (PAGES[name], *SIZES[size]) for name in names or PAGES for size in sizes
    }
    return pytest.mark.parametrize("look", found.values(), ids=found, indirect=True)


@looks()
def test_axe_finds_no_serious_fault_and_what_does_not_fit_scrolls_or_stacks(look):
    assert serious_faults(look) == []
    assert look.evaluate(OVER_THE_EDGE) <= 0
    assert look.evaluate(CUT) == []
    expect(look.locator("[data-testid=stException]")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_no_serious_fault_on_home_and_overview_of_a_cluster_and_in_open(tab, dark):
    page = tab("/overview?cluster=example&group=invoice-writer", dark=dark)
    of_overview = serious_faults(page)
    page = tab("/?example=cluster", dark=dark)
    of_home = serious_faults(page)
    page.keyboard.press("o")
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Listing")).to_be_visible()
    settle(page)

    assert (of_overview, of_home, serious_faults(page)) == ([], [], [])


def untold_columns(page) -> list[tuple[str, str]]:
    """Return (table, column) for each column that a table hides without a word, and each table
    whose line counts others than it hides.
    """
    found = page.evaluate(HIDDEN)
    assert found, "no table"
    counts = [
        (name, said)
        for name, hidden, said in found
        if (int(said.split()[0]) if said else 0) != len(hidden)
    ]
    return counts + [
        (name, column) for name, hidden, said in found for column in hidden if column not in said
    ]


@looks("compare", "whatif", "streams", sizes=("narrow-dark", "small-light", "phone-dark"))
def test_a_column_that_a_narrow_window_hides_is_named_below_its_table(look):
    assert untold_columns(look) == []


@looks("compare", sizes=("small-light",))
def test_the_line_below_a_table_counts_the_hidden_columns_and_says_how_to_see_them(look):
    assert (
        look.locator(".hidden-columns").inner_text()
        == "2 columns hidden: bars. A wider window shows them."
    )


@looks("compare", "whatif", sizes=("phone-dark",))
def test_a_phone_breaks_no_name_of_an_assignor_and_has_all_its_figures(look):
    lines, hidden = look.locator("table[aria-label^=Assignors] tbody tr").evaluate_all(
        "rows => [rows.map(row => row.querySelector('b').getClientRects().length),"
        " rows.flatMap(row => [...row.cells].filter(cell => !/^bars?/.test(cell.className) &&"
        " !cell.getClientRects().length).map(cell => cell.textContent))]"
    )

    assert {*lines} == {1}
    assert hidden == []


@looks("overview", sizes=("phone-dark",))
def test_on_a_phone_remedies_have_their_figures_and_the_edge_of_the_tabs_fades(look):
    remedy = look.locator(".helps tr").filter(has_text="roundrobin")
    tabs = look.locator(".st-key-tabs")

    expect(remedy.locator(".worst")).to_have_text(re.compile(r"^−35\s%3,434$"))
    expect(remedy.locator(".price")).to_contain_text("24 move")
    expect(tabs).to_have_css("mask-image", re.compile("^linear-gradient"))
    tabs.evaluate("row => { row.scrollLeft = row.scrollWidth; }")
    expect(tabs).to_have_css("mask-image", "none")


@pytest.mark.parametrize(
    "look",
    [("/readiness?sample=idle-under-range", size, True) for size in (SMALL, PHONE)],
    ids=["small", "phone"],
    indirect=True,
)
def test_a_narrow_window_cuts_no_reason_and_hides_no_column_of_readiness(look):
    cells = look.locator("table[aria-label^=Groups] tbody > tr > *")
    cut = cells.evaluate_all(
        "cells => cells.filter(cell => !cell.getClientRects().length || cell.scrollWidth >"
        " cell.clientWidth + 1).map(cell => cell.textContent)"
    )

    assert cells.count() > 0
    assert cut == []
    expect(look.locator(".hidden-columns")).to_have_text("")


def test_the_tab_of_a_page_is_in_sight_on_a_phone(tab):
    page = tab("/rebalances?cluster=example&group=notifier", PHONE)

    expect(page.locator(".st-key-tabs a[aria-current=page]")).to_be_in_viewport(ratio=0.8)


@looks("compare", sizes=("wide-light",))
def test_the_figures_begin_at_the_top(look):
    strip = look.locator(".kpis").first.bounding_box()

    assert strip["y"] <= 180


STORED = "/compare?cluster=simulated&group=group-0000&at=2026-11-02T11:59Z"


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata"])
def test_the_figures_of_a_stored_snapshot_begin_at_the_top_in_every_zone(
    chromium, server, collected, zone
):
    window = chromium.new_context(
        base_url=server, viewport={"width": 1440, "height": 900}, timezone_id=zone
    )
    page = watched(window.new_page())
    page.goto(STORED)
    settle(page)
    expect(page.locator(".st-key-scope")).to_contain_text("2026-11-02")

    top = page.locator(".kpis").first.bounding_box()["y"]
    cut = page.locator(".st-key-scope :is(h1, .stMarkdownBadge)").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    )
    offered = page.get_by_role("button", name=re.compile("Read again|10 s")).count()
    window.close()

    assert top <= 180
    assert cut == []
    assert offered == 0


def test_a_long_name_gives_way_before_the_line_above_compare_takes_a_second_row(tab):
    page = tab(PAGES["compare"])

    page.locator(".scope-title").evaluate(
        "title => title.textContent = 'payments-reconciliation-of-the-eu-'.repeat(3)"
    )

    scope, end = (page.locator(f".st-key-{name}").bounding_box() for name in ("scope", "scope-end"))
    assert scope["height"] <= 40
    assert end["x"] + end["width"] <= 1440
    assert page.locator(".kpis").first.bounding_box()["y"] <= 180


@looks("overview", sizes=("wide-light",))
def test_the_answer_is_seen_without_scrolling_on_a_laptop(look):
    remedy = look.get_by_role("button", name="Try: roundrobin").bounding_box()

    assert remedy["y"] + remedy["height"] <= 900


@pytest.mark.parametrize(
    ("look", "paper", "bar"),
    [
        ((PAGES["compare"], WIDE, False), "rgb(255, 255, 255)", "rgb(0, 114, 178)"),
        ((PAGES["compare"], WIDE, True), "rgb(15, 22, 28)", "rgb(75, 163, 219)"),
    ],
    ids=["light", "dark"],
    indirect=["look"],
)
def test_paper_and_figures_follow_light_and_dark(look, paper, bar):
    assert (
        look.evaluate(
            "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
        )
        == paper
    )
    assert bar in look.locator(".barlayer .point path").nth(1).get_attribute("style")


BARS = "table[aria-label=Assignors] tbody td.bar"


@looks("compare", sizes=("wide-light",))
def test_the_table_has_bars_where_it_is_wide(look):
    assert look.locator(BARS).first.is_visible()


@looks("compare", sizes=("small-light",))
def test_the_table_drops_its_bars_where_it_is_narrow(look):
    assert not look.locator(BARS).first.is_visible()


@looks("compare", "large", sizes=("wide-light", "narrow-dark"))
def test_all_columns_of_the_table_fit(look):
    widths = look.locator("table[aria-label=Assignors]").evaluate(
        "table => [table.getBoundingClientRect().width,"
        " table.parentElement.getBoundingClientRect().width]"
    )
    cut = look.locator("table[aria-label=Assignors] :is(th, td):visible").evaluate_all(
        "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell =>"
        " cell.innerText)"
    )

    assert widths[0] <= widths[1] + 1
    assert cut == []


def _colours(page) -> list[set[str]]:
    return [set(one) for one in page.evaluate(COLOURS)]


def _switched(page, colours: list[set[str]]) -> list[set[str]]:
    """Return the colours of the figures once they are these, or after four minutes."""
    end = monotonic() + 240
    while (found := _colours(page)) != colours and monotonic() < end:
        page.wait_for_timeout(100)
    return found


@pytest.mark.parametrize(
    "path", ["/compare?sample=one-hot-partition", "/moves?sample=one-hot-partition"]
)
def test_charts_take_the_colours_of_a_theme_that_is_switched_while_the_page_is_open(tab, path):
    page, dark = tab(path), _colours(tab(path, dark=True))
    light = _colours(page)
    try:
        page.emulate_media(color_scheme="dark")
        by_system = _switched(page, dark)
        page.emulate_media(color_scheme="light")
        back = _switched(page, light)
        page.locator("[data-testid=stMainMenu] button").click()
        page.get_by_test_id("stMainMenuItem-theme-Dark").click()
        by_menu = _switched(page, dark)
        dialogs = page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    finally:
        page.evaluate("localStorage.clear()")

    assert light != dark
    assert (by_system, back, by_menu, dialogs) == (dark, light, dark, "dark")
