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


def _tab_to(page, role: str, name: str) -> None:
    """Press Tab until a control has the focus, with a ring that is seen."""
    control = page.get_by_role(role, name=name, exact=True)
    for _ in range(MOST_STOPS):
        if control.evaluate("control => control.matches(':focus')"):
            assert _stop(page)[2], name
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{MOST_STOPS} presses of Tab do not reach {name}")
