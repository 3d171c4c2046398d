"""The keyboard reaches everything: each stop has a name and a ring that is seen, and a table is one
stop.
"""

import re
from time import monotonic

from playwright.sync_api import expect

from tests.dashboard.browser.server import PATIENCE_MS, drawn, named
from tests.dashboard.browser.test_look import PAGES, looks

LISTING = """GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
audit audit.events 0 10 90010 90000 - - -
audit audit.events 1 10 60010 60000 - - -
billing bills 0 1000 1010 10 bill-a /10.4.1.17 bill-a
"""
ONE_SILENT = """GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
billing bills 0 9000 99000 90000 bill-a /10.4.1.17 bill-a
billing bills 1 9000 98000 89000 bill-a /10.4.1.17 bill-a
billing bills 2 1000 1010 10 bill-b /10.4.1.18 bill-b
billing bills 3 1000 1012 12 bill-b /10.4.1.18 bill-b
billing bills 4 1000 1011 11 bill-c /10.4.1.19 bill-c
billing bills 5 1000 1013 13 bill-c /10.4.1.19 bill-c
"""
TABS = ["Overview", "Assignors", "Best", "Moves", "What-if"]

STOP = """() => {
  let stop = document.activeElement;
  while (stop?.shadowRoot?.activeElement) stop = stop.shadowRoot.activeElement;
  if (!stop || stop === document.body) return null;
  const ids = (stop.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean);
  const labels = [...ids.map(id => stop.getRootNode().getElementById(id)?.innerText),
      ...[...(stop.labels ?? [])].map(one => one.innerText)];
  const name = stop.getAttribute('aria-label') || labels.join(' ') || stop.innerText ||
      stop.title || stop.querySelector('img')?.alt || '';
  const around = [];
  for (let one = stop; one?.nodeType === 1 && around.length < 5;
      one = one.parentElement) around.push(getComputedStyle(one));
  const hasRing = around.some(look => look.outlineStyle !== 'none' &&
      parseFloat(look.outlineWidth) > 0 || look.boxShadow !== 'none');
  return [stop.outerHTML.slice(0, 120), name.trim() !== '', hasRing];
}"""
MOST_STOPS = 150


def _stops(page) -> list[list]:
    """Press Tab until the page is left; return (begin of the element, has a name, has a ring) for
    each stop.
    """
    found = []
    while len(found) < MOST_STOPS:
        page.keyboard.press("Tab")
        stop = _stop(page)
        if stop is None:
            return found
        found.append(stop)
    raise AssertionError(f"{MOST_STOPS} presses of Tab do not leave the page: {found[-3:]}")


def _stop(page) -> list | None:
    """Return what has the focus; its ring, and what it is called, may be drawn a moment later."""
    end = monotonic() + PATIENCE_MS / 1000
    while (stop := page.evaluate(STOP)) and not all(stop[1:]) and monotonic() < end:
        page.wait_for_timeout(100)
    return stop


@looks(sizes=("wide-light",))
def test_each_stop_of_the_keyboard_has_a_name_and_a_ring(look):
    named(look)

    stops = _stops(look)

    assert len(stops) > 10
    assert [begin for begin, has_name, has_ring in stops if not (has_name and has_ring)] == []


def test_the_table_of_assignors_is_one_stop_whose_rows_the_arrow_keys_walk(tab):
    page = tab(PAGES["whatif"])
    rows = page.locator("table[aria-label^=Assignors] tbody tr")

    stops = page.locator("table[aria-label^=Assignors] tbody tr[tabindex='0']")
    expect(stops).to_have_class([re.compile("candidate")])
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(rows.last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")

    expect(rows.first).to_have_attribute("aria-selected", "true")


def test_keys_alone_lead_from_home_over_a_paste_to_a_group_through_its_tabs_and_to_share(tab):
    page = tab("/?example=cluster")
    dialog = page.get_by_role("dialog")

    page.keyboard.press("o")
    expect(dialog.get_by_role("textbox", name="Listing")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator(".st-key-open button")).to_be_focused()
    page.keyboard.press("o")
    expect(dialog.get_by_role("textbox", name="Listing")).to_be_focused()
    page.keyboard.insert_text(LISTING)
    _tab_to(page, "button", "Read")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("1 needs you, 1 is fine")
    drawn(page)
    page.keyboard.press("j")
    expect(page.get_by_role("link", name=re.compile("^audit: "))).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="audit", level=1)).to_be_visible()

    for name in TABS[1:]:
        drawn(page)
        _tab_to(page, "link", name)
        page.keyboard.press("Enter")
        expect(page.locator(".st-key-tabs a[aria-current=page]")).to_have_text(name)
    drawn(page)
    _tab_to(page, "button", "Share")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


def test_keys_alone_lead_from_the_empty_start_to_the_evidence_and_to_what_if_and_back(tab):
    page = tab("/")

    page.keyboard.press("o")
    expect(page.get_by_role("textbox", name="Listing")).to_be_focused()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.insert_text(ONE_SILENT)
    _tab_to(page, "button", "Read")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="billing", level=1)).to_be_visible()
    drawn(page)
    _focus_by_tab(page, page.locator("button.evidence"))
    page.keyboard.press("Enter")
    expect(page.locator(".overview .offsets")).to_be_visible()
    _tab_to(page, "button", "Try: Restart bill-a")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/whatif"))
    drawn(page)
    page.go_back()

    expect(page.locator(".overview h2").first).to_contain_text("bill-a")


def test_keys_alone_walk_through_the_findings_copy_search_and_open_a_row_of_the_table(tab):
    page = tab("/?cluster=example")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    # The judged history puts the groups into another order.
    expect(page.get_by_text("lose unread records in about").first).to_be_visible()
    drawn(page)
    lines = page.locator("div.line")

    for key, place in (("j", 0), ("j", 1), ("j", 2), ("k", 1), ("ArrowDown", 2), ("ArrowUp", 1)):
        page.keyboard.press(key)
        expect(lines.nth(place)).to_be_focused()
        assert _stop(page)[2], key
    page.keyboard.press("c")
    expect(lines.nth(1).locator(".copy")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").startswith("kafka-")
    page.keyboard.press("/")
    expect(page.get_by_role("textbox", name="Search")).to_be_focused()
    page.keyboard.insert_text("payments")
    expect(page.locator("table.home tbody tr")).to_have_count(1)
    drawn(page)
    _focus_by_tab(page, page.locator("table.home tbody tr"))
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="payments", level=1)).to_be_visible()


def _tab_to(page, role: str, name: str) -> None:
    """Press Tab until a control has the focus, with a ring that is seen."""
    _focus_by_tab(page, page.get_by_role(role, name=name, exact=True))


def _focus_by_tab(page, control) -> None:
    for _ in range(MOST_STOPS):
        if control.evaluate("control => control.matches(':focus')"):
            assert _stop(page)[2], control
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{MOST_STOPS} presses of Tab do not reach {control}")
